import type {TestClient} from '@orch-api/orch/testing';
import {testOnEachStore} from '../../../helpers/each-store.js';
import {establish, faultsOf, freshGroup, withSpec, type Json} from './definition-fixture.js';

const storeTest = testOnEachStore();

interface Case {
  readonly title: string;
  /** The schema of `spec.a`. */
  readonly schema: Json;
  readonly good?: readonly unknown[];
  /** A value and the faults of the object that has it, `PATH: BODY`; a text alone is a 400. */
  readonly bad?: readonly (readonly [value: unknown, fault: string])[];
}

const text = {type: 'string'};
const formats = (names: Readonly<Record<string, readonly [good: string, bad: string]>>): Pick<Case, 'good' | 'bad'> & {schema: Json} => ({
  schema: {type: 'object', properties: Object.fromEntries(Object.keys(names).map((format) => [format, {type: 'string', format}]))},
  good: [Object.fromEntries(Object.entries(names).map(([format, [good]]) => [format, good]))],
  bad: Object.entries(names).map(
    ([format, [, bad]]) =>
      [
        {[format]: bad},
        `spec.a.${format}: Invalid value: ${JSON.stringify(bad)}: spec.a.${format} in body must be of type ${format}: ${JSON.stringify(bad)}`,
      ] as const,
  ),
});

