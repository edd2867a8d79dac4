import type {Status} from '@orch-api/orch/sdk';
import {testOnEachStore} from '../../../helpers/each-store.js';
import {change, definition, definitionsPath, establish, faultsOf, freshGroup, version, withSpec, type Json} from './definition-fixture.js';

const storeTest = testOnEachStore();
const text = {type: 'string'};

interface Case {
  readonly title: string;
  /** The schema of `spec.a`. */
  readonly schema: Json;
  readonly value: unknown;
  /** What is wrong with the value, as `PATH below spec.a: BODY`. */
  readonly faults: readonly string[];
}

const typeFault = (path: string, actual: string, expected: string) =>
  `${path}: Invalid value: "${actual}": spec.a${path} in body must be of type ${expected}: "${actual}"`;

const cases: readonly Case[] = [
  {
    title: 'values of a wrong type are named one by one, together with all other faults',
    schema: {
      type: 'object',
      required: ['gone'],
      properties: {
        gone: text,
        n: {type: 'integer', enum: [1, 2]},
        s: {type: 'string', maxLength: 1},
        b: {type: 'boolean'},
        f: {type: 'number', maximum: 1},
        o: {type: 'object'},
        l: {type: 'array', items: text},
        d: {type: 'string', format: 'date'},
      },
    },
    value: {n: 'x', s: 5, b: 'true', f: 'y', o: [], l: {}, d: 5},
    faults: [
      '.gone: Required value',
      typeFault('.n', 'string', 'integer'),
      '.n: Unsupported value: "x": supported values: "1", "2"',
      typeFault('.s', 'integer', 'string'),
      typeFault('.b', 'string', 'boolean'),
      typeFault('.f', 'string', 'number'),
      typeFault('.o', 'array', 'object'),
      typeFault('.l', 'object', 'array'),
      typeFault('.d', 'int64', 'date'),
    ],
  },
  {
    title: 'an integer is no fraction and has 64 bits',
    schema: {type: 'array', items: {type: 'integer'}},
    value: [1.5, 'JSON:9223372036854775808', 'JSON:-9223372036854775808'],
    faults: [typeFault('[0]', 'number', 'integer'), typeFault('[1]', 'number', 'integer')],
  },
  {
    title: 'an int-or-string is named with both of its types',
    schema: {'x-kubernetes-int-or-string': true},
    value: true,
    faults: [typeFault('', 'boolean', 'integer,string')],
  },
  {
    title: 'an int-or-string that says so by anyOf, too',
    schema: {'x-kubernetes-int-or-string': true, anyOf: [{type: 'integer'}, {type: 'string'}]},
    value: 1.2,
    faults: [
      typeFault('', 'number', 'integer,string'),
      '<nil>: Invalid value: "": "spec.a" must validate at least one schema (anyOf)',
      typeFault('', 'number', 'integer'),
    ],
  },
  {
    title: 'an int-or-string that says so by allOf, too',
    schema: {'x-kubernetes-int-or-string': true, allOf: [{anyOf: [{type: 'integer'}, {type: 'string'}]}, {minimum: 3}]},
    value: {},
    faults: [
      typeFault('', 'object', 'integer,string'),
      '<nil>: Invalid value: "": "spec.a" must validate at least one schema (anyOf)',
      typeFault('', 'object', 'integer'),
      '<nil>: Invalid value: "": "spec.a" must validate all the schemas (allOf)',
    ],
  },
  {
    title: 'values of maps and items of lists in lists are named by their paths',
    schema: {
      type: 'object',
      additionalProperties: {type: 'array', items: {type: 'array', items: {type: 'object', additionalProperties: text}}},
    },
    value: {x: [[{'y.z': 1}], 'no'], w: 3},
    faults: [typeFault('.x[0][0].y.z', 'integer', 'string'), typeFault('.x[1]', 'string', 'array'), typeFault('.w', 'integer', 'array')],
  },
  {
    title: 'a null is a fault where it may not stand and is not dropped',
    schema: {
      type: 'object',
      properties: {l: {type: 'array', items: {type: 'integer', nullable: false}}, m: {type: 'string', nullable: true, enum: ['x']}},
    },
    value: {l: [null], m: null},
    faults: [typeFault('.l[0]', 'null', 'integer'), '.m: Unsupported value: "null": supported values: "x"'],
  },
  {
    title: 'of schemas of which none fits the faults of the best are shown',
    schema: {
      type: 'object',
      properties: {kind: text, size: {type: 'integer'}},
      oneOf: [
        {required: ['size', 'colour'], properties: {kind: {enum: ['a']}}},
        {required: ['size'], properties: {kind: {enum: ['b']}, size: {maximum: 5}}},
      ],
    },
    value: {kind: 'b', size: 7},
    faults: [
      '<nil>: Invalid value: "": "spec.a" must validate one and only one schema (oneOf). Found none valid',
      '.size: Invalid value: 7: spec.a.size in body should be less than or equal to 5',
    ],
  },
  {
    title: 'of a text, and of the size of an object, the first fault counts',
    schema: {
      type: 'object',
      properties: {
        t: {type: 'string', maxLength: 2, pattern: '^x', format: 'date'},
        few: {type: 'object', minProperties: 2, properties: {n: {type: 'integer'}}},
        many: {type: 'object', maxProperties: 0, additionalProperties: {type: 'integer'}},
      },
    },
    value: {t: 'abc', few: {n: 'x'}, many: {n: 'x'}},
    faults: [
      '.t: Too long: may not be longer than 2',
      '.t: Invalid value: "abc": spec.a.t in body must be of type date: "abc"',
      '.few: Invalid value: 1: spec.a.few in body should have at least 2 properties',
      '.many: Too many: 1: must have at most 0 items',
    ],
  },
  {
    title: 'what is there three times is named once',
    schema: {type: 'array', items: text, 'x-kubernetes-list-type': 'set'},
    value: ['a', 'a', 'b', 'a'],
    faults: ['[1]: Duplicate value: "a"'],
  },
  {
    title: 'multiples of fractions are taken, those of negative numbers are not',
    schema: {
      type: 'object',
      properties: {c: {type: 'number', multipleOf: 0.01}, d: {type: 'number', multipleOf: 0.01}, m: {type: 'integer', multipleOf: -2}},
    },
    value: {c: 0.07, d: 0.075, m: 4},
    faults: [
      '.d: Invalid value: 0.075: spec.a.d in body should be a multiple of 0.01',
      '.m: Invalid value: -2: factor MultipleOf declared for spec.a.m must be positive: -2',
    ],
  },
];

