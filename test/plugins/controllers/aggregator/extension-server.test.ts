import ava, {type ExecutionContext} from 'ava';
import {auditedIntoFile} from '../../../helpers/audit-log.js';
import {until} from '../../../helpers/eventually.js';
import {userClient} from '../../../helpers/user-client.js';
import {
  availability,
  createApiService,
  machineAddress,
  startFrontServer,
  writeEndpoints,
  writeService,
  type FrontServer,
} from './front-server.js';
import {portOf, startWidgetsServers, type WidgetsServers} from './widgets-server.js';

// Endpoints need an address that is not loopback.
const test = {serial: machineAddress === undefined ? ava.serial.skip : ava.serial};

const group = 'examples.example.com';
const widgets = `/apis/${group}/v1/namespaces/default/widgets`;

let front: FrontServer;
let back: WidgetsServers;
let audit: ReturnType<typeof auditedIntoFile>;
const ends: (() => unknown)[] = [];

interface Widget {
  metadata: {name: string; managedFields?: {manager: string}[]};
  spec: {size: string};
}

ava.before(async () => {
  if (machineAddress === undefined) return;
  const t = {teardown: (end: () => unknown) => void ends.unshift(end)};
  audit = auditedIntoFile(t as ExecutionContext, {rules: [{level: 'RequestResponse', resources: [{group}]}]});
  front = await startFrontServer(t, audit.options);
  back = await startWidgetsServers(t, {requestHeaderCa: front.requestHeaderCa, service: 'widgets', count: 2});
  await writeService(front.server, 'widgets', back.servers.map(portOf));
  await createApiService(front.server, {group, service: 'widgets', ca: back.ca});
  await availability(front.server, `v1.${group}`, 'Passed');
});

ava.after.always(async () => {
  for (const end of ends) await end();
});

function widget(name: string, size = 'large') {
  return {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name}, spec: {size}};
}

test.serial('all methods reach the extension server, and its answers come back', async (t) => {
  const {client} = front.server;
  t.is((await client.post(widgets, widget('one'))).status, 201);
  const read = await client.get(`${widgets}/one`);
  t.is(read.json<Widget>().spec.size, 'large');
  t.is((await client.patch(`${widgets}/one`, {spec: {size: 'small'}})).json<Widget>().spec.size, 'small');
  t.is((await client.get(`${widgets}?limit=1`)).json<{items: Widget[]}>().items.length, 1);
  t.is((await client.delete(`${widgets}/one`)).status, 200);
  const gone = await client.get(`${widgets}/one`);
  t.deepEqual([gone.status, gone.json<{reason: string}>().reason], [404, 'NotFound']);
});

test.serial('they are recorded, counted and put in order like all requests', async (t) => {
  const {client} = front.server;
  const answer = await client.get(`${widgets}?limit=7`, {headers: {'audit-id': 'counted', traceparent: '00-1-2-3'}});
  t.is(answer.headers['audit-id'], 'counted');
  t.truthy(answer.headers['x-orch-pf-flowschema-uid']);
  const [event] = await audit.wait(({auditID, stage}) => auditID === 'counted' && stage === 'ResponseComplete');
  t.deepEqual(event!.objectRef, {apiGroup: group, apiVersion: 'v1', namespace: 'default', resource: 'widgets'});
  t.deepEqual([event!.verb, event!.responseStatus!.code], ['list', 200]);
  await until('its resources are known', async () => {
    await client.get(widgets);
    const metrics = (await client.get('/metrics')).body.toString();
    return /^apiserver_request_total\{verb="LIST",dry_run="",group="examples\.example\.com",version="v1",resource="widgets",.*code="200"\} \d+$/m.test(
      metrics,
    );
  });
  t.is((await client.get(`/apis/${group}/v1/none-${'x'.repeat(50)}`)).status, 404);
  t.notRegex((await client.get('/metrics')).body.toString(), /none-x/);
});