const cases: readonly Case[] = [
  {
    title: 'a value of another type is refused [A-CRD-60]',
    schema: {type: 'integer'},
    good: [1, -5],
    bad: [
      ['1', 'spec.a: Invalid value: "string": spec.a in body must be of type integer: "string"'],
      [1.5, 'spec.a: Invalid value: "number": spec.a in body must be of type integer: "number"'],
    ],
  },
  {
    title: 'properties and items apply to what is inside [A-CRD-61]',
    schema: {type: 'array', items: {type: 'object', properties: {b: {type: 'boolean'}}}},
    good: [[{b: true}, {}]],
    bad: [[[{b: true}, {b: 1}], 'spec.a[1].b: Invalid value: "integer": spec.a[1].b in body must be of type boolean: "integer"']],
  },
  {
    title: 'additionalProperties apply to every value of a map [A-CRD-62]',
    schema: {type: 'object', additionalProperties: {type: 'string', maxLength: 2}},
    good: [{x: 'ab'}],
    bad: [[{x: 'ab', 'y.z': 'abc'}, 'spec.a.y.z: Too long: may not be longer than 2']],
  },
  {
    title: 'what is required must be there [A-CRD-63]',
    schema: {type: 'object', required: ['b'], properties: {b: text}},
    good: [{b: ''}],
    bad: [[{}, 'spec.a.b: Required value']],
  },
  {
    title: 'an enumeration lists all values [A-CRD-64]',
    schema: {type: 'string', enum: ['x', 'y']},
    good: ['x'],
    bad: [['z', 'spec.a: Unsupported value: "z": supported values: "x", "y"']],
  },
  {
    title: 'bounds are inclusive [A-CRD-65]',
    schema: {type: 'integer', minimum: 1, maximum: 3},
    good: [1, 3],
    bad: [
      [0, 'spec.a: Invalid value: 0: spec.a in body should be greater than or equal to 1'],
      [4, 'spec.a: Invalid value: 4: spec.a in body should be less than or equal to 3'],
    ],
  },
  {
    title: 'bounds are exclusive where they say so [A-CRD-65]',
    schema: {type: 'number', minimum: 1, maximum: 3, exclusiveMinimum: true, exclusiveMaximum: true},
    good: [1.5],
    bad: [
      [1, 'spec.a: Invalid value: 1: spec.a in body should be greater than 1'],
      [3, 'spec.a: Invalid value: 3: spec.a in body should be less than 3'],
    ],
  },
  {
    title: 'multipleOf is enforced [A-CRD-66]',
    schema: {type: 'integer', multipleOf: 5},
    good: [10],
    bad: [[12, 'spec.a: Invalid value: 12: spec.a in body should be a multiple of 5']],
  },
  {
    title: 'lengths of texts are enforced in characters [A-CRD-67]',
    schema: {type: 'string', minLength: 2, maxLength: 3},
    good: ['ab', '😀😀😀'],
    bad: [
      ['a', 'spec.a: Invalid value: "a": spec.a in body should be at least 2 chars long'],
      ['abcd', 'spec.a: Too long: may not be longer than 3'],
    ],
  },
  {
    title: 'numbers of items are enforced [A-CRD-67]',
    schema: {type: 'array', items: text, minItems: 1, maxItems: 2},
    good: [['a']],
    bad: [
      [[], 'spec.a: Invalid value: 0: spec.a in body should have at least 1 items'],
      [['a', 'b', 'c'], 'spec.a: Too many: 3: must have at most 2 items'],
    ],
  },
  {
    title: 'numbers of members are enforced [A-CRD-67]',
    schema: {type: 'object', additionalProperties: text, minProperties: 1, maxProperties: 2},
    good: [{a: ''}],
    bad: [
      [{}, 'spec.a: Invalid value: 0: spec.a in body should have at least 1 properties'],
      [{a: '', b: '', c: ''}, 'spec.a: Too many: 3: must have at most 2 items'],
    ],
  },
  {
    title: 'a pattern is searched in the text [A-CRD-68]',
    schema: {type: 'string', pattern: 'b+'},
    good: ['abc', 'bb'],
    bad: [['ac', 'spec.a: Invalid value: "ac": spec.a in body should match \'b+\'']],
  },
  {
    title: 'allOf, anyOf and oneOf count what holds [A-CRD-69]',
    schema: {
      type: 'integer',
      allOf: [{minimum: 1}, {maximum: 9}],
      anyOf: [{multipleOf: 2}, {multipleOf: 3}],
      oneOf: [{maximum: 4}, {minimum: 4}],
    },
    good: [2, 3, 9],
    bad: [
      [0, 'spec.a: Invalid value: 0: spec.a in body should be greater than or equal to 1'],
      [5, '<nil>: Invalid value: "": "spec.a" must validate at least one schema (anyOf)'],
      [4, '<nil>: Invalid value: "": "spec.a" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
    ],
  },
  {
    title: 'not refuses what matches [A-CRD-70]',
    schema: {type: 'string', not: {pattern: '^x'}},
    good: ['a'],
    bad: [['xa', '<nil>: Invalid value: "": "spec.a" must not validate the schema (not)']],
  },
  {
    title: 'null is allowed where nullable says so; elsewhere a null item is refused and a null member counts as missing [A-CRD-71]',
    schema: {type: 'object', required: ['c'], properties: {b: {type: 'string', nullable: true}, c: {type: 'array', items: text}}},
    good: [{b: null, c: []}],
    bad: [
      [{b: null, c: null}, 'spec.a.c: Required value'],
      [{c: [null]}, 'spec.a.c[0]: Invalid value: "null": spec.a.c[0] in body must be of type string: "null"'],
    ],
  },
  {
    title: 'descriptive keywords refuse nothing [A-CRD-74]',
    schema: {type: 'string', title: 't', description: 'd', example: 5, externalDocs: {url: 'u'}},
    good: ['x'],
  },
  {
    title: 'formats of notations are enforced [A-CRD-75]',
    ...formats({
      bsonobjectid: ['507f1f77bcf86cd799439011', 'x'],
      hexcolor: ['#ff00aa', 'red'],
      rgbcolor: ['rgb(1,2,3)', 'rgb(1,2)'],
      byte: ['aGk=', '%%%%'],
    }),
  },
  {
    title: 'formats of names are enforced [A-CRD-76]',
    ...formats({uri: ['https://example.com', 'x y'], email: ['a@example.com', 'a@'], hostname: ['example.com', 'a_b']}),
  },
  {
    title: 'formats of addresses are enforced [A-CRD-77]',
    ...formats({
      ipv4: ['10.0.0.1', '10.0.0'],
      ipv6: ['fe80::1', '10.0.0.1'],
      cidr: ['10.0.0.0/8', '10.0.0.0'],
      mac: ['01:02:03:04:05:06', '01:02'],
    }),
  },
  {
    title: 'formats of identifiers are enforced [A-CRD-78]',
    ...formats({
      uuid: ['123e4567-e89b-12d3-a456-426614174000', 'x'],
      uuid3: ['123e4567-e89b-32d3-a456-426614174000', '123e4567-e89b-42d3-a456-426614174000'],
      uuid4: ['123e4567-e89b-42d3-a456-426614174000', '123e4567-e89b-52d3-a456-426614174000'],
      uuid5: ['123e4567-e89b-52d3-a456-426614174000', '123e4567-e89b-32d3-a456-426614174000'],
    }),
  },
  {
    title: 'formats of numbers are enforced [A-CRD-79]',
    ...formats({
      isbn: ['0-306-40615-2', '1'],
      isbn10: ['0-306-40615-2', '0-306-40615-3'],
      isbn13: ['978-0-306-40615-7', '978-0-306-40615-8'],
      creditcard: ['4111111111111111', '1'],
      ssn: ['078-05-1120', '1'],
    }),
  },
  {
    title: 'a password is any text, and an unknown format says nothing [A-CRD-80] [A-CRD-82]',
    schema: {type: 'object', properties: {p: {type: 'string', format: 'password'}, u: {type: 'string', format: 'haiku'}}},
    good: [{p: '', u: 'x'}],
  },
  {
    title: 'formats of times are enforced [A-CRD-81]',
    ...formats({
      date: ['2024-02-29', '2023-02-29'],
      datetime: ['2024-01-02T03:04:05Z', '2024'],
      'date-time': ['2024-01-02T03:04:05Z', '2024'],
      duration: ['1h30m', 'soon'],
    }),
  },
  {
    title: 'an integer or text is nothing else [A-CRD-89]',
    schema: {'x-kubernetes-int-or-string': true},
    good: [1, '50%'],
    bad: [
      [1.5, 'spec.a: Invalid value: "number": spec.a in body must be of type integer,string: "number"'],
      [true, 'spec.a: Invalid value: "boolean": spec.a in body must be of type integer,string: "boolean"'],
    ],
  },
  {
    title: 'a set has every value once [A-CRD-92]',
    schema: {type: 'array', items: text, 'x-kubernetes-list-type': 'set'},
    good: [['a', 'b']],
    bad: [[['a', 'b', 'a'], 'spec.a[2]: Duplicate value: "a"']],
  },
  {
    title: 'a list of type map has every key once [A-CRD-93]',
    schema: {
      type: 'array',
      items: {type: 'object', required: ['k'], properties: {k: text, p: {type: 'integer', default: 1}}},
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k', 'p'],
    },
    good: [[{k: 'a'}, {k: 'a', p: 2}]],
    bad: [[[{k: 'a'}, {k: 'b'}, {k: 'a', p: 1}], 'spec.a[2]: Duplicate value: map[string]interface {}{"k":"a", "p":1}']],
  },
  {
    title: 'what is there twice is told in the order of its names [A-CRD-93]',
    schema: {
      type: 'object',
      properties: {
        map: {
          type: 'array',
          items: {type: 'object', required: ['b', 'a'], properties: {a: text, b: text}},
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['b', 'a'],
        },
        set: {
          type: 'array',
          items: {type: 'object', properties: {a: text, b: text}, 'x-kubernetes-map-type': 'atomic'},
          'x-kubernetes-list-type': 'set',
        },
      },
    },
    bad: [
      [
        {
          map: [
            {b: '1', a: '2'},
            {b: '1', a: '2'},
          ],
        },
        'spec.a.map[1]: Duplicate value: map[string]interface {}{"a":"2", "b":"1"}',
      ],
      [
        {
          set: [
            {b: '1', a: '2'},
            {a: '2', b: '1'},
          ],
        },
        'spec.a.set[1]: Duplicate value: map[string]interface {}{"a":"2", "b":"1"}',
      ],
    ],
  },
  {title: 'a list without a type may repeat itself [A-CRD-91]', schema: {type: 'array', items: text}, good: [['a', 'a']]},
  {
    title: 'an embedded resource says what it is and has good metadata [A-CRD-88]',
    schema: {type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true},
    good: [{apiVersion: 'v1', kind: 'K', metadata: {name: 'n', labels: {a: 'b'}}, other: 1}],
    bad: [
      [{kind: 'K'}, 'spec.a.apiVersion: Required value: must not be empty'],
      [{apiVersion: 'v1', kind: 'K', metadata: {labels: 5}}, '400'],
    ],
  },
];

const widget = (group: string, a: unknown, name = 'w') => ({apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name}, spec: {a}});

