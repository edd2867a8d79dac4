import {once} from 'node:events';
import test, {type ExecutionContext} from 'ava';
import {WebSocket} from 'ws';
import {readServerFile, startTestServer, type ServerOptions, type TestServer} from '@orch-api/orch/testing';
import {auditedIntoFile, type LoggedEvent} from '../../helpers/audit-log.js';

async function start(t: ExecutionContext, options: ServerOptions): Promise<TestServer> {
  const server = await startTestServer(options);
  t.teardown(() => server.stop());
  return server;
}

const maps = '/api/v1/namespaces/default/configmaps';
const about = (uri: string, verb: string) => (event: LoggedEvent) => event.requestURI.startsWith(uri) && event.verb === verb;
const stages = (events: readonly LoggedEvent[]) => events.map(({stage}) => stage);
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

test('an event has who, what, from where and when, and at RequestResponse both bodies as they were', async (t) => {
  const log = auditedIntoFile(t, {rules: [{level: 'RequestResponse'}]});
  const {client} = await start(t, log.options);
  const object = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'told'}, data: {text: 'line\nbreak €'}};
  const created = await client.post(`${maps}?pretty=true&fieldManager=me`, JSON.stringify(object, undefined, 2), {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'tester/1',
      'x-forwarded-for': '10.1.2.3, no, 2001:DB8::1',
      'x-real-ip': '10.9.9.9',
    },
  });
  t.is(created.status, 201);
  const [received, complete, ...others] = log.events().filter(about(maps, 'create'));
  t.deepEqual(others, []);
  t.like(received, {kind: 'Event', apiVersion: 'audit.orch/v1', level: 'RequestResponse', stage: 'RequestReceived', verb: 'create'});
  t.is(received!.responseStatus, undefined);
  t.is(received!.requestObject, undefined);
  t.is(complete!.auditID, received!.auditID);
  t.is(complete!.auditID, String(created.headers['audit-id']));
  t.is(complete!.requestURI, `${maps}?pretty=true&fieldManager=me`);
  t.like(complete, {
    stage: 'ResponseComplete',
    user: {username: 'orch-admin', groups: ['system:masters', 'system:authenticated']},
    sourceIPs: ['10.1.2.3', '2001:db8::1', '10.9.9.9', '127.0.0.1'],
    userAgent: 'tester/1',
    objectRef: {resource: 'configmaps', namespace: 'default', name: 'told', apiVersion: 'v1'},
    responseStatus: {metadata: {}, code: 201},
  });
  t.deepEqual(complete!.requestObject, object as never);
  t.deepEqual(complete!.responseObject as unknown, created.json());
  t.deepEqual(complete!.annotations, {'authorization.orch/decision': 'allow', 'authorization.orch/reason': ''});
  t.regex(complete!.requestReceivedTimestamp, time);
  t.regex(complete!.stageTimestamp, time);
  t.true(complete!.requestReceivedTimestamp <= complete!.stageTimestamp);
});

test('answers in other forms than JSON are recorded as JSON; Tables as Tables; patches and options of deletions as they are sent', async (t) => {
  const log = auditedIntoFile(t, {
    rules: [{level: 'RequestResponse', resources: [{group: '', resources: ['configmaps']}]}],
    omitStages: ['RequestReceived'],
  });
  const {client} = await start(t, log.options);
  const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: forms}\ndata: {a: b}\n';
  await client.post(maps, yaml, {headers: {'content-type': 'application/yaml', accept: 'application/yaml'}});
  await client.get(`${maps}/forms`, {headers: {accept: 'application/vnd.orch.protobuf'}});
  await client.get(maps, {headers: {accept: 'application/vnd.orch.protobuf'}});
  await client.get(maps, {headers: {accept: 'application/yaml'}});
  await client.get(maps, {headers: {accept: 'application/json;as=Table;v=v1;g=meta.orch'}});
  await client.patch(`${maps}/forms`, [{op: 'add', path: '/data/c', value: 'd'}], 'application/json-patch+json');
  await client.patch(
    `${maps}/forms?fieldManager=me&force=true`,
    'apiVersion: v1\nkind: ConfigMap\ndata: {e: f}',
    'application/apply-patch+yaml',
  );
  await client.delete(`${maps}/forms`, {body: {propagationPolicy: 'Background'}});
  const [create, get, list, yamlList, table, patch, apply, remove] = log.events();
  const shown = {kind: 'ConfigMap', metadata: {name: 'forms', namespace: 'default'}, data: {a: 'b'}};
  t.like(create, {requestObject: {kind: 'ConfigMap', data: {a: 'b'}}, responseObject: shown});
  t.like(get!.responseObject, shown);
  for (const one of [list, yamlList])
    t.like((one!.responseObject as {items: object[]}).items.at(-1), {metadata: {name: 'forms'}, data: {a: 'b'}});
  t.like(table!.responseObject, {kind: 'Table'});
  t.deepEqual(patch!.requestObject as unknown, [{op: 'add', path: '/data/c', value: 'd'}]);
  t.like(apply!.requestObject, {kind: 'ConfigMap', data: {e: 'f'}});
  t.like(remove, {
    requestObject: {propagationPolicy: 'Background'},
    responseStatus: {status: 'Success', code: 200},
    responseObject: {kind: 'Status'},
  });
});

