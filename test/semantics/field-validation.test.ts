import type {ExecutionContext} from 'ava';
import type {TestClient, TestResponse} from '@orch-api/orch/testing';
import {testOnEachStore} from '../helpers/each-store.js';
import {answer, assertFailure, warningsOf} from './answers.js';
import {configMap, gadgets, uniqueName, widgetsVersion, withFixtures, type ReadObject} from './fixtures.js';

const eachStore = testOnEachStore(withFixtures);
const yaml = 'application/yaml';

/** A Gadget with unknown and duplicate fields in all kinds of places, as JSON text and as YAML. */
function faulty(name: string): {json: string; yaml: string; warnings: Record<'json' | 'yaml', string[]>} {
  const unknown = [
    'unknown field "extra"',
    'unknown field "metadata.colour"',
    'unknown field "spec.nothing"',
    'unknown field "spec.parts[1].nmae"',
  ];
  return {
    json: `{"apiVersion":"semantics.example.com/v1","kind":"Gadget","extra":1,
      "metadata":{"name":"${name}","colour":"red","labels":{"a":"x","a":"y"}},
      "spec":{"text":"first","text":"last","nothing":{"deep":[1]},"parts":[{"name":"p0"},{"name":"p1","nmae":"x","count":1,"count":2}],"free":{"any":{"thing":1}}}}`,
    yaml: `apiVersion: semantics.example.com/v1\nkind: Gadget\nextra: 1\nmetadata:\n  name: ${name}\n  colour: red\n  labels:\n    a: x\n    a: "y"\nspec:\n  text: first\n  text: last\n  nothing: {deep: [1]}\n  parts:\n  - name: p0\n  - name: p1\n    nmae: x\n    count: 1\n    count: 2\n  free: {any: {thing: 1}}\n`,
    warnings: {
      json: ['duplicate field "metadata.labels.a"', 'duplicate field "spec.text"', 'duplicate field "spec.parts[1].count"', ...unknown],
      yaml: [
        'line 9: key "a" already set in map',
        'line 12: key "text" already set in map',
        'line 19: key "count" already set in map',
        ...unknown,
      ],
    },
  };
}

/** The object without what was unknown, and of each duplicate the last value. */
function assertCleaned(t: ExecutionContext, object: ReadObject & {extra?: unknown}): void {
  t.deepEqual(object.spec, {
    text: 'last',
    mode: 'auto',
    parts: [
      {name: 'p0', count: 1},
      {name: 'p1', count: 2},
    ],
    free: {any: {thing: 1}},
  });
  t.deepEqual(object.metadata.labels, {a: 'y'});
  t.false(Object.hasOwn(object, 'extra'));
  t.false(Object.hasOwn(object.metadata, 'colour'));
}

const send = (client: TestClient, method: string, path: string, body: string, type: string) =>
  client.request(method, path, {body, headers: {'content-type': type}});

for (const [format, type] of [
  ['json', 'application/json'],
  ['yaml', yaml],
] as const) {
  eachStore(
    `create and update in ${format}: unknown and duplicate fields are dropped, and reported one by one unless Ignore says not to ` +
      '[A-QP-6] [A-QP-7] [A-FV-3] [A-FV-4] [A-FV-5] [A-FV-6] [A-FV-7] [A-FV-8] [A-FV-13]',
    async (t, {client}) => {
      for (const [query, reported] of [
        ['', true],
        ['?fieldValidation=Warn', true],
        ['?fieldValidation=', true],
        ['?fieldValidation=Ignore', false],
      ] as const) {
        const name = uniqueName('faulty');
        const body = faulty(name);
        for (const [method, path, code] of [
          ['POST', gadgets, 201],
          ['PUT', `${gadgets}/${name}`, 200],
        ] as const) {
          const response = await send(client, method, path + query, body[format], type);
          assertCleaned(t, answer<ReadObject>(t, response, code));
          t.deepEqual(warningsOf(response).sort(), reported ? [...body.warnings[format]].sort() : [], `${method} ${query}`);
        }
        assertCleaned(t, answer<ReadObject>(t, await client.get(`${gadgets}/${name}`), 200));
      }
    },
  );

  eachStore(
    `create and update in ${format}: Strict refuses with 400, names every fault and stores nothing [A-FV-9] [A-FV-10] [A-FV-11] [A-FV-13]`,
    async (t, {client}) => {
      const name = uniqueName('strict');
      const body = faulty(name);
      const check = (response: TestResponse) => {
        const {message} = assertFailure(
          t,
          response,
          400,
          'BadRequest',
          /^Gadget in version "v1" cannot be handled as a Gadget: strict decoding error: /,
        );
        for (const fault of body.warnings[format]) t.true(message.includes(fault), `${fault}: ${message}`);
        t.deepEqual(warningsOf(response), []);
      };
      check(await send(client, 'POST', `${gadgets}?fieldValidation=Strict`, body[format], type));
      t.is((await client.get(`${gadgets}/${name}`)).status, 404);
      const made = answer<ReadObject>(t, await client.post(gadgets, {metadata: {name}, spec: {text: 'kept'}}), 201);
      check(await send(client, 'PUT', `${gadgets}/${name}?fieldValidation=Strict`, body[format], type));
      t.deepEqual(answer<ReadObject>(t, await client.get(`${gadgets}/${name}`), 200), made);
      const good =
        format === 'json' ? `{"metadata":{"name":"${name}"},"spec":{"text":"b"}}` : `metadata: {name: ${name}}\nspec: {text: b}\n`;
      answer(t, await send(client, 'PUT', `${gadgets}/${name}?fieldValidation=Strict`, good, type), 200);
    },
  );
}