/** The text of a wrong type is that of a 400; that of a value rule is a cause of a 422. */
function firstFault(faults: readonly string[]): string {
  const [fault = 'none'] = faults;
  return /^400 .*cannot be handled as/.test(fault) ? fault.slice(fault.indexOf('spec.')) : fault;
}

for (const {title, schema, good = [], bad = []} of cases) {
  storeTest(title, async (t, {client, path}) => {
    const group = freshGroup();
    await establish(client, withSpec(group, {type: 'object', properties: {a: schema}}));
    const post = (value: unknown) => client.post(`${path('widgets', `${group}/v1`)}?dryRun=All`, widget(group, value));
    for (const value of good) t.deepEqual(faultsOf(await post(value)), [], JSON.stringify(value));
    for (const [value, fault] of bad) {
      const faults = faultsOf(await post(value));
      if (fault === '400') t.regex(faults[0] ?? '', /^400 /);
      else t.is(firstFault(faults), fault);
    }
  });
}

async function stored(client: TestClient, path: string, group: string, a: unknown): Promise<unknown> {
  const response = await client.post(path, widget(group, a));
  if (response.status !== 201) throw new Error(response.body.toString());
  return (await client.get(`${path}/w`)).json<{spec: {a: unknown}}>().spec.a;
}

storeTest('defaults fill in what is missing, at every depth [A-CRD-72]', async (t, {client, path}) => {
  const group = freshGroup();
  const schema = {
    type: 'object',
    default: {},
    properties: {
      n: {type: 'integer', default: 3},
      l: {type: 'array', items: {type: 'object', properties: {x: {type: 'string', default: 'd'}}}},
      q: {type: 'string', nullable: true, default: 'q'},
      r: {type: 'string', default: 'r'},
    },
  };
  await establish(client, withSpec(group, {type: 'object', properties: {a: schema}}));
  t.deepEqual(await stored(client, path('widgets', `${group}/v1`), group, {l: [{}, {x: 'y'}], q: null, r: null}), {
    n: 3,
    l: [{x: 'd'}, {x: 'y'}],
    q: null,
    r: 'r',
  });
});

