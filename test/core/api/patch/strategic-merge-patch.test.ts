import test from 'ava';
import {StatusError, type JsonObject, type JsonValue} from '../../../../sdk/index.js';
import {cloneJson} from '../../../../core/api/json/clone-json.js';
import {patchProblem} from '../../../../core/api/patch/patch-error.js';
import type {PatchSchema, PatchStrategy} from '../../../../core/api/patch/patch-schema.js';
import {applyStrategicMergePatch} from '../../../../core/api/patch/strategic-merge-patch.js';

interface Shape {
  members?: Record<string, Shape>;
  items?: Shape;
  mergeKey?: string;
  strategies?: PatchStrategy[];
}

function schemaOf(shape: Shape): PatchSchema {
  return {
    child: (member) => (shape.members && Object.hasOwn(shape.members, member) ? schemaOf(shape.members[member]!) : undefined),
    element: () => (shape.items ? schemaOf(shape.items) : undefined),
    mergeKey: shape.mergeKey,
    strategies: shape.strategies,
  };
}

const environment: Shape = {mergeKey: 'name', strategies: ['merge'], items: {}};
const schema = schemaOf({
  members: {
    finalizers: {strategies: ['merge']},
    args: {},
    strategy: {strategies: ['retainKeys']},
    limits: {strategies: ['replace']},
    containers: {mergeKey: 'name', strategies: ['merge'], items: {members: {env: environment, command: {}}}},
    volumes: {mergeKey: 'name', strategies: ['merge', 'retainKeys'], items: {}},
    spec: {members: {containers: {mergeKey: 'name', strategies: ['merge'], items: {}}}},
  },
});

const apply = (document: unknown, patch: unknown) => applyStrategicMergePatch(document as JsonObject, patch as JsonValue, schema);

const a = {name: 'a', image: 'a:1'};
const b = {name: 'b', image: 'b:1'};
const c = {name: 'c', image: 'c:1'};