eachStore('the words and the order of what is unknown and repeated are those of Kubernetes', async (t, {client, path}) => {
  const strict = async (collection: string, body: string, type: string) => {
    const response = await send(client, 'POST', `${collection}?fieldValidation=Strict`, body, type);
    const {message} = assertFailure(t, response, 400, 'BadRequest');
    return message.replace(/^.*strict decoding error: /s, '');
  };
  const maps = path('configmaps');
  // Of types of the platform what is unknown comes first, and is only that.
  const map = '{"metadata":{"name":"m","odd":1},"data":{"a":"1","a":"2"},"bogus":{"x":1,"x":2},"bogus":3}';
  t.is(await strict(maps, map, 'application/json'), 'unknown field "metadata.odd", unknown field "bogus", duplicate field "data.a"');
  // Of YAML, the line on which the value begins that is one too many; what is inside of it comes before.
  const yamlText = [
    'metadata:',
    '  name: m',
    'data:',
    '  a: one',
    '  a: two',
    '  a: |',
    '    three',
    '  "b.c":',
    '    four',
    '  "b.c":',
    '    five',
    '  7: x',
    '  7: z',
    'metadata:',
    '  name: m',
    '  name: other',
    'bogus: 1',
  ].join('\n');
  const lines = [
    'line 5: key "a" already set in map',
    'line 6: key "a" already set in map',
    'line 11: key "b.c" already set in map',
    'line 13: key 7 already set in map',
    'line 16: key "name" already set in map',
    'line 15: key "metadata" already set in map',
  ];
  t.is(await strict(maps, yamlText, yaml), `yaml: unmarshal errors:\n  ${lines.join('\n  ')}, unknown field "bogus"`);
  const warned = await send(client, 'POST', maps, yamlText, yaml);
  answer(t, warned, 201);
  t.deepEqual(warningsOf(warned), [...lines, 'unknown field "bogus"']);
  // JSON is read as YAML where it is announced as such.
  t.is(
    await strict(maps, '{"metadata":{"name":"j"},\n"data":{"a":"1",\n"a":"2"}}', yaml),
    'yaml: unmarshal errors:\n  line 3: key "a" already set in map',
  );
});

const patches: {title: string; type: string; body: string; warnings: string[]}[] = [
  {
    title: 'a merge patch',
    type: 'application/merge-patch+json',
    body: '{"bogus":1,"data":{"a":"1","a":"2"},"metadata":{"nope":true}}',
    warnings: ['duplicate field "data.a"', 'unknown field "bogus"', 'unknown field "metadata.nope"'],
  },
  {
    title: 'a strategic merge patch',
    type: 'application/strategic-merge-patch+json',
    body: '{"bogus":1,"data":{"a":"1","a":"2"},"metadata":{"nope":true}}',
    warnings: ['duplicate field "data.a"', 'unknown field "bogus"', 'unknown field "metadata.nope"'],
  },
  {
    title: 'a JSON patch',
    type: 'application/json-patch+json',
    body: '[{"op":"add","path":"/bogus","value":1},{"op":"add","path":"/data/a","value":"1","value":"2"},{"op":"add","path":"/metadata/nope","value":true}]',
    warnings: ['json patch duplicate field "[1].value"', 'unknown field "bogus"', 'unknown field "metadata.nope"'],
  },
];

