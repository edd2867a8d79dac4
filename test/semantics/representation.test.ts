import {gunzipSync} from 'node:zlib';
import {load} from 'js-yaml';
import {testOnEachStore} from '../helpers/each-store.js';
import {answer, assertFailure, type Failure} from './answers.js';
import {
  configMap,
  gadget,
  gadgets,
  reservationsVersion,
  uniqueName,
  widget,
  widgetsVersion,
  withFixtures,
  type ReadList,
  type ReadObject,
} from './fixtures.js';

const eachStore = testOnEachStore(withFixtures);
const binary = 'application/vnd.orch.protobuf';
const accepting = (accept: string) => ({headers: {accept}});

eachStore(
  'without an Accept header, and with one for JSON or anything, the answer is JSON [A-NEG-1] [A-NEG-10] [A-NEG-12]',
  async (t, {client, path}) => {
    await client.post(path('configmaps'), configMap('one'));
    const groups = answer<{groups: {versions: {groupVersion: string}[]}[]}>(t, await client.get('/apis'), 200).groups;
    const collections: string[] = [];
    for (const root of ['/api/v1', ...groups.flatMap(({versions}) => versions.map(({groupVersion}) => `/apis/${groupVersion}`))]) {
      const {resources} = answer<{resources: {name: string; verbs: string[]}[]}>(t, await client.get(root), 200);
      collections.push(...resources.filter(({verbs}) => verbs.includes('list')).map(({name}) => `${root}/${name}?limit=1`));
    }
    for (const target of [`${path('configmaps')}/one`, path('configmaps'), ...collections]) {
      for (const options of [
        {},
        accepting('application/json'),
        accepting('*/*'),
        accepting('application/json;charset=utf-8'),
        accepting('text/html, */*;q=0.1'),
      ]) {
        const response = await client.get(target, options);
        t.is(response.status, 200, target);
        t.is(response.headers['content-type'], 'application/json');
        t.truthy(response.json<ReadObject>().kind);
      }
    }
  },
);

eachStore('the most wanted form that there is is given: quality first, then order [A-NEG-14]', async (t, {client, path}) => {
  const built = `${path('configmaps')}/one`;
  const structural = `${path('widgets', widgetsVersion)}/one`;
  await client.post(path('configmaps'), configMap('one'));
  await client.post(path('widgets', widgetsVersion), widget('one'));
  const table = 'application/json;as=Table;g=meta.orch;v=v1';
  for (const [target, accept, expected] of [
    [built, `${binary},application/json`, binary],
    [structural, `${binary},application/json`, 'application/json'],
    [built, `application/json;q=0.8, ${binary};q=0.9`, binary],
    [built, `application/json, ${binary}`, 'application/json'],
    [built, `text/html, application/xml;q=0.9, application/yaml;q=0.5, */*;q=0.1`, 'application/yaml'],
    [built, `application/json;q=0.1, application/yaml`, 'application/yaml'],
    [built, `${table},application/json`, 'application/json'],
    [built, `application/json;as=Table;g=meta.k8s.io;v=v1, ${table};q=0.9, application/json;q=0.5`, 'application/json'],
    [built, `application/json;as=Nonsense;g=meta.orch;v=v1,application/json`, 'application/json'],
    [built, 'APPLICATION/JSON', 'application/json'],
    [built, '*/*;q=0.1, application/json;q=0', 'application/json'],
    [built, 'application/json;q=0', 'application/json'],
  ] as const) {
    const response = await client.get(target, accepting(accept));
    t.is(response.status, 200, `${accept}: ${response.body.toString()}`);
    t.is(response.headers['content-type'], expected, accept);
  }
});

eachStore(
  'when nothing that the client accepts can be given the answer is 406, which names what can [A-NEG-11] [A-NEG-13]',
  async (t, {client, path}) => {
    await client.post(path('configmaps'), configMap('one'));
    await client.post(path('widgets', widgetsVersion), widget('one'));
    const built = path('configmaps');
    const structural = path('widgets', widgetsVersion);
    for (const [target, accept] of [
      [built, 'text/html'],
      [`${built}/one`, 'text/*'],
      [built, 'application/json;as=Table;g=meta.k8s.io;v=v1'],
      [built, 'application/json;as=Table;g=meta.orch;v=v2'],
      [`${built}/one`, 'application/yaml;stream=watch'],
      [`${built}/one`, 'application/json;as=PartialObjectMetadataList;g=meta.orch;v=v1'],
      [structural, binary],
      [`${structural}/one`, binary],
    ] as const) {
      const response = await client.get(target, accepting(accept));
      t.is(response.status, 406, accept);
      if (accept !== binary) assertFailure(t, response, 406, 'NotAcceptable', /application\/json/);
    }
    // Nothing is written for an answer that cannot be given.
    t.is((await client.post(structural, widget('two'), accepting(binary))).status, 406);
    t.is((await client.get(`${structural}/two`)).status, 404);
    t.is((await client.delete(`${structural}/one`, accepting(binary))).status, 406);
    t.is((await client.get(`${structural}/one`)).status, 200);
  },
);