const examples: [what: string, document: unknown, patch: unknown, result: unknown][] = [
  ['members are merged and null removes', {x: {y: 1, z: 2}, w: 1}, {x: {y: 3, z: null}, w: null}, {x: {y: 3}}],
  ['a list without strategy is replaced', {args: [1, 2]}, {args: [3]}, {args: [3]}],
  ['a list that the schema does not know is replaced', {other: [{name: 'a'}]}, {other: [{name: 'b'}]}, {other: [{name: 'b'}]}],
  ['scalars are united', {finalizers: ['a', 'b']}, {finalizers: ['c', 'a']}, {finalizers: ['c', 'a', 'b']}],
  [
    'items with the same key are merged',
    {containers: [a, b]},
    {containers: [{name: 'b', image: 'b:2'}]},
    {containers: [a, {name: 'b', image: 'b:2'}]},
  ],
  ['items with a new key come first', {containers: [a]}, {containers: [{...b, tty: null}]}, {containers: [b, a]}],
  [
    'lists inside items are merged',
    {
      containers: [
        {
          name: 'a',
          env: [
            {name: 'X', value: '1'},
            {name: 'Y', value: '2'},
          ],
        },
      ],
    },
    {containers: [{name: 'a', env: [{name: 'Y', value: '3'}]}]},
    {
      containers: [
        {
          name: 'a',
          env: [
            {name: 'X', value: '1'},
            {name: 'Y', value: '3'},
          ],
        },
      ],
    },
  ],
  ['$patch delete removes the item', {containers: [a, b, c]}, {containers: [{$patch: 'delete', name: 'b'}]}, {containers: [a, c]}],
  [
    '$patch delete of an item that is not there does nothing',
    {containers: [a]},
    {containers: [{$patch: 'delete', name: 'z'}]},
    {containers: [a]},
  ],
  ['$patch replace in a list replaces it', {containers: [a, b]}, {containers: [c, {$patch: 'replace'}]}, {containers: [c]}],
  ['$patch replace alone empties a list', {containers: [a, b]}, {containers: [{$patch: 'replace'}]}, {containers: []}],
  ['$patch replace in an object replaces it', {x: {y: 1, z: 2}}, {x: {$patch: 'replace', y: 3}}, {x: {y: 3}}],
  ['$patch delete in an object empties it', {x: {y: 1}}, {x: {$patch: 'delete'}}, {x: {}}],
  ['strategy replace replaces an object', {limits: {cpu: 1, memory: 2}}, {limits: {cpu: 3}}, {limits: {cpu: 3}}],
  [
    '$retainKeys drops all other members',
    {strategy: {type: 'RollingUpdate', rollingUpdate: {maxSurge: 1}}},
    {strategy: {$retainKeys: ['type'], type: 'Recreate'}},
    {strategy: {type: 'Recreate'}},
  ],
  [
    '$retainKeys works inside items',
    {volumes: [{name: 'v', emptyDir: {}}]},
    {volumes: [{name: 'v', $retainKeys: ['name', 'secret'], secret: {secretName: 's'}}]},
    {volumes: [{name: 'v', secret: {secretName: 's'}}]},
  ],
  [
    '$deleteFromPrimitiveList removes scalars',
    {finalizers: ['a', 'b', 'c']},
    {'$deleteFromPrimitiveList/finalizers': ['a', 'c', 'z']},
    {finalizers: ['b']},
  ],
  [
    '$deleteFromPrimitiveList and additions go together',
    {finalizers: ['a', 'b']},
    {'$deleteFromPrimitiveList/finalizers': ['a'], finalizers: ['d'], '$setElementOrder/finalizers': ['d', 'b']},
    {finalizers: ['d', 'b']},
  ],
  ['$deleteFromPrimitiveList of a missing list does nothing', {}, {'$deleteFromPrimitiveList/finalizers': ['a']}, {}],
  [
    '$setElementOrder alone sorts',
    {containers: [a, b, c]},
    {'$setElementOrder/containers': [{name: 'c'}, {name: 'b'}, {name: 'a'}]},
    {containers: [c, b, a]},
  ],
  [
    '$setElementOrder keeps items that it does not name by their place',
    {containers: [a, b, c]},
    {'$setElementOrder/containers': [{name: 'c'}, {name: 'a'}]},
    {containers: [b, c, a]},
  ],
  [
    '$setElementOrder and changes go together',
    {containers: [a, b]},
    {'$setElementOrder/containers': [{name: 'c'}, {name: 'b'}, {name: 'a'}], containers: [c, {name: 'b', image: 'b:2'}]},
    {containers: [c, {name: 'b', image: 'b:2'}, a]},
  ],
  [
    '$setElementOrder of scalars',
    {finalizers: ['a', 'b', 'c']},
    {'$setElementOrder/finalizers': ['c', 'a']},
    {finalizers: ['b', 'c', 'a']},
  ],
  ['$setElementOrder without any list does nothing', {}, {'$setElementOrder/containers': [{name: 'a'}]}, {}],
  [
    'new values lose their nulls and directives',
    {},
    {
      x: {y: null, z: {w: 1}},
      containers: [
        {name: 'a', image: null, $retainKeys: ['name']},
        {$patch: 'delete', name: 'b'},
      ],
    },
    {x: {z: {w: 1}}, containers: [{name: 'a'}]},
  ],
  [
    '$deleteFromPrimitiveList of what is no list deletes nothing',
    {finalizers: ['a']},
    {'$deleteFromPrimitiveList/finalizers': 'a'},
    {finalizers: ['a']},
  ],
  ['a value of another type is replaced', {x: [1], containers: {}}, {x: {y: 1}, containers: [a]}, {x: {y: 1}, containers: [a]}],
  [
    'numbers and texts are different keys',
    {
      containers: [
        {name: 1, v: 'n'},
        {name: '1', v: 's'},
      ],
    },
    {containers: [{name: 1, v: 'm'}]},
    {
      containers: [
        {name: 1, v: 'm'},
        {name: '1', v: 's'},
      ],
    },
  ],
];
for (const [what, document, patch, result] of examples) {
  test(what, (t) => {
    const before = cloneJson([document, patch]);
    t.deepEqual(apply(document, patch) as unknown, result);
    t.deepEqual([document, patch], before);
  });
}