test.serial('the caller is told by request headers, whatever the caller says', async (t) => {
  const rules = [{apiGroups: [group], resources: ['widgets'], verbs: ['*']}];
  const {client} = front.server;
  const rbac = '/apis/rbac.authorization.orch/v1';
  await client.post(`${rbac}/clusterroles`, {
    apiVersion: 'rbac.authorization.orch/v1',
    kind: 'ClusterRole',
    metadata: {name: 'widgets'},
    rules,
  });
  await client.post(`${rbac}/clusterrolebindings`, {
    apiVersion: 'rbac.authorization.orch/v1',
    kind: 'ClusterRoleBinding',
    metadata: {name: 'widgets'},
    roleRef: {apiGroup: 'rbac.authorization.orch', kind: 'ClusterRole', name: 'widgets'},
    subjects: [{apiGroup: 'rbac.authorization.orch', kind: 'User', name: 'jané'}],
  });
  const jane = await userClient(t, front.server, 'jané', ['staff']);
  const answer = await until('the role holds', async () => {
    const made = await jane.request('POST', widgets, {
      body: widget('of-jane'),
      headers: {'x-remote-user': 'system:admin', 'x-remote-group': 'system:masters', connection: 'keep-alive, x-remote-group'},
    });
    return made.status === 201 && made;
  });
  t.is(answer.status, 201);
  const stranger = await userClient(t, front.server, 'stranger');
  t.is((await stranger.get(widgets)).status, 403, 'the server in front decides');
  // The extension server refuses who comes past the one in front.
  const direct = await back.servers[0]!.client.get(widgets, {anonymous: true}).catch((error: Error) => error.message);
  t.truthy(direct);
});

test.serial('a watch comes through, and goes on when one of two servers is killed', async (t) => {
  const {client} = front.server;
  const abort = new AbortController();
  t.teardown(() => abort.abort());
  const version = (await client.get(widgets)).json<{metadata: {resourceVersion: string}}>().metadata.resourceVersion;
  const events = client.watch(`${widgets}?watch=1&resourceVersion=${version}`, {signal: abort.signal});
  const next = events.next();
  await client.post(widgets, widget('watched'));
  const {value} = await next;
  t.deepEqual([value!.type, value!.object.metadata.name], ['ADDED', 'watched']);

  const [first] = back.servers;
  await first!.stop();
  // Until the endpoints are put right, every second connection fails.
  await writeEndpoints(client, 'widgets', [portOf(back.servers[1]!)]);
  await until('requests go to the other server', async () => (await client.get(`${widgets}/watched`)).status === 200);
  for (let index = 0; index < 5; index += 1) t.is((await client.get(`${widgets}/watched`)).status, 200);
  abort.abort();
});

test.serial('discovery has the group in all its forms, and OpenAPI describes it', async (t) => {
  const {client} = front.server;
  const groups = (await client.get('/apis')).json<{groups: {name: string; preferredVersion: {version: string}}[]}>().groups;
  t.is(groups.find(({name}) => name === group)?.preferredVersion.version, 'v1');
  t.deepEqual((await client.get(`/apis/${group}`)).json<{versions: unknown}>().versions, [{groupVersion: `${group}/v1`, version: 'v1'}]);
  const list = (await client.get(`/apis/${group}/v1`)).json<{resources: {name: string}[]}>();
  t.deepEqual(
    list.resources.map(({name}) => name),
    ['widgets'],
  );
  const accept = 'application/json;g=apidiscovery.orch;v=v2beta1;as=APIGroupDiscoveryList';
  interface Aggregated {
    items: {metadata: {name: string}; versions: {freshness: string; resources: {resource: string; shortNames: string[]}[]}[]}[];
  }
  const version = await until('the resources are known', async () => {
    const {items} = (await client.get('/apis', {headers: {accept}})).json<Aggregated>();
    const found = items.find(({metadata}) => metadata.name === group)?.versions[0];
    return found?.freshness === 'Current' && found;
  });
  t.deepEqual([version.resources[0]!.resource, version.resources[0]!.shortNames], ['widgets', ['wd']]);

  const index = await until('the document of v3 is known', async () => {
    const {paths} = (await client.get('/openapi/v3')).json<{paths: Record<string, {serverRelativeURL: string}>}>();
    return paths[`apis/${group}/v1`];
  });
  const v3 = (await client.get(index.serverRelativeURL)).json<{paths: object}>();
  t.true(`/apis/${group}/v1/namespaces/{namespace}/widgets` in v3.paths);
  t.is(
    (await client.get(`/openapi/v3/apis/${group}/v1?hash=OLD`)).status,
    200,
    'a fingerprint that is out of date leads to the present document',
  );
  const v2 = (await client.get('/openapi/v2')).json<{
    paths: object;
    definitions: Record<string, {'x-kubernetes-group-version-kind'?: {kind: string}[]}>;
  }>();
  t.true(`/apis/${group}/v1/namespaces/{namespace}/widgets` in v2.paths);
  t.true(Object.values(v2.definitions).some((schema) => schema['x-kubernetes-group-version-kind']?.[0]?.kind === 'Widget'));
});