const widget = (group: string, a: unknown, more: Json = {}) =>
  JSON.stringify({apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: 'w'}, spec: {a}, ...more}).replaceAll(
    /"JSON:([^"]*)"/g,
    '$1',
  );
const json = {'content-type': 'application/json'};

for (const {title, schema, value, faults} of cases) {
  storeTest(`${title}`, async (t, {client, path}) => {
    const group = freshGroup();
    await establish(client, withSpec(group, {type: 'object', properties: {a: schema}}));
    const response = await client.post(path('widgets', `${group}/v1`), Buffer.from(widget(group, value)), {headers: json});
    t.is(response.status, 422, response.body.toString());
    t.deepEqual(faultsOf(response).sort(), faults.map((fault) => (fault.startsWith('<nil>') ? fault : `spec.a${fault}`)).sort());
    const {reason, details} = response.json<Status>();
    t.deepEqual([reason, details?.kind, details?.group, details?.name], ['Invalid', 'Widget', group, 'w']);
  });
}

storeTest('every kind of write of a wrong type is answered with 422 and its causes', async (t, {client, path}) => {
  const group = freshGroup();
  const spec = {type: 'object', required: ['s'], properties: {n: {type: 'integer'}, s: {type: 'string', default: 'd'}}};
  await establish(client, withSpec(group, {type: 'object', properties: {a: spec}}));
  const url = path('widgets', `${group}/v1`);
  const good = (await client.post(url, widget(group, {n: 1}), {headers: json})).json<Json & {metadata: Json}>();
  const cause = 'spec.a.n: Invalid value: "string": spec.a.n in body must be of type integer: "string"';
  const bad = {...good, spec: {a: {n: 'x'}}};
  const refused = {
    put: await client.put(`${url}/w`, bad),
    merge: await client.patch(`${url}/w`, {spec: {a: {n: 'x'}}}, 'application/merge-patch+json'),
    json: await client.patch(`${url}/w`, [{op: 'replace', path: '/spec/a/n', value: 'x'}], 'application/json-patch+json'),
    apply: await client.patch(
      `${url}/w?fieldManager=t&force=true`,
      {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: 'w'}, spec: {a: {n: 'x'}}},
      'application/apply-patch+yaml',
    ),
    yaml: await client.post(url, Buffer.from(`apiVersion: ${group}/v1\nkind: Widget\nmetadata: {name: other}\nspec: {a: {"n": x}}\n`), {
      headers: {'content-type': 'application/yaml'},
    }),
  };
  for (const [kind, response] of Object.entries(refused)) t.deepEqual(faultsOf(response), [cause], kind);
});