eachStore('a body of another media type is answered with 415 and what is taken [A-NEG-6]', async (t, {client, path}) => {
  const send = (method: string, target: string, type: string | undefined, body: string) =>
    client.request(method, target, {body, ...(type === undefined ? {headers: {'content-type': ''}} : {headers: {'content-type': type}})});
  const body = JSON.stringify(configMap('one'));
  for (const type of [
    'text/plain',
    'application/xml',
    'application/json-patch+json',
    'application/json; charset=utf-16',
    'nonsense',
    'application/cbor',
  ]) {
    assertFailure(t, await send('POST', path('configmaps'), type, body), 415, 'UnsupportedMediaType', /application\/json/);
  }
  t.is((await send('POST', path('configmaps'), undefined, body)).status, 201);
  for (const type of ['application/json', 'application/yaml', 'text/plain', 'application/vnd.orch.protobuf', undefined]) {
    assertFailure(
      t,
      await send('PATCH', `${path('configmaps')}/one`, type, '{}'),
      415,
      'UnsupportedMediaType',
      /^415: Unsupported Media Type$/,
    );
  }
  await client.post(path('widgets', widgetsVersion), widget('one'));
  assertFailure(t, await send('POST', path('widgets', widgetsVersion), binary, 'k8s\0'), 415, 'UnsupportedMediaType');
  assertFailure(
    t,
    await send('PATCH', `${path('widgets', widgetsVersion)}/one`, 'application/strategic-merge-patch+json', '{}'),
    415,
    'UnsupportedMediaType',
  );
  assertFailure(t, await send('DELETE', `${path('configmaps')}/one`, 'text/plain', '{}'), 415, 'UnsupportedMediaType');
  assertFailure(t, await send('POST', path('configmaps'), 'application/json', 'k8s\0\n'), 400, 'BadRequest');
  assertFailure(t, await send('POST', path('configmaps'), binary, body), 400, 'BadRequest');
});

eachStore('YAML is taken and given', async (t, {client, path}) => {
  const yaml = (body: string, name = '') =>
    client.request(name ? 'PUT' : 'POST', `${path('configmaps')}${name}`, {body, headers: {'content-type': 'application/yaml'}});
  const made = answer<ReadObject>(
    t,
    await yaml('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\ndata:\n  yes: "no"\n  text: |\n    two\n    lines\n'),
    201,
  );
  t.deepEqual(made.data, {true: 'no', text: 'two\nlines\n'});
  const read = await client.get(`${path('configmaps')}/one`, accepting('application/yaml'));
  t.is(read.headers['content-type'], 'application/yaml');
  t.deepEqual(load(read.body.toString()), made);
  const list = await client.get(path('configmaps'), accepting('application/yaml'));
  t.is((load(list.body.toString()) as ReadList).kind, 'ConfigMapList');
  t.is(answer<ReadObject>(t, await yaml('metadata: {name: one}\ndata: {a: b}', '/one'), 200).data?.['a'], 'b');
  assertFailure(t, await yaml('metadata: {name: two'), 400, 'BadRequest', /: yaml: /);
  assertFailure(t, await yaml('a: 1\n---\nb: 2\n'), 400, 'BadRequest', /: yaml: /);
});

eachStore('metadata alone can be had of objects and lists, in both versions', async (t, {client, path}) => {
  const collection = path('widgets', widgetsVersion);
  const made = answer<ReadObject>(t, await client.post(collection, widget('one')), 201);
  for (const version of ['v1', 'v1beta1']) {
    const form = (as: string) => accepting(`application/json;as=${as};g=meta.orch;v=${version}`);
    const apiVersion = `meta.orch/${version}`;
    const one = await client.get(`${collection}/one`, form('PartialObjectMetadata'));
    t.is(one.headers['content-type'], 'application/json');
    t.deepEqual(answer(t, one, 200), {kind: 'PartialObjectMetadata', apiVersion, metadata: made.metadata});
    const list = answer<ReadList>(t, await client.get(`${collection}?limit=1`, form('PartialObjectMetadataList')), 200);
    t.deepEqual([list.kind, list.apiVersion], ['PartialObjectMetadataList', apiVersion]);
    t.deepEqual(
      list.items.map(({kind, metadata}) => [kind, metadata]),
      [['PartialObjectMetadata', made.metadata]],
    );
    t.regex(list.metadata.resourceVersion, /^\d+$/);
  }
});