test('a patch as kubectl makes it for a changed container is applied below spec', (t) => {
  const document = {spec: {containers: [a, b], replicas: 1}};
  const patch = {
    spec: {$setElementOrder: undefined, '$setElementOrder/containers': [{name: 'a'}, {name: 'b'}], containers: [{name: 'b', image: 'b:2'}]},
  };
  t.deepEqual(apply(document, patch) as unknown, {spec: {containers: [a, {name: 'b', image: 'b:2'}], replicas: 1}});
});

const faults: [document: unknown, patch: unknown, code: number, message: RegExp][] = [
  [{}, [], 400, /^json: cannot unmarshal array into Go value of type map\[string\]interface \{\}$/],
  [{}, {x: {$patch: 'remove'}}, 422, /unknown patch type: "remove"/],
  [{x: {}}, {x: {$patch: 'merge', z: 2}}, 422, /unknown patch type: "merge"/],
  [{}, {$retainKeys: 'a'}, 400, /^invalid patch format of retainKeys$/],
  [{}, {$retainKeys: ['a'], b: 1}, 400, /^invalid patch format of retainKeys$/],
  [{}, {'$setElementOrder/finalizers': 'a'}, 400, /must be an array/],
  [{}, {$deleteFromPrimitiveList: ['a']}, 400, /must have the form/],
  [{}, {'$setElementOrder/': ['a']}, 400, /must have the form/],
  [{containers: [a]}, {containers: [{image: 'x'}]}, 422, /does not contain the declared merge key: name/],
  [{containers: [a]}, {containers: [{name: {}}]}, 422, /is no scalar/],
  [{containers: [a]}, {containers: ['x']}, 422, /objects only or scalars only/],
  [{containers: [a]}, {containers: [['x']]}, 422, /lists of lists/],
  [{finalizers: [{x: 1}]}, {finalizers: [{x: 1}]}, 422, /without merge key/],
  [{containers: [a]}, {containers: [b], '$setElementOrder/containers': [{name: 'a'}]}, 422, /order of the items/],
  [{containers: [a, b]}, {containers: [b, a], '$setElementOrder/containers': [{name: 'a'}, {name: 'b'}]}, 422, /order of the items/],
];
for (const [document, patch, code, message] of faults) {
  test(`the patch ${JSON.stringify(patch)} is answered ${code}`, (t) => {
    const error = t.throws(() => apply(document, patch), {instanceOf: StatusError});
    t.is(error.code, code);
    t.regex(patchProblem(error), message);
  });
}

test('a list that is not there yet becomes that of the patch, with or without keys', (t) => {
  t.deepEqual(apply({}, {containers: [{image: 'x'}]}) as unknown, {containers: [{image: 'x'}]});
});

test('__proto__ is an ordinary member and an ordinary merge key', (t) => {
  const result = apply({}, JSON.parse('{"__proto__":{"x":1},"containers":[{"name":"__proto__","v":1}]}'));
  t.is(JSON.stringify(result), '{"__proto__":{"x":1},"containers":[{"name":"__proto__","v":1}]}');
  t.is(Object.getPrototypeOf(result), Object.prototype);
});

test('a list of thousands of items is merged and sorted in little time', (t) => {
  const items = Array.from({length: 20_000}, (_, index) => ({name: `n${index}`, v: 1}));
  const changed = items.map(({name}) => ({name, v: 2})).reverse();
  const started = performance.now();
  const result = apply({containers: items}, {containers: changed, '$setElementOrder/containers': changed.map(({name}) => ({name}))});
  t.true(performance.now() - started < 5000);
  t.deepEqual(result.containers as unknown, changed);
});