for (const {title, type, body, warnings} of patches) {
  eachStore(
    `${title} is validated like a whole object [A-FV-13] [A-FV-3] [A-FV-4] [A-FV-9] [A-FV-10] [A-FV-11]`,
    async (t, {client, path}) => {
      const item = `${path('configmaps')}/one`;
      const made = answer<ReadObject>(t, await client.post(path('configmaps'), configMap('one', {a: '0'})), 201);
      const refused = assertFailure(
        t,
        await send(client, 'PATCH', `${item}?fieldValidation=Strict`, body, type),
        422,
        'Invalid',
        /patch: Invalid value: .*strict decoding error/,
      );
      for (const fault of warnings) t.true(refused.message.includes(fault), `${fault}: ${refused.message}`);
      t.deepEqual(answer<ReadObject>(t, await client.get(item), 200), made);
      for (const [query, expected] of [
        ['', warnings],
        ['?fieldValidation=Warn', warnings],
        ['?fieldValidation=Ignore', []],
      ] as const) {
        const response = await send(client, 'PATCH', item + query, body, type);
        const patched = answer<ReadObject>(t, response, 200);
        t.deepEqual(patched.data, {a: '2'});
        t.false(Object.hasOwn(patched, 'bogus') || Object.hasOwn(patched.metadata, 'nope'));
        t.deepEqual(warningsOf(response).sort(), [...expected].sort(), query);
      }
    },
  );
}

eachStore('a value of fieldValidation that is none is refused, on create, update and patch [A-QP-6]', async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  await client.post(path('configmaps'), configMap('one'));
  for (const value of ['strict', 'None', 'Warn,Strict']) {
    for (const [method, target, body, type] of [
      ['POST', path('configmaps'), JSON.stringify(configMap('two')), 'application/json'],
      ['PUT', item, JSON.stringify(configMap('one', {a: '1'})), 'application/json'],
      ['PATCH', item, '{"data":{"a":"1"}}', 'application/merge-patch+json'],
    ] as const) {
      const status = assertFailure(
        t,
        await send(client, method, `${target}?fieldValidation=${value}`, body, type),
        422,
        'Invalid',
        /fieldValidation/,
      );
      t.is(status.details?.causes?.[0]?.field, 'fieldValidation');
    }
  }
  t.is(answer<ReadObject>(t, await client.get(item), 200).data, undefined);
});

eachStore(
  'a value of a wrong type is refused at every level, also beside unknown fields [A-FV-1] [A-FV-12] [B-ERR-1]',
  async (t, {client, path}) => {
    const configMaps = path('configmaps');
    const widgets = path('widgets', widgetsVersion);
    const cases: [string, string, RegExp][] = [
      [
        configMaps,
        '{"metadata":{"name":"bad"},"data":{"a":1}}',
        /cannot unmarshal number into Go struct field ConfigMap\.data of type string$/,
      ],
      [configMaps, '{"metadata":{"name":"bad"},"data":[]}', /data/],
      [configMaps, '{"metadata":{"name":"bad"},"immutable":"yes"}', /immutable/],
      [configMaps, '{"metadata":{"name":["bad"]}}', /metadata\.name/],
      [configMaps, '{"metadata":{"name":"bad","finalizers":"x"}}', /metadata\.finalizers/],
      [configMaps, '{"metadata":"bad"}', /metadata/],
      [widgets, '{"metadata":{"name":"bad"},"spec":{"size":7}}', /spec\.size/],
      [widgets, '{"metadata":{"name":"bad"},"spec":{"size":"small","replicas":"1"}}', /spec\.replicas/],
      [widgets, '{"metadata":{"name":"bad"},"spec":{"size":"small","replicas":1.5}}', /spec\.replicas/],
      [widgets, '{"metadata":{"name":"bad"},"spec":[]}', /spec/],
      [gadgets, '{"metadata":{"name":"bad"},"spec":{"text":"a","words":["a",1]}}', /spec\.words\[1\]/],
      [gadgets, '{"metadata":{"name":"bad"},"spec":{"text":"a","numbers":{"n":"1"}}}', /spec\.numbers\.n/],
    ];
    for (const [collection, body, field] of cases) {
      const unknown = body.replace(/\}$/, ',"unknown":1}');
      for (const level of ['', '?fieldValidation=Ignore', '?fieldValidation=Warn', '?fieldValidation=Strict']) {
        for (const text of [body, unknown]) {
          const response = await client.post(collection + level, text);
          // A value that a structural schema refuses is one of the faults of the object, but for strictness, which comes first.
          const isUnread = collection === configMaps || text.includes('"metadata":"bad"');
          if (!isUnread && level.endsWith('Strict') && text === unknown) {
            assertFailure(t, response, 400, 'BadRequest', /unknown field "unknown"/);
            continue;
          }
          if (isUnread) {
            assertFailure(t, response, 400, 'BadRequest', field);
            continue;
          }
          const status = assertFailure(t, response, 422, 'Invalid', field);
          t.true(
            status.details?.causes?.some((cause) => field.test(cause.field ?? '')),
            text,
          );
        }
      }
      t.is((await client.get(`${collection}/bad`)).status, 404);
    }
  },
);