test('the first rule that matches decides, and None records nothing', async (t) => {
  const log = auditedIntoFile(t, {
    omitStages: ['RequestReceived'],
    rules: [
      {level: 'None', nonResourceURLs: ['/healthz*', '/version']},
      {level: 'None', verbs: ['list'], resources: [{resources: ['configmaps']}]},
      {level: 'RequestResponse', resources: [{resources: ['configmaps'], resourceNames: ['special']}]},
      {level: 'Request', namespaces: ['default'], resources: [{group: '', resources: ['configmaps']}]},
      {level: 'Metadata', users: ['orch-admin'], resources: [{resources: ['*/status', 'secrets/*']}], omitStages: ['ResponseComplete']},
      {level: 'Metadata', userGroups: ['system:masters'], resources: [{group: 'coordination.orch'}]},
    ],
  });
  const {client} = await start(t, log.options);
  for (const path of ['/healthz', '/healthz/ping', '/version', '/api', maps]) await client.get(path);
  await client.post(maps, {metadata: {name: 'special'}});
  await client.get(`${maps}/special`);
  await client.get(`${maps}/other`);
  await client.get('/api/v1/secrets');
  await client.get('/api/v1/namespaces/default/status');
  await client.get('/apis/coordination.orch/v1/leases');
  await client.get('/api/v1/pods');
  t.deepEqual(
    log
      .events()
      .filter(({user}) => user.username === 'orch-admin')
      .map(({level, verb, objectRef, responseObject}) => [level, verb, objectRef!['name'] ?? '', responseObject !== undefined]),
    [
      ['Request', 'create', 'special', false],
      ['RequestResponse', 'get', 'special', true],
      ['Request', 'get', 'other', false],
      ['Metadata', 'list', '', false],
    ],
  );
});

test('a watch is recorded when it begins and when it has ended', async (t) => {
  const log = auditedIntoFile(t, {rules: [{level: 'RequestResponse', verbs: ['watch'], resources: [{resources: ['configmaps']}]}]});
  const {client} = await start(t, log.options);
  const ended = new AbortController();
  const watch = client.watch(`${maps}?watch=1`, {signal: ended.signal});
  const first = watch.next();
  const begun = await log.wait(({stage}) => stage === 'ResponseStarted');
  t.like(begun[0], {responseStatus: {code: 200}, verb: 'watch'});
  t.deepEqual(stages(log.events()), ['RequestReceived', 'ResponseStarted']);
  ended.abort();
  await first.catch(() => undefined);
  const [complete] = await log.wait(({stage}) => stage === 'ResponseComplete');
  t.like(complete, {responseStatus: {code: 200}, auditID: begun[0]!.auditID});
  t.is(complete!.responseObject, undefined);
});

test('a watch on a WebSocket is recorded with 101 when it begins, and when the connection is gone', async (t) => {
  const log = auditedIntoFile(t, {rules: [{level: 'Metadata', verbs: ['watch'], resources: [{resources: ['configmaps']}]}]});
  const server = await start(t, log.options);
  const [ca, cert, key] = await Promise.all(['ca.crt', 'admin.crt', 'admin.key'].map((name) => readServerFile(server, 'pki', name)));
  const socket = new WebSocket(`${server.url.replace('https', 'wss')}${maps}?watch=1`, {ca, cert, key});
  await once(socket, 'open');
  const [begun] = await log.wait(({stage}) => stage === 'ResponseStarted');
  t.is(begun!.responseStatus!.code, 101);
  t.deepEqual(stages(log.events()), ['RequestReceived', 'ResponseStarted']);
  socket.close();
  const [complete] = await log.wait(({stage}) => stage === 'ResponseComplete');
  t.is(complete!.responseStatus!.code, 101);
});

test('in blocking mode answers of every form are recorded before they are sent', async (t) => {
  const log = auditedIntoFile(t, {omitStages: ['RequestReceived'], rules: [{level: 'Metadata'}]});
  const {client} = await start(t, log.options);
  const answered = async (path: string) => {
    const {status, headers} = await client.get(path);
    t.deepEqual(
      log
        .events()
        .filter(({auditID}) => auditID === headers['audit-id'])
        .map(({stage, responseStatus}) => [stage, responseStatus!.code]),
      [['ResponseComplete', status]],
      path,
    );
  };
  for (const path of ['/healthz', '/version', '/apis/none.example.com/v1/things', '/api/v1/none', '/openapi/v3', maps, '/none'])
    await answered(path);
});

