import {testOnEachStore} from '../helpers/each-store.js';
import {answer, assertFailure} from './answers.js';
import {configMap, gadgets, namesOf, widget, widgetsVersion, withFixtures, type ReadList} from './fixtures.js';

const eachStore = testOnEachStore(withFixtures);
const tableV1 = 'as=Table;g=meta.orch;v=v1';
const accepting = (accept: string) => ({headers: {accept}});

eachStore('a selector may name every field that 1.26 knows, and a term of nothing says nothing', async (t, {client, path}) => {
  const pods = path('pods');
  const made = await client.post(pods, {metadata: {name: 'one'}, spec: {containers: [{name: 'a', image: 'i'}]}});
  t.is(made.status, 201, made.body.toString());
  await client.post('/apis/rbac.authorization.orch/v1/clusterroles', {metadata: {name: 'dif-23'}});
  const selected = async (target: string, selector: string) =>
    namesOf(answer<ReadList>(t, await client.get(`${target}?fieldSelector=${encodeURIComponent(selector)}`), 200));
  t.deepEqual(await selected(pods, 'status.podIPs=x'), []);
  t.deepEqual(await selected(pods, 'status.podIPs!=x'), ['one']);
  for (const nothing of ['=', '==', '!=', '=,metadata.name=one', ',=,']) t.deepEqual(await selected(pods, nothing), ['one'], nothing);
  const roles = '/apis/rbac.authorization.orch/v1/clusterroles';
  t.deepEqual(await selected(roles, 'metadata.name=dif-23,metadata.namespace='), ['dif-23']);
  t.deepEqual(await selected(roles, 'metadata.namespace=x'), []);
  // Types that name fields of their own, and custom resources, know no namespace where they have none.
  for (const [target, selector] of [
    ['/api/v1/nodes', 'metadata.namespace=x'],
    ['/api/v1/namespaces', 'metadata.namespace='],
    [gadgets, 'metadata.namespace=x'],
    [pods, '=x'],
  ] as const) {
    const failure = await client.get(`${target}?fieldSelector=${encodeURIComponent(selector)}`);
    assertFailure(t, failure, 400, 'BadRequest', /field label not supported/);
  }
});

const wrongInteger = /^strconv\.ParseInt: parsing ".*": (?:invalid syntax|value out of range)$/;

eachStore('a negative limit or timeout is none, an empty one no number', async (t, {client, path}) => {
  const collection = path('configmaps');
  for (const name of ['one', 'two']) await client.post(collection, configMap(name));
  for (const query of ['limit=-1', 'limit=-9223372036854775808', 'limit=%2B5', 'timeoutSeconds=-1', 'limit=9223372036854775807']) {
    t.deepEqual(namesOf(answer<ReadList>(t, await client.get(`${collection}?${query}`), 200)), ['one', 'two'], query);
  }
  for (const query of [
    'limit=',
    'timeoutSeconds=',
    'limit=x',
    'limit=1.5',
    'limit=1e3',
    'limit=9223372036854775808',
    'watch=1&timeoutSeconds=',
  ]) {
    assertFailure(t, await client.get(`${collection}?${query}`), 400, 'BadRequest', wrongInteger);
  }
  assertFailure(t, await client.delete(`${collection}?limit=`), 400, 'BadRequest', wrongInteger);
  t.is(answer<ReadList>(t, await client.get(collection), 200).items.length, 2);
});

eachStore('a watch with a negative timeout lasts', async (t, {client, path}) => {
  const collection = path('configmaps');
  await client.post(collection, configMap('one'));
  const events = client.watch(`${collection}?watch=1&timeoutSeconds=-1`);
  t.is((await events.next()).value?.object.metadata.name, 'one');
  await client.post(collection, configMap('two'));
  t.is((await events.next()).value?.object.metadata.name, 'two');
  await events.return(undefined);
});

eachStore('wildcards of a subtype, tables in YAML and streams are accepted where 1.26 accepts them', async (t, {client, path}) => {
  const widgets = path('widgets', widgetsVersion);
  const made = await client.post(widgets, widget('one'));
  t.is(made.status, 201, made.body.toString());
  for (const [target, accept, type, body] of [
    [widgets, 'application/*', 'application/json', /^\{"kind":"WidgetList"/],
    [`${widgets}/one`, 'application/*', 'application/json', /"kind":"Widget"/],
    [`${widgets}/one`, 'text/*, application/*;q=0.5', 'application/json', /"kind":"Widget"/],
    [widgets, `application/yaml;${tableV1}`, 'application/yaml', /^kind: Table$/m],
    [`${widgets}/one`, `application/yaml;${tableV1}`, 'application/yaml', /^kind: Table$/m],
    [widgets, 'application/yaml;as=PartialObjectMetadataList;g=meta.orch;v=v1', 'application/yaml', /^kind: PartialObjectMetadataList$/m],
    [`${widgets}/one`, 'application/json;stream=watch', 'application/json', /"kind":"Widget"/],
    [widgets, 'application/json;stream=watch', 'application/json', /^\{"kind":"WidgetList"/],
  ] as const) {
    const response = await client.get(target, accepting(accept));
    t.is(response.status, 200, `${accept}: ${response.body.toString()}`);
    t.is(response.headers['content-type'], type, accept);
    t.regex(response.body.toString(), body, accept);
  }
  const watched = await client.get(`${widgets}?watch=1&timeoutSeconds=1`, accepting('application/json;stream=watch'));
  t.is(watched.status, 200);
  // What is written as one document cannot be a stream.
  for (const [target, accept] of [
    [widgets, 'application/yaml;stream=watch'],
    [`${widgets}?watch=1&timeoutSeconds=1`, `application/yaml;${tableV1}`],
    [widgets, 'text/*'],
  ] as const) {
    t.is((await client.get(target, accepting(accept))).status, 406, accept);
  }
});

eachStore('an unknown version of a known group is answered with a Status, an unknown group in plain text', async (t, {client}) => {
  for (const target of [
    '/apis/apps/v9',
    '/apis/apps/v9/deployments',
    '/apis/apps/v9/namespaces/default/deployments/x',
    '/api/v9',
    '/api/v9/pods',
    '/api/v1/nonsense',
  ]) {
    assertFailure(t, await client.get(target), 404, 'NotFound', /^the server could not find the requested resource$/);
  }
  for (const target of ['/apis/nonsense', '/apis/nonsense/v1', '/apis/nonsense/v1/things']) {
    const response = await client.get(target);
    t.deepEqual([response.status, response.body.toString()], [404, '404 page not found\n'], target);
  }
});

eachStore('HEAD is no method of resources', async (t, {client, path}) => {
  const collection = path('configmaps');
  await client.post(collection, configMap('one'));
  for (const target of [
    collection,
    `${collection}/one`,
    `${collection}/none`,
    `${collection}?watch=1`,
    '/api/v1/namespaces/default/status',
  ]) {
    const response = await client.request('HEAD', target);
    t.deepEqual([response.status, response.body.length], [405, 0], target);
  }
  t.is((await client.request('HEAD', '/api/v1/nonsense')).status, 404);
});