eachStore(
  'of values of a wrong type the first is told in built-in parts, and all at once in those of a definition',
  async (t, {client}) => {
    const metadata = {name: uniqueName('wrong')};
    const spec = {text: 5, flag: 'yes', words: {}, parts: [{name: 'a', count: '1'}]};
    const unread = await client.post(gadgets, {metadata: {...metadata, labels: {a: 1, b: []}}, spec});
    t.regex(
      assertFailure(t, unread, 400, 'BadRequest').message,
      /: json: cannot unmarshal number into Go struct field ObjectMeta\.metadata\.labels of type string$/,
    );
    const status = assertFailure(t, await client.post(gadgets, {metadata, spec}), 422, 'Invalid');
    t.deepEqual(status.details?.causes?.map(({field}) => field).sort(), ['spec.flag', 'spec.parts[0].count', 'spec.text', 'spec.words']);
  },
);

eachStore('a required field that is missing is an error, all of them at once [A-FV-2]', async (t, {client, path}) => {
  const status = assertFailure(
    t,
    await client.post(path('widgets', widgetsVersion), {metadata: {name: 'bad'}, spec: {}}),
    422,
    'Invalid',
    /spec\.size: Required value/,
  );
  t.deepEqual(
    status.details?.causes?.map(({reason, field}) => [reason, field]),
    [['FieldValueRequired', 'spec.size']],
  );
  t.is(status.details?.kind, 'Widget');
  const many = assertFailure(
    t,
    await client.post(gadgets, {metadata: {name: uniqueName('bad')}, spec: {parts: [{}, {count: 1}]}}),
    422,
    'Invalid',
  );
  t.deepEqual(many.details?.causes?.map(({field}) => field).sort(), ['spec.parts[0].name', 'spec.parts[1].name', 'spec.text']);
  assertFailure(t, await client.post(path('widgets', widgetsVersion), {metadata: {name: 'bad'}}), 422, 'Invalid', /spec: Required value/);
});

eachStore('warnings of a request stand side by side, one header each, while it succeeds [B-ERR-7] [B-DEPR-7]', async (t, {client}) => {
  const name = uniqueName('warned');
  const body = `{"metadata":{"name":"${name}"},"spec":{"text":"a","text":"b","other":1}}`;
  const response = await client.post(gadgets.replace('/v1/', '/v1beta1/'), body);
  answer(t, response, 201);
  const deprecation = 'semantics.example.com/v1beta1 Gadget is deprecated; use semantics.example.com/v1 Gadget';
  t.deepEqual(warningsOf(response).sort(), ['duplicate field "spec.text"', deprecation, 'unknown field "spec.other"'].sort());
  t.regex(String(response.headers['warning']), /^299 - "/);
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const again = await client.request(
      method,
      `${gadgets.replace('/v1/', '/v1beta1/')}/${name}?dryRun=All`,
      method === 'PATCH' ? {body: '{}', headers: {'content-type': 'application/merge-patch+json'}} : {},
    );
    t.deepEqual(warningsOf(again), [deprecation]);
  }
  t.is((await client.get(`${gadgets}/${name}`)).headers['warning'], undefined);
});

eachStore('a warning is whole, and only where all together have more than 4096 characters each is cut at 256', async (t, {client}) => {
  const long = 'ü'.repeat(500);
  const one = await client.post(gadgets, {metadata: {name: uniqueName('long')}, spec: {[long]: 1, text: 'a'}});
  t.true(warningsOf(one)[0]!.startsWith(`unknown field "spec.${long}`));
  const spec = Object.fromEntries(Array.from({length: 60}, (_, index) => [`${index}-${'ü'.repeat(300)}`, 1]));
  const response = await client.post(gadgets, {metadata: {name: uniqueName('loud')}, spec: {...spec, text: 'a'}});
  answer(t, response, 201);
  const warnings = warningsOf(response);
  t.is(warnings.length, 16);
  t.true(warnings.every((text) => text.length === 256 && text.startsWith('unknown field "spec.')));
});

eachStore('with the feature ServerSideFieldValidation off the levels have no effect [A-FV-14]', async (t, {start}) => {
  // Later releases have the gate no more.
  const {client} = await start({release: '1.26', featureGates: {ServerSideFieldValidation: false}});
  for (const level of ['Ignore', 'Warn', 'Strict']) {
    const name = uniqueName('off');
    const response = await client.post(`${gadgets}?fieldValidation=${level}`, faulty(name).json);
    assertCleaned(t, answer<ReadObject>(t, response, 201));
    t.deepEqual(warningsOf(response), []);
  }
});