storeTest('what is no object of the type at all, and metadata that cannot be read, stay a 400', async (t, {client, path}) => {
  const group = freshGroup();
  await establish(client, withSpec(group, {type: 'object', properties: {a: {type: 'integer'}}}));
  const url = path('widgets', `${group}/v1`);
  for (const body of ['[]', '5', '{', widget(group, 'x', {metadata: {name: 'w', labels: 5}}), widget(group, 'x', {metadata: []})])
    t.is((await client.post(url, Buffer.from(body), {headers: json})).status, 400, body);
  t.is((await client.post(`${url}?fieldValidation=Strict`, widget(group, 'x', {odd: 1}), {headers: json})).status, 400);
});

storeTest('an object that has repeated items already may keep them', async (t, {client, path}) => {
  const group = freshGroup();
  const list = (type: string) =>
    version({type: 'object', properties: {l: {type: 'array', items: text, 'x-kubernetes-list-type': type}, m: text}});
  await establish(client, definition(group, [list('atomic')]));
  const url = path('widgets', `${group}/v1`);
  const post = (name: string) => client.post(url, {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name}, spec: {l: ['a', 'a']}});
  t.is((await post('old')).status, 201);
  await change(client, `widgets.${group}`, {spec: {versions: [list('set')]}}, async () => (await post('new')).status === 422);
  t.is((await client.patch(`${url}/old`, {spec: {m: 'x'}})).status, 200);
  t.is((await client.patch(`${url}/old`, {spec: {l: ['a', 'a', 'b']}})).status, 200);
  t.is((await client.patch(`${url}/old`, {spec: {l: ['b']}})).status, 200);
  t.deepEqual(faultsOf(await client.patch(`${url}/old`, {spec: {l: ['b', 'b']}})), ['spec.l[1]: Duplicate value: "b"']);
});

storeTest('a report of many faults has an end, and says so', async (t, {client, path}) => {
  const group = freshGroup();
  await establish(client, withSpec(group, {type: 'object', properties: {a: {type: 'array', items: {type: 'integer'}}}}));
  const faults = faultsOf(await client.post(path('widgets', `${group}/v1`), widget(group, Array(5000).fill('x')), {headers: json}));
  t.is(faults.length, 101);
  t.regex(faults.at(-1)!, /there may be more faults than are listed here/);
});