eachStore('pretty=true indents the JSON of every operation [A-QP-1]', async (t, {client, path}) => {
  const collection = path('configmaps');
  const requests: [string, string, unknown?, string?][] = [
    ['POST', collection, configMap('one', {a: '1'})],
    ['GET', `${collection}/one`],
    ['GET', collection],
    ['PUT', `${collection}/one`, configMap('one', {a: '2'})],
    ['PATCH', `${collection}/one`, {data: {a: '3'}}, 'application/merge-patch+json'],
    ['GET', `${collection}/none`],
    ['DELETE', `${collection}/one`],
    ['DELETE', collection],
    ['GET', '/apis'],
    ['GET', '/api/v1'],
    ['GET', '/version'],
    ['GET', '/'],
  ];
  for (const [method, target, body, type] of requests) {
    for (const [value, indented] of [
      ['true', true],
      ['1', true],
      ['false', false],
    ] as const) {
      if (method !== 'GET' && value !== 'true') continue;
      const response = await client.request(method, `${target}?pretty=${value}`, {
        body,
        ...(type ? {headers: {'content-type': type}} : {}),
      });
      const text = response.body.toString();
      t.is(text.trimEnd(), JSON.stringify(JSON.parse(text), null, indented ? 2 : 0), `${method} ${target} ${value}`);
    }
  }
  const browser = await client.get('/api/v1', {headers: {'user-agent': 'curl/8.0'}});
  t.true(browser.body.includes('\n  '));
});

eachStore('a status subresource answers with the object, in its own kind', async (t, {client, path}) => {
  const collection = path('reservations', reservationsVersion);
  const made = answer<ReadObject>(
    t,
    await client.post(collection, {metadata: {name: 'one'}, spec: {room: 'a', from: '2026-01-01T10:00:00Z'}}),
    201,
  );
  t.deepEqual(answer<ReadObject>(t, await client.get(`${collection}/one/status`), 200), made);
});

eachStore('large answers are compressed for clients that take it, and are the same then', async (t, {client, path}) => {
  const collection = path('configmaps');
  for (const name of ['a', 'b']) answer(t, await client.post(collection, configMap(name, {text: 'word '.repeat(20_000)})), 201);
  const plain = await client.get(collection);
  t.is(plain.headers['content-encoding'], undefined);
  for (const accept of ['gzip', 'deflate, gzip;q=0.5', 'GZIP']) {
    const packed = await client.get(collection, {headers: {'accept-encoding': accept}});
    t.is(packed.headers['content-encoding'], 'gzip', accept);
    t.true(packed.body.length < plain.body.length / 10);
    t.deepEqual((JSON.parse(gunzipSync(packed.body).toString()) as ReadList).items, plain.json<ReadList>().items);
  }
  t.is((await client.get(collection, {headers: {'accept-encoding': 'gzip;q=0'}})).headers['content-encoding'], undefined);
  t.is(
    (await client.get(`${collection}?limit=0&labelSelector=a`, {headers: {'accept-encoding': 'gzip'}})).headers['content-encoding'],
    undefined,
  );
});

eachStore('the same object is served in each version of its type', async (t, {client}) => {
  const name = uniqueName('versions');
  const made = answer<ReadObject>(t, await client.post(gadgets, gadget({}, {name})), 201);
  const other = gadgets.replace('/v1/', '/v1beta1/');
  t.deepEqual(answer<ReadObject>(t, await client.get(`${other}/${name}`), 200), {...made, apiVersion: 'semantics.example.com/v1beta1'});
  const changed = answer<ReadObject>(t, await client.patch(`${other}/${name}`, {spec: {small: 7}}), 200);
  t.deepEqual(answer<ReadObject>(t, await client.get(`${gadgets}/${name}`), 200), {...changed, apiVersion: made.apiVersion});
  const refused: Failure = assertFailure(
    t,
    await client.put(`${other}/${name}`, made),
    400,
    'BadRequest',
    /no kind "Gadget" is registered for version/,
  );
  t.is(refused.code, 400);
});