storeTest(
  'fields that nobody described are pruned, except below a place that keeps them and outside described ones there [A-CRD-83] [A-CRD-84] [A-CRD-85] [A-CRD-29]',
  async (t, {client, path}) => {
    const group = freshGroup();
    const schema = {
      type: 'object',
      properties: {
        b: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: {c: {type: 'object', properties: {d: text}}}},
      },
    };
    await establish(client, withSpec(group, {type: 'object', properties: {a: schema}}));
    const value = await stored(client, path('widgets', `${group}/v1`), group, {gone: 1, b: {kept: {deep: [1]}, c: {d: 'x', gone: 2}}});
    t.deepEqual(value, {b: {kept: {deep: [1]}, c: {d: 'x'}}});
  },
);

storeTest('unknown fields are warned of, and refused under Strict', async (t, {client, path}) => {
  const group = freshGroup();
  await establish(client, withSpec(group, {type: 'object', properties: {a: text}}));
  const url = `${path('widgets', `${group}/v1`)}?dryRun=All`;
  const body = {...widget(group, 'x'), spec: {a: 'x', b: 1}};
  const warned = await client.post(url, body);
  t.is(warned.status, 201);
  t.is(warned.headers['warning'], '299 - "unknown field \\"spec.b\\""');
  const refused = await client.post(`${url}&fieldValidation=Strict`, body);
  t.is(refused.status, 400);
  t.true(refused.body.includes('unknown field \\"spec.b\\"'));
});

storeTest(
  'lists without markers are replaced by an apply, sets and maps are merged, and objects too unless they are atomic [A-CRD-91] [A-CRD-97] [A-CRD-98]',
  async (t, {client, path}) => {
    const group = freshGroup();
    const items = {type: 'object', required: ['k'], properties: {k: text, v: text}};
    const schema = {
      type: 'object',
      properties: {
        plain: {type: 'array', items: text},
        set: {type: 'array', items: text, 'x-kubernetes-list-type': 'set'},
        map: {type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k']},
        loose: {type: 'object', properties: {x: text, y: text}},
        atomic: {type: 'object', properties: {x: text, y: text}, 'x-kubernetes-map-type': 'atomic'},
      },
    };
    await establish(client, withSpec(group, {type: 'object', properties: {a: schema}}));
    const url = `${path('widgets', `${group}/v1`)}/w`;
    const apply = (manager: string, a: unknown) =>
      client.patch(`${url}?fieldManager=${manager}&force=true`, widget(group, a), 'application/apply-patch+yaml');
    t.is((await apply('one', {plain: ['1'], set: ['1'], map: [{k: '1', v: 'a'}], loose: {x: '1'}, atomic: {x: '1'}})).status, 201);
    const second = await apply('two', {plain: ['2'], set: ['2'], map: [{k: '2', v: 'b'}], loose: {y: '2'}, atomic: {y: '2'}});
    t.is(second.status, 200, second.body.toString());
    t.deepEqual(second.json<{spec: {a: unknown}}>().spec.a, {
      plain: ['2'],
      set: ['1', '2'],
      map: [
        {k: '1', v: 'a'},
        {k: '2', v: 'b'},
      ],
      loose: {x: '1', y: '2'},
      atomic: {y: '2'},
    });
  },
);