test.serial(
  'the deletion of a namespace deletes what aggregated types have in it, and waits while their server cannot be asked',
  async (t) => {
    const {client} = front.server;
    const inNamespace = (name: string) => `/apis/${group}/v1/namespaces/${name}/widgets`;
    for (const name of ['short-lived', 'held-up']) {
      await client.post('/api/v1/namespaces', {apiVersion: 'v1', kind: 'Namespace', metadata: {name}});
      t.is((await client.post(inNamespace(name), widget('inside'))).status, 201);
    }
    await client.delete('/api/v1/namespaces/short-lived');
    await until('the namespace is gone', async () => (await client.get('/api/v1/namespaces/short-lived')).status === 404);
    t.deepEqual((await client.get(inNamespace('short-lived'))).json<{items: unknown[]}>().items, []);
    t.is((await client.get(`${widgets}/watched`)).status, 200, 'other namespaces keep theirs');

    await writeEndpoints(client, 'widgets', []);
    await availability(front.server, `v1.${group}`, 'MissingEndpoints');
    await client.delete('/api/v1/namespaces/held-up');
    interface Namespace {
      status: {conditions?: {type: string; status: string; message: string}[]};
    }
    const condition = await until('it says why it waits', async () => {
      const {status} = (await client.get('/api/v1/namespaces/held-up')).json<Namespace>();
      return status.conditions?.find((one) => one.type === 'NamespaceDeletionDiscoveryFailure' && one.status === 'True');
    });
    t.regex(condition.message, /examples\.example\.com\/v1: stale GroupVersion discovery$/);
    await writeEndpoints(client, 'widgets', [portOf(back.servers[1]!)]);
    await until('the namespace is gone', async () => (await client.get('/api/v1/namespaces/held-up')).status === 404);
    await availability(front.server, `v1.${group}`, 'Passed');
  },
);

test.serial('an extension server that is away costs only its own group: 503, and why stands in the condition', async (t) => {
  const {client} = front.server;
  await back.servers[1]!.stop();
  const condition = await availability(front.server, `v1.${group}`, 'FailedDiscoveryCheck');
  t.regex(condition.message, /^failing or missing response from https:\/\/widgets\.default\.svc:443\/apis\/examples\.example\.com\/v1: /);
  const refused = await client.get(widgets);
  t.is(refused.status, 503);
  t.is(refused.headers['content-type'], 'text/plain; charset=utf-8');
  t.is(refused.body.toString(), 'service unavailable\n');
  t.is((await client.get('/apis')).status, 200);
  t.is((await client.get('/api/v1/namespaces/default/configmaps')).status, 200);
  await writeEndpoints(client, 'widgets', []);
  await availability(front.server, `v1.${group}`, 'MissingEndpoints');
  const again = await back.start();
  await writeEndpoints(client, 'widgets', [portOf(again)]);
  await availability(front.server, `v1.${group}`, 'Passed');
  t.is((await client.get(`${widgets}/watched`)).status, 200);
  await client.delete(`/apis/apiregistration.orch/v1/apiservices/v1.${group}`);
  await until('the group is gone', async () => (await client.get(`/apis/${group}`)).status === 404);
});