test('what is refused is recorded with its Status: forbidden, not found, without credentials, with a path that cannot be read', async (t) => {
  const log = auditedIntoFile(t, {rules: [{level: 'Metadata'}]});
  const {client} = await start(t, log.options);
  const options = {anonymous: true, headers: {authorization: 'Bearer wrong'}};
  t.is((await client.get(`${maps}/secretive`, options)).status, 401);
  const refused = log.events().filter(about(maps, 'get'));
  t.deepEqual(stages(refused), ['ResponseStarted']);
  t.like(refused[0], {
    user: {},
    responseStatus: {status: 'Failure', reason: 'Unauthorized', message: 'Authentication failed, attempted: bearer', code: 401},
  });

  t.is((await client.get('/api/v1/secrets', {anonymous: true})).status, 403);
  const forbidden = log.events().filter(about('/api/v1/secrets', 'list')).at(-1)!;
  t.like(forbidden, {stage: 'ResponseComplete', user: {username: 'system:anonymous'}, responseStatus: {reason: 'Forbidden', code: 403}});
  t.is(forbidden.annotations!['authorization.orch/decision'], 'forbid');

  t.is((await client.get(`${maps}/none`)).status, 404);
  t.like(
    log
      .events()
      .filter(about(`${maps}/none`, 'get'))
      .at(-1),
    {responseStatus: {reason: 'NotFound', code: 404}, objectRef: {name: 'none'}},
  );

  t.is((await client.get('/api/v1/%ff')).status, 400);
  t.like(log.events().filter(about('/api/v1/%ff', 'get')), [{stage: 'ResponseStarted', responseStatus: {code: 400}}] as never);
});

test("the client's own Audit-ID is that of the events and of the answer", async (t) => {
  const log = auditedIntoFile(t, {rules: [{level: 'Metadata'}]});
  const {client} = await start(t, log.options);
  const response = await client.get('/version', {headers: {'Audit-ID': 'from-client-1'}});
  t.is(response.headers['audit-id'], 'from-client-1');
  t.deepEqual(stages(log.events().filter(({auditID}) => auditID === 'from-client-1')), ['RequestReceived', 'ResponseComplete']);
});

test('a request on behalf of somebody else has both users', async (t) => {
  const log = auditedIntoFile(t, {rules: [{level: 'Metadata'}]});
  const {client} = await start(t, log.options);
  await client.get(maps, {headers: {'impersonate-user': 'jane', 'impersonate-group': 'writers'}});
  const complete = log.events().filter(about(maps, 'list')).at(-1)!;
  t.like(complete, {user: {username: 'orch-admin'}, impersonatedUser: {username: 'jane'}});
  t.deepEqual(complete.impersonatedUser!.groups, ['writers', 'system:authenticated']);
});

test('[A-SVC-3] writes of controllers are recorded under their own user names', async (t) => {
  const log = auditedIntoFile(t, {rules: [{level: 'RequestResponse', userGroups: ['system:plugins']}]});
  const {client} = await start(t, log.options);
  await client.post('/api/v1/namespaces', {metadata: {name: 'passing'}});
  await client.delete('/api/v1/namespaces/passing');
  const finalized = await log.wait(({objectRef, stage}) => objectRef?.['subresource'] === 'finalize' && stage === 'ResponseComplete');
  t.like(finalized[0], {
    user: {username: 'system:serviceaccount:orch-system:namespace-controller'},
    verb: 'update',
    requestURI: '/api/v1/namespaces/passing/finalize',
    objectRef: {resource: 'namespaces', namespace: 'passing', name: 'passing', apiVersion: 'v1'},
    responseStatus: {code: 200},
    requestObject: {metadata: {name: 'passing'}},
    responseObject: {metadata: {name: 'passing'}},
  });
});

test('omitManagedFields leaves them out of objects, lists and bodies', async (t) => {
  const log = auditedIntoFile(t, {
    omitManagedFields: true,
    omitStages: ['RequestReceived'],
    rules: [{level: 'RequestResponse', resources: [{resources: ['configmaps']}]}],
  });
  const {client} = await start(t, log.options);
  const created = await client.post(maps, {metadata: {name: 'owned'}, data: {a: 'b'}});
  await client.put(`${maps}/owned`, created.json());
  await client.get(maps);
  const text = JSON.stringify(log.events());
  t.true(created.body.toString().includes('managedFields'));
  t.true(text.includes('"owned"'));
  t.false(text.includes('managedFields'));
});

test('[B-DEPR-8] a request to a deprecated endpoint is annotated, with the release that removes it', async (t) => {
  for (const [platform, group, prefix] of [
    ['orch', 'audit.orch', 'orch'],
    ['kubernetes', 'audit.k8s.io', 'k8s.io'],
  ] as const) {
    const log = auditedIntoFile(t, {rules: [{level: 'Metadata'}]}, {}, group);
    const {client} = await start(t, {...log.options, platform, release: '1.26', runtimeConfig: ['api/all=true']});
    const path = `/apis/flowcontrol.apiserver.${platform === 'orch' ? 'orch' : 'k8s.io'}/v1beta2/flowschemas`;
    const response = await client.get(path);
    t.is(response.status, 200);
    t.regex(String(response.headers['warning']), /deprecated/);
    const {annotations} = log.events().filter(about(path, 'list')).at(-1)!;
    t.is(annotations![`${prefix}/deprecated`], 'true');
    t.is(annotations![`${prefix}/removed-release`], '1.29');
    await client.get(maps);
    t.is(log.events().filter(about(maps, 'list')).at(-1)!.annotations![`${prefix}/deprecated`], undefined);
  }
});