const resource = {type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true};
const embedded: readonly {readonly title: string; readonly value: unknown; readonly faults: readonly string[]}[] = [
  {
    title: 'without type',
    value: {},
    faults: ['.apiVersion: Required value: must not be empty', '.kind: Required value: must not be empty'],
  },
  {
    title: 'with an empty type',
    value: {apiVersion: '', kind: ''},
    faults: ['.apiVersion: Invalid value: "": must not be empty', '.kind: Invalid value: "": must not be empty'],
  },
  {
    title: 'with a type that cannot be',
    value: {apiVersion: 'a/b/c', kind: 'a b'},
    faults: [
      '.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
      `.kind: Invalid value: "a b": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
    ],
  },
  {title: 'with a type of a wrong type', value: {apiVersion: 5, kind: 'K'}, faults: [typeFault('.apiVersion', 'integer', 'string')]},
  {
    title: 'with bad metadata',
    value: {
      apiVersion: 'v1',
      kind: 'K',
      metadata: {name: 'a/b', namespace: 'A', labels: {k: '-'}, annotations: {'a b': ''}, generation: -1},
    },
    faults: [
      `.metadata.annotations: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
      '.metadata.generation: Invalid value: -1: must be greater than or equal to 0',
      `.metadata.labels: Invalid value: "-": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
      '.metadata.name: Invalid value: "a/b": may not contain \'/\'',
      `.metadata.namespace: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
    ],
  },
  {title: 'without metadata', value: {apiVersion: 'v1', kind: 'K'}, faults: []},
  {
    title: 'with the metadata of an object of its own',
    value: {apiVersion: 'a/v1', kind: 'K', metadata: {generateName: 'x-', namespace: 'n', uid: 'u'}},
    faults: [],
  },
];

for (const {title, value, faults} of embedded) {
  for (const [place, schema, wrap] of [
    ['', resource, (a: unknown) => a],
    ['[0]', {type: 'array', items: resource}, (a: unknown) => [a]],
    ['.m', {type: 'object', additionalProperties: resource}, (a: unknown) => ({m: a})],
  ] as const) {
    storeTest(`an embedded resource ${title}, at spec.a${place}`, async (t, {client, path}) => {
      const group = freshGroup();
      await establish(client, withSpec(group, {type: 'object', properties: {a: schema}}));
      const response = await client.post(path('widgets', `${group}/v1`), widget(group, wrap(value)), {headers: json});
      t.deepEqual(
        faultsOf(response).sort(),
        faults.map((fault) => `spec.a${fault.replaceAll('spec.a.', `spec.a${place}.`).replace(/^\./, `${place}.`)}`).sort(),
      );
      t.is(response.status, faults.length > 0 ? 422 : 201);
    });
  }
}

const root = 'spec.validation.openAPIV3Schema';

storeTest('defaults that their schema refuses keep a definition from being stored', async (t, {client}) => {
  const post = async (schema: Json) =>
    faultsOf(
      await client.post(
        `${definitionsPath}?dryRun=All`,
        definition(freshGroup(), [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: schema}}]),
      ),
    );
  t.deepEqual(await post({type: 'object', properties: {n: {type: 'integer', multipleOf: -2, default: 4}}}), [
    `${root}.properties[n].default: Invalid value: -2: factor MultipleOf declared for  must be positive: -2`,
  ]);
  t.deepEqual((await post({type: 'object', default: {}})).sort(), [
    `${root}.default.apiVersion: Required value: must not be empty`,
    `${root}.default.kind: Required value: must not be empty`,
  ]);
  t.deepEqual(
    await post({type: 'object', default: {apiVersion: 'v1', kind: 'K'}, required: ['spec'], properties: {spec: {type: 'object'}}}),
    [`${root}.default.spec: Required value`],
  );
  t.deepEqual(await post({type: 'object', properties: {n: {type: 'object', properties: {s: text}, default: {s: null}}}}), [
    `${root}.properties[n].default.s: Invalid value: "null": s in body must be of type string: "null"`,
  ]);
  t.deepEqual(
    await post({
      type: 'object',
      properties: {r: {...resource, default: {apiVersion: 'a/b/c', kind: 'K', metadata: {labels: {'a b': ''}}}}},
    }),
    [
      `${root}.properties[r].default.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c`,
      `${root}.properties[r].default.metadata.labels: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
    ],
  );
});
