import {testOnEachStore} from '../helpers/each-store.js';
import {answer, assertFailure} from './answers.js';
import {configMap, gadget, gadgets, namesOf, widget, widgetsVersion, withFixtures, type ReadList, type ReadObject} from './fixtures.js';

const eachStore = testOnEachStore(withFixtures);

eachStore('every failure has the form of a Status; the details name what it is about', async (t, {client, path, namespace}) => {
  const configMaps = path('configmaps');
  const gone = {metadata: {name: 'one', uid: 'other'}};
  await client.post(configMaps, configMap('one'));
  await client.post(path('widgets', widgetsVersion), widget('one'));
  t.deepEqual(assertFailure(t, await client.get(`${configMaps}/none`), 404, 'NotFound').details, {name: 'none', kind: 'configmaps'});
  t.deepEqual(
    assertFailure(
      t,
      await client.get(`${path('widgets', widgetsVersion)}/none`),
      404,
      'NotFound',
      /^widgets\.examples\.example\.com "none" not found$/,
    ).details,
    {
      name: 'none',
      group: 'examples.example.com',
      kind: 'widgets',
    },
  );
  t.deepEqual(assertFailure(t, await client.post(configMaps, configMap('one')), 409, 'AlreadyExists').details, {
    name: 'one',
    kind: 'configmaps',
  });
  t.deepEqual(assertFailure(t, await client.put(`${configMaps}/one`, gone), 409, 'Conflict').details, {name: 'one', kind: 'configmaps'});
  const invalid = assertFailure(
    t,
    await client.post(path('widgets', widgetsVersion), widget('Bad', {size: 'huge', replicas: 1000})),
    422,
    'Invalid',
    /^Widget\.examples\.example\.com "Bad" is invalid: \[/,
  );
  t.is(invalid.details?.kind, 'Widget');
  t.deepEqual(invalid.details?.causes?.map(({reason, field}) => `${reason} ${field}`).sort(), [
    'FieldValueInvalid metadata.name',
    'FieldValueInvalid spec.replicas',
    'FieldValueNotSupported spec.size',
  ]);
  for (const {message} of invalid.details!.causes!) t.truthy(message);
  assertFailure(t, await client.get(`/api/v1/namespaces/${namespace}/unknowns`), 404, 'NotFound', /could not find the requested resource/);
  t.deepEqual(assertFailure(t, await client.post(`${configMaps}/one`, {}), 405, 'MethodNotAllowed').details, {});
  t.is(
    assertFailure(t, await client.get(configMaps, {anonymous: true, headers: {authorization: 'Bearer nobody'}}), 401, 'Unauthorized')
      .message,
    'Unauthorized',
  );
  assertFailure(
    t,
    await client.post('/api/v1/namespaces/nowhere/configmaps', configMap('one')),
    404,
    'NotFound',
    /namespaces "nowhere" not found/,
  );
  const refused = assertFailure(t, await client.delete('/api/v1/namespaces/default'), 403, 'Forbidden', /may not be deleted/);
  t.deepEqual(refused.details, {name: 'default', kind: 'namespaces'});
  assertFailure(t, await client.request('PROPFIND', configMaps), 405, 'MethodNotAllowed');
  assertFailure(t, await client.request('OPTIONS', configMaps), 405, 'MethodNotAllowed');
});

eachStore(
  'a body that is not valid JSON, YAML or an object of the type is 400, and the message tells why [B-ERR-1]',
  async (t, {client, path}) => {
    for (const [body, type, message] of [
      ['', 'application/json', /unexpected end of JSON input \(<empty>\)/],
      ['{', 'application/json', /unexpected end of JSON input/],
      ['{"a":1}}', 'application/json', /invalid character '}' after top-level value/],
      ['{"metadata":{"name":"x"},\n"data":{"a":tru}}', 'application/json', /in literal true \(expecting 'e'\)/],
      ['[]', 'application/json', /json: cannot unmarshal array into Go value of type struct /],
      ['7', 'application/json', /json: cannot unmarshal number into /],
      ['{"a":1e999}', 'application/json', /number/],
      ['\ufeff{}', 'application/json', /./],
      ['a: [', 'application/yaml', /: yaml: /],
      ['a: b: c', 'application/yaml', /: yaml: /],
      ['\t- x', 'application/yaml', /./],
      ['- a\n- b\n', 'application/yaml', /json: cannot unmarshal array into /],
      ['just text', 'application/yaml', /json: cannot unmarshal string into /],
      ['*none', 'application/yaml', /: yaml: /],
      ['a: .inf', 'application/yaml', /number/],
      ['!!python/object:os.system {}', 'application/yaml', /tag/],
      ['{"kind":"Pod"}', 'application/json', /kind/],
      ['{"kind":7}', 'application/json', /cannot unmarshal number into Go struct field \.kind of type string/],
      ['{"apiVersion":[9007199254740993]}', 'application/json', /cannot unmarshal array into Go struct field \.apiVersion of type string/],
      ['{"apiVersion":"v2"}', 'application/json', /no kind "ConfigMap" is registered for version "v2"/],
    ] as const) {
      assertFailure(t, await client.post(path('configmaps'), body, {headers: {'content-type': type}}), 400, 'BadRequest', message);
    }
    t.deepEqual(namesOf(answer<ReadList>(t, await client.get(path('configmaps')), 200)), []);
  },
);

eachStore('kind and apiVersion may be left out, empty or null: the path says them', async (t, {client, path}) => {
  for (const [index, head] of ['', '"kind":"","apiVersion":"",', '"kind":null,"apiVersion":null,'].entries()) {
    const {kind, apiVersion} = answer<ReadObject>(
      t,
      await client.post(path('configmaps'), `{${head}"metadata":{"name":"n-${index}"}}`),
      201,
    );
    t.deepEqual([kind, apiVersion], ['ConfigMap', 'v1']);
  }
});

eachStore(
  'paths that are none are 404: unknown groups and paths outside of groups in plain text, all others as a Status',
  async (t, {client, path}) => {
    for (const target of [
      '/apis/unknown.example.com/v1/things',
      '/apis/unknown.example.com',
      '/apis/unknown.example.com/v1',
      '/nothing',
      '/metricsx',
    ]) {
      const response = await client.get(target);
      t.is(response.status, 404, target);
      t.is(response.body.toString(), '404 page not found\n', target);
      t.is(response.headers['content-type'], 'text/plain; charset=utf-8');
    }
    for (const target of [
      '/apis/examples.example.com/v9/widgets',
      '/api/v2/pods',
      '/api/v2',
      '/api/v1/unknowns',
      '/api/v1/unknowns/x',
      `${path('configmaps')}/a/b/c`,
      `/apis/${widgetsVersion}/unknown`,
      '/api//v1',
      '/apis/',
    ]) {
      if (target !== '/apis/') assertFailure(t, await client.get(target), 404, 'NotFound');
    }
    for (const method of ['POST', 'PUT', 'DELETE']) assertFailure(t, await client.request(method, '/apis'), 405, 'MethodNotAllowed');
  },
);

eachStore('names of built-in prototypes are names like any others', async (t, {client, path}) => {
  const configMaps = path('configmaps');
  const words = ['constructor', 'prototype', 'hasownproperty', 'tostring'];
  for (const name of words) {
    assertFailure(t, await client.get(`${configMaps}/${name}`), 404, 'NotFound');
    assertFailure(t, await client.get(`/api/v1/namespaces/default/${name}`), 404, 'NotFound');
    assertFailure(t, await client.get(`${configMaps}/x/${name}`), 404, 'NotFound');
    t.is((await client.get(`/apis/${name}/v1/x`)).status, 404);
    answer(t, await client.post(configMaps, configMap(name, {[name]: 'x', valueOf: 'y'}, {labels: {[name]: 'x'}})), 201);
  }
  t.deepEqual(namesOf(answer<ReadList>(t, await client.get(`${configMaps}?labelSelector=constructor`), 200)), ['constructor']);
  assertFailure(t, await client.get(`${configMaps}?fieldSelector=constructor%3Dx`), 400, 'BadRequest');
  assertFailure(t, await client.get(`${configMaps}?fieldSelector=__proto__%3Dx`), 400, 'BadRequest');
  const text = `{"metadata":{"name":"proto","annotations":{"constructor":"c"}},"data":{"__proto__":"p"},"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}`;
  const response = await client.post(configMaps, text);
  t.true(response.body.includes('"__proto__":"p"'), response.body.toString());
  t.false(response.body.includes('polluted'));
  const item = `${configMaps}/proto`;
  t.true((await client.patch(item, '{"data":{"__proto__":"q"},"__proto__":{"polluted":1}}')).body.includes('"__proto__":"q"'));
  t.true(
    (await client.patch(item, '[{"op":"add","path":"/data/__proto__","value":"r"}]', 'application/json-patch+json')).body.includes(
      '"__proto__":"r"',
    ),
  );
  assertFailure(
    t,
    await client.patch(item, '[{"op":"add","path":"/__proto__/polluted","value":"r"}]', 'application/json-patch+json'),
    422,
    'Invalid',
  );
  t.true(
    (await client.patch(item, '{"data":{"__proto__":"s"}}', 'application/strategic-merge-patch+json')).body.includes('"__proto__":"s"'),
  );
  t.true(
    (
      await client.request('PUT', item, {
        body: 'metadata: {name: proto}\ndata:\n  __proto__: t\n  constructor: u\n',
        headers: {'content-type': 'application/yaml'},
      })
    ).body.includes('"__proto__":"t"'),
  );
  const body = gadget({
    free: JSON.parse('{"__proto__":{"x":1},"constructor":{"y":2}}') as object,
    numbers: JSON.parse('{"__proto__":3}') as object,
  });
  const made = await client.post(gadgets, JSON.stringify(body));
  t.true(
    made.body.includes('"free":{"__proto__":{"x":1},"constructor":{"y":2}}') && made.body.includes('"numbers":{"__proto__":3}'),
    made.body.toString(),
  );
  t.is(({} as Record<string, unknown>)['polluted'], undefined);
  const plain = answer<ReadObject>(t, await client.post(configMaps, configMap('plain')), 201);
  t.deepEqual(Object.keys(plain).sort(), ['apiVersion', 'kind', 'metadata']);
});

eachStore('a field manager is a text of at most 128 bytes that can be printed', async (t, {client, path}) => {
  answer(t, await client.post(`${path('configmaps')}?fieldManager=${encodeURIComponent('me & you')}`, configMap('one')), 201);
  for (const bad of ['x'.repeat(129), 'ü'.repeat(65), 'a\nb', 'a\0b']) {
    const query = `?fieldManager=${encodeURIComponent(bad)}`;
    assertFailure(t, await client.post(path('configmaps') + query, configMap('two')), 422, 'Invalid', /fieldManager/);
    assertFailure(t, await client.put(`${path('configmaps')}/one${query}`, configMap('one')), 422, 'Invalid', /fieldManager/);
  }
});
