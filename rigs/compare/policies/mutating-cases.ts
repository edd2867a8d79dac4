import {constraints, create, mutating, on, writtenMutation, type PolicyCase} from './policy-case.js';

const apply = (expression: string) => ({patchType: 'ApplyConfiguration', applyConfiguration: {expression}});
const patch = (expression: string) => ({patchType: 'JSONPatch', jsonPatch: {expression}});
const data = {a: '1', b: 'x'};
const pods = {operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods']};
const pod = {
  method: 'POST',
  path: 'pods?dryRun=All',
  body: {metadata: {name: 'p'}, spec: {containers: [{name: 'main', image: 'main:1'}]}},
} as const;

/** Apply configurations: what a server says when they are written. */
const applied: readonly string[] = [
  "Object{metadata: Object.metadata{labels: {'a': 'b'}}}",
  'Object{}',
  "Object{data: {'a': 'b'}}",
  'Object.metadata{}',
  "{'a': 'b'}",
  '1',
  '[Object{}]',
  'object',
  'Object{spec: Object.spec{replicas: 1}}',
  'Object{spec: Object.wrong{replicas: 1}}',
  'Object{spec: [Object.a{}, Object.b{}]}',
  'Object{?spec: optional.none()}',
  'Object{?spec: 1}',
  'Wrong{}',
  'Object{spec: Object.spec{',
  'has(object.x) ? Object{} : Object{}',
  'has(object.x) ? Object{} : Object.metadata{}',
  'JSONPatch{}',
  'Object{data: object.data.map(k, k)}',
  'Object{metadata: Object.metadata{labels: variables.nothing}}',
  "Object{metadata: Object.metadata{name: authorizer.path('/x').check('get').reason()}}",
  'Object{metadata: Object.metadata{name: namespaceObject.metadata.name}}',
];

/** JSON patches: what a server says when they are written. */
const patched: readonly string[] = [
  "[JSONPatch{op: 'add', path: '/metadata/labels/a', value: 'b'}]",
  '[]',
  "JSONPatch{op: 'add', path: '/a', value: 'b'}",
  "[JSONPatch{op: 1, path: '/a'}]",
  "[JSONPatch{wrong: 'x'}]",
  "[{'op': 'add', 'path': '/a'}]",
  '[Object{}]',
  "[JSONPatch{op: 'add', path: '/spec', value: Object.spec{replicas: 1}}]",
  "[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a/b'), value: 'b'}]",
  "[JSONPatch{op: 'test', path: '/a', value: dyn(1)}]",
  "has(object.x) ? [JSONPatch{op: 'remove', path: '/x'}] : []",
  "object.items.map(i, JSONPatch{op: 'remove', path: '/x'})",
  'object',
  "[JSONPatch{op: 'add', path: '/a', value: 1}, JSONPatch{op: 'add', path: '/b', value: 'x'}]",
  'jsonpatch.escapeKey(1)',
];

/** Changes that are made, or not, to a config map. */
const changes: Readonly<Record<string, object>> = {
  'set-label': apply("Object{metadata: Object.metadata{labels: {'added': 'yes'}}}"),
  'set-data': apply("Object{data: {'added': object.data.a + '!'}}"),
  'replace-data': apply("Object{data: {'a': 'replaced'}}"),
  'unknown-field': apply("Object{unknown: 'x'}"),
  'wrong-type': apply("Object{data: 'x'}"),
  'wrong-value-type': apply("Object{data: {'a': 1}}"),
  'wrong-place': apply('Object{metadata: Object.data{}}'),
  nothing: apply('Object{}'),
  optional: apply('Object{?immutable: has(object.data.x) ? optional.of(true) : optional.none()}'),
  fails: apply("Object{data: {'a': object.data.nothing}}"),
  name: apply("Object{metadata: Object.metadata{name: 'other'}}"),
  null: apply('Object{data: null}'),
  'list-atomic': apply("Object{metadata: Object.metadata{finalizers: ['example.com/x']}}"),
  owner: apply(
    "Object{metadata: Object.metadata{ownerReferences: [Object.metadata.ownerReferences{apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'u'}]}}",
  ),
  'by-namespace': apply("Object{data: {'namespace': namespaceObject.metadata.name}}"),
  'by-authorizer': apply("Object{data: {'admin': string(authorizer.path('/x').check('get').allowed())}}"),
  add: patch("[JSONPatch{op: 'add', path: '/data/added', value: 'yes'}]"),
  'add-escaped': patch("[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a.b/c~d'), value: 'yes'}]"),
  'add-missing': patch("[JSONPatch{op: 'add', path: '/nothing/added', value: 'yes'}]"),
  'add-map': patch("[JSONPatch{op: 'add', path: '/data', value: {'only': 'this'}}]"),
  'add-object': patch("[JSONPatch{op: 'add', path: '/metadata', value: Object.metadata{name: 'c', labels: {'x': 'y'}}}]"),
  remove: patch("[JSONPatch{op: 'remove', path: '/data/a'}]"),
  'remove-missing': patch("[JSONPatch{op: 'remove', path: '/data/nothing'}]"),
  replace: patch("[JSONPatch{op: 'replace', path: '/data/a', value: '2'}]"),
  'replace-missing': patch("[JSONPatch{op: 'replace', path: '/data/nothing', value: '2'}]"),
  move: patch("[JSONPatch{op: 'move', from: '/data/a', path: '/data/c'}]"),
  copy: patch("[JSONPatch{op: 'copy', from: '/data/a', path: '/data/c'}]"),
  test: patch("[JSONPatch{op: 'test', path: '/data/a', value: '1'}, JSONPatch{op: 'add', path: '/data/c', value: 'same'}]"),
  'test-fails': patch("[JSONPatch{op: 'test', path: '/data/a', value: '9'}, JSONPatch{op: 'add', path: '/data/c', value: 'same'}]"),
  'unknown-op': patch("[JSONPatch{op: 'strange', path: '/data/a'}]"),
  'add-unknown': patch("[JSONPatch{op: 'add', path: '/unknown', value: 'x'}]"),
  'add-wrong': patch("[JSONPatch{op: 'add', path: '/data/n', value: 1}]"),
  'no-patch': patch('[]'),
  'change-kind': patch("[JSONPatch{op: 'replace', path: '/kind', value: 'Secret'}]"),
  'patch-fails': patch("[JSONPatch{op: 'add', path: '/data/x', value: object.data.nothing}]"),
};

const made = Object.entries(changes).map(([name, mutation]) => mutating(name, {mutations: [mutation]}, [create(data)]));
const ignored = ['unknown-field', 'fails', 'add-missing', 'add-unknown', 'wrong-place'].map((name) =>
  mutating(`ignored-${name}`, {failurePolicy: 'Ignore', mutations: [changes[name]!, apply("Object{data: {'then': 'this'}}")]}, [
    create(data),
  ]),
);

const connecting = {operations: ['CONNECT'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods/exec', 'pods/portforward']};
const twoContainers = {metadata: {name: 'p'}, spec: {containers: ['a', 'b'].map((name) => ({name, image: 'image:1'}))}};
const connections = [
  'pods/p/exec?command=x&container=a',
  'pods/p/exec?command=x&container=none',
  'pods/none/exec?command=x',
  'pods/p/portforward',
];

/** Changes of connections to pods: no node is there, and what is answered says how far they came. */
const connected = (name: string, mutation: object, spec: object = {}) =>
  mutating(
    `connect-${name}`,
    {matchConstraints: constraints(`connect-${name}`, connecting), mutations: [mutation], ...spec},
    connections.map((path) => ({method: 'GET', path})),
    {setup: [{path: 'pods', body: twoContainers}]},
  );

/** MutatingAdmissionPolicies: what is written, and what they make of requests. */
export const mutatingCases: readonly PolicyCase[] = [
  ...applied.map((expression, index) => writtenMutation(`apply-${index}`, [apply(expression)])),
  ...patched.map((expression, index) => writtenMutation(`patch-${index}`, [patch(expression)])),
  writtenMutation('mutation-none', []),
  writtenMutation('mutation-of-nothing', [{patchType: 'ApplyConfiguration'}]),
  writtenMutation('mutation-other', [{patchType: 'JSONPatch', applyConfiguration: {expression: 'Object{}'}}]),
  writtenMutation('mutation-both', [{...apply('Object{}'), jsonPatch: {expression: '[]'}}]),
  writtenMutation('mutation-type', [{patchType: 'Strange'}]),
  writtenMutation('mutation-blank', [apply(' ')]),
  writtenMutation('mutation-reinvocation', [apply('Object{}')], {reinvocationPolicy: 'Sometimes'}),
  writtenMutation('mutation-delete', [apply('Object{}')], {matchConstraints: constraints('mutation-delete', on('DELETE'))}),
  writtenMutation('mutation-variable', [apply('Object{data: variables.a}')], {variables: [{name: 'a', expression: "{'x': 'y'}"}]}),
  writtenMutation('mutation-condition', [apply('Object{}')], {matchConditions: [{name: 'a', expression: 'variables.x'}]}),
  ...made,
  ...ignored,
  connected('apply', apply("Object{container: 'b'}")),
  connected('apply-ignored', apply("Object{container: 'b'}"), {failurePolicy: 'Ignore'}),
  connected('patch', patch("[JSONPatch{op: 'add', path: '/container', value: 'b'}]")),
  connected('patch-fails', patch("[JSONPatch{op: 'add', path: '/nothing/x', value: 'b'}]")),
  connected('patch-ignored', patch("[JSONPatch{op: 'add', path: '/nothing/x', value: 'b'}]"), {failurePolicy: 'Ignore'}),
  connected('condition', patch("[JSONPatch{op: 'add', path: '/container', value: 'b'}]"), {
    matchConditions: [{name: 'a', expression: "object.container == 'none'"}],
  }),
  mutating(
    'mutate-pod',
    {
      matchConstraints: constraints('mutate-pod', pods),
      mutations: [
        apply(
          `Object{spec: Object.spec{initContainers: [Object.spec.initContainers{name: 'proxy', image: 'proxy:1', restartPolicy: 'Always'}]}}`,
        ),
      ],
    },
    [pod],
  ),
  mutating(
    'mutate-list',
    {
      matchConstraints: constraints('mutate-list', pods),
      mutations: [
        apply(
          `Object{spec: Object.spec{containers: object.spec.containers.map(c, Object.spec.containers{name: c.name, imagePullPolicy: 'Always'})}}`,
        ),
      ],
    },
    [pod],
  ),
  mutating(
    'mutate-atomic',
    {
      matchConstraints: constraints('mutate-atomic', pods),
      mutations: [apply(`Object{spec: Object.spec{containers: [Object.spec.containers{name: 'main', command: ['x']}]}}`)],
    },
    [pod],
  ),
  mutating(
    'mutate-patch-pod',
    {
      matchConstraints: constraints('mutate-patch-pod', pods),
      mutations: [
        patch(`[JSONPatch{op: 'add', path: '/spec/containers/-', value: Object.spec.containers{name: 'more', image: 'more:1'}}]`),
      ],
    },
    [pod],
  ),
  mutating(
    'mutate-twice',
    {
      mutations: [apply("Object{data: {'n': object.data.a + '1'}}"), apply("Object{data: {'m': object.data.n + '2'}}")],
    },
    [create(data)],
  ),
  mutating(
    'mutate-variables',
    {
      variables: [{name: 'size', expression: 'object.data.size()'}],
      mutations: [apply("Object{data: {'n': string(variables.size)}}"), apply("Object{data: {'m': string(variables.size)}}")],
    },
    [create(data)],
  ),
  mutating(
    'mutate-conditions',
    {
      matchConditions: [{name: 'a', expression: "object.data.a == '1'"}],
      mutations: [apply("Object{data: {'n': 'yes'}}")],
    },
    [create(data), create({a: '2'}), create({})],
  ),
  mutating(
    'mutate-conditions-ignored',
    {
      failurePolicy: 'Ignore',
      matchConditions: [{name: 'a', expression: "object.data.a == '1'"}],
      mutations: [apply("Object{data: {'n': 'yes'}}")],
    },
    [create(data), create({})],
  ),
  mutating(
    'mutate-by-param',
    {
      paramKind: {apiVersion: 'v1', kind: 'ConfigMap'},
      mutations: [apply("Object{data: {'n': params.data.value}}")],
    },
    [create(data)],
    {
      setup: [{path: 'configmaps', body: {metadata: {name: 'value'}, data: {value: 'given'}}}],
      bindings: [{paramRef: {name: 'value', parameterNotFoundAction: 'Deny'}}],
    },
  ),
  mutating(
    'mutate-without-param',
    {
      paramKind: {apiVersion: 'v1', kind: 'ConfigMap'},
      mutations: [apply("Object{data: {'n': params.data.value}}")],
    },
    [create(data)],
    {bindings: [{paramRef: {name: 'value', parameterNotFoundAction: 'Deny'}}]},
  ),
  mutating(
    'mutate-again',
    {
      reinvocationPolicy: 'IfNeeded',
      mutations: [apply("Object{data: {'n': 'n' in object.data ? object.data.n + '!' : '!'}}")],
    },
    [create(data)],
  ),
  mutating('mutate-never-again', {mutations: [apply("Object{data: {'n': 'n' in object.data ? object.data.n + '!' : '!'}}")]}, [
    create(data),
  ]),
  mutating(
    'mutate-two-bindings',
    {mutations: [apply("Object{data: {'n': 'n' in object.data ? object.data.n + '!' : '!'}}")]},
    [create(data)],
    {
      bindings: [{}, {}],
    },
  ),
  mutating('mutate-two-faults', {mutations: [apply("Object{data: {'a': object.data.x}}"), apply("Object{data: {'a': object.data.y}}")]}, [
    create(data),
  ]),
];
