import {once} from 'node:events';
import {connect} from 'node:tls';
import test, {type ExecutionContext} from 'ava';
import {startTestServer, type ServerOptions, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../helpers/eventually.js';
import {startRedis} from '../../helpers/redis-server.js';
import {startTwoServers} from '../../helpers/two-servers.js';
import {strangerClient, userClient, userCredentials} from '../../helpers/user-client.js';

interface FlowObject {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly generation: number;
    readonly annotations?: Record<string, string>;
  };
  readonly spec: Record<string, unknown>;
  readonly status?: {
    readonly conditions?: readonly {readonly type: string; readonly status: string; readonly reason: string; readonly message: string}[];
  };
}

const group = '/apis/flowcontrol.apiserver.orch/v1beta3';
const annotation = 'apf.orch/autoupdate-spec';

async function start(t: ExecutionContext, options: ServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer(options);
  t.teardown(() => server.stop());
  return server;
}

/** Every server puts the objects right by itself: a test with one, and one with a second beside it. */
function oneAndTwoServers(
  title: string,
  run: (t: ExecutionContext, start: (options: ServerOptions) => Promise<TestServer>) => Promise<void>,
): void {
  test(title, (t) => run(t, (options) => start(t, options)));
  test(`${title} (two servers)`, (t) => run(t, async (options) => (await startTwoServers(t, options))[0]));
}

async function list({client}: TestServer, plural: string, api = group): Promise<FlowObject[]> {
  return (await client.get(`${api}/${plural}`)).json<{items: FlowObject[]}>().items;
}

const named = (objects: readonly FlowObject[], name: string) => objects.find(({metadata}) => metadata.name === name);

/** Waits until the built-in objects are there, with their status. */
function builtIn(server: TestServer, api = group): Promise<FlowObject[]> {
  return eventually(
    () => list(server, 'flowschemas', api),
    (schemas) => schemas.length >= 13 && schemas.every(({status}) => status?.conditions?.length === 1),
  );
}

const level = (name: string, limited: object = {}) => ({
  metadata: {name},
  spec: {type: 'Limited', limited: {nominalConcurrencyShares: 10, limitResponse: {type: 'Reject'}, ...limited}},
});

const schema = (name: string, priorityLevel: string, user: string, matchingPrecedence = 50) => ({
  metadata: {name},
  spec: {
    priorityLevelConfiguration: {name: priorityLevel},
    matchingPrecedence,
    distinguisherMethod: {type: 'ByUser'},
    rules: [
      {
        subjects: [{kind: 'User', user: {name: user}}],
        resourceRules: [{verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*']}],
        nonResourceRules: [{verbs: ['*'], nonResourceURLs: ['*']}],
      },
    ],
  },
});

test('the flow schemas and priority levels of 1.26 are there when a server has started, named by its platform', async (t) => {
  for (const [platform, system, suffix, prefix] of [
    ['orch', 'orch-system', 'orch', 'orch'],
    ['kubernetes', 'kube-system', 'k8s.io', 'kubernetes.io'],
  ] as const) {
    const server = await start(t, {platform, release: '1.26'});
    const api = `/apis/flowcontrol.apiserver.${suffix}/v1beta3`;
    const schemas = await builtIn(server, api);
    const table = schemas.map(({metadata, spec}) => [
      metadata.name,
      (spec['priorityLevelConfiguration'] as {name: string}).name,
      spec['matchingPrecedence'],
      (spec['distinguisherMethod'] as {type: string} | undefined)?.type,
    ]);
    t.deepEqual(
      table,
      [
        ['catch-all', 'catch-all', 10_000, 'ByUser'],
        ['endpoint-controller', 'workload-high', 150, 'ByUser'],
        ['exempt', 'exempt', 1, undefined],
        ['global-default', 'global-default', 9900, 'ByUser'],
        ['kube-controller-manager', 'workload-high', 800, 'ByNamespace'],
        ['kube-scheduler', 'workload-high', 800, 'ByNamespace'],
        [`${system}-service-accounts`, 'workload-high', 900, 'ByNamespace'],
        ['probes', 'exempt', 2, undefined],
        ['service-accounts', 'workload-low', 9000, 'ByUser'],
        ['system-leader-election', 'leader-election', 100, 'ByUser'],
        ['system-node-high', 'node-high', 400, 'ByUser'],
        ['system-nodes', 'system', 500, 'ByUser'],
        ['workload-leader-election', 'leader-election', 200, 'ByUser'],
      ].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    );
    t.true(schemas.every(({metadata}) => metadata.annotations?.[`apf.${prefix}/autoupdate-spec`] === 'true'));
    t.like(named(schemas, 'probes')!.status!.conditions![0], {
      type: 'Dangling',
      status: 'False',
      reason: 'Found',
      message: 'This FlowSchema references the PriorityLevelConfiguration object named "exempt" and it exists',
    });
    t.like((named(schemas, 'system-leader-election')!.spec['rules'] as object[])[0], {
      subjects: [
        {kind: 'User', user: {name: 'system:kube-controller-manager'}},
        {kind: 'User', user: {name: 'system:kube-scheduler'}},
        {kind: 'ServiceAccount', serviceAccount: {namespace: system, name: '*'}},
      ],
      resourceRules: [
        {verbs: ['get', 'create', 'update'], apiGroups: [`coordination.${suffix}`], resources: ['leases'], namespaces: ['*']},
      ],
    });
    const levels = await list(server, 'prioritylevelconfigurations', api);
    const limits = levels.map(({metadata, spec}) => {
      const limited = spec['limited'] as
        | {nominalConcurrencyShares: number; lendablePercent: number; limitResponse: {queuing?: object}}
        | undefined;
      return [metadata.name, limited?.nominalConcurrencyShares, limited?.lendablePercent, limited?.limitResponse.queuing];
    });
    const queuing = (queues: number, handSize = 6) => ({queues, handSize, queueLengthLimit: 50});
    t.deepEqual(limits, [
      ['catch-all', 5, 0, undefined],
      ['exempt', undefined, undefined, undefined],
      ['global-default', 20, 50, queuing(128)],
      ['leader-election', 10, 0, queuing(16, 4)],
      ['node-high', 40, 25, queuing(64)],
      ['system', 30, 33, queuing(64)],
      ['workload-high', 40, 50, queuing(128)],
      ['workload-low', 100, 90, queuing(128)],
    ]);
  }
});

oneAndTwoServers('what every request needs cannot be changed; it is made again when it is deleted', async (t, start) => {
  const server = await start({configuration: {plugins: {'flow-control': {config: {keepMilliseconds: 50}}}}});
  const {client} = server;
  const before = named(await builtIn(server), 'exempt')!;
  for (const [path, change] of [
    ['flowschemas/exempt', {rules: []}],
    ['flowschemas/catch-all', {matchingPrecedence: 9999}],
    ['prioritylevelconfigurations/catch-all', {limited: {nominalConcurrencyShares: 6}}],
  ] as const) {
    t.is((await client.patch(`${group}/${path}`, {spec: change})).status, 422, path);
  }
  t.is((await client.patch(`${group}/flowschemas/exempt`, {metadata: {annotations: {[annotation]: 'false'}}})).status, 200);
  await eventually(
    () => list(server, 'flowschemas'),
    (schemas) => named(schemas, 'exempt')!.metadata.annotations?.[annotation] === 'true',
  );
  t.is((await client.delete(`${group}/flowschemas/exempt`)).status, 200);
  await eventually(
    () => list(server, 'flowschemas'),
    (schemas) => (named(schemas, 'exempt')?.metadata.uid ?? before.metadata.uid) !== before.metadata.uid,
  );
});

oneAndTwoServers('suggested objects are put right as long as their annotation lets them be', async (t, start) => {
  const server = await start({configuration: {plugins: {'flow-control': {config: {keepMilliseconds: 50}}}}});
  const {client} = server;
  await builtIn(server);
  const path = (name: string) => `${group}/prioritylevelconfigurations/${name}`;
  const change = (name: string, shares: number, value?: string | null) =>
    client.patch(path(name), {
      ...(value === undefined ? {} : {metadata: {annotations: {[annotation]: value}}}),
      spec: {limited: {nominalConcurrencyShares: shares}},
    });
  // As it was made: put right.
  await change('workload-low', 999);
  // Told to leave it alone.
  await change('global-default', 33, 'false');
  // Changed, and nothing usable is said: it is left alone, and says so.
  await change('system', 44, null);
  await change('node-high', 55, 'perhaps');
  // Deleted: made again.
  await client.delete(path('leader-election'));
  // Another release's: removed where it says that it is kept by servers.
  t.is(
    (
      await client.post(`${group}/prioritylevelconfigurations`, {
        ...level('former'),
        metadata: {name: 'former', annotations: {[annotation]: 'true'}},
      })
    ).status,
    201,
  );
  t.is(
    (
      await client.post(`${group}/prioritylevelconfigurations`, {
        ...level('own'),
        metadata: {name: 'own', annotations: {[annotation]: 'false'}},
      })
    ).status,
    201,
  );
  const state = async () =>
    Object.fromEntries(
      (await list(server, 'prioritylevelconfigurations')).map(({metadata, spec}) => [
        metadata.name,
        [
          (spec['limited'] as {nominalConcurrencyShares?: number} | undefined)?.nominalConcurrencyShares,
          metadata.annotations?.[annotation],
        ],
      ]),
    );
  const wanted = {
    'catch-all': [5, 'true'],
    exempt: [undefined, 'true'],
    'global-default': [33, 'false'],
    'leader-election': [10, 'true'],
    'node-high': [55, 'false'],
    own: [10, 'false'],
    system: [44, 'false'],
    'workload-high': [40, 'true'],
    'workload-low': [100, 'true'],
  };
  await eventually(state, (found) => JSON.stringify(found) === JSON.stringify(wanted));
  // From here on nothing changes any more. When a missing level has been made twice, the others have been looked at.
  const versions = async () => {
    const levels = await list(server, 'prioritylevelconfigurations');
    return levels.map(({metadata}) => [metadata.name, metadata.resourceVersion]).filter(([name]) => name !== 'workload-high');
  };
  const settled = await versions();
  for (let round = 0; round < 2; round += 1) {
    t.is((await client.delete(path('workload-high'))).status, 200);
    await eventually(
      () => client.get(path('workload-high')),
      ({status}) => status === 200,
    );
  }
  t.deepEqual(await versions(), settled);
  t.is((await change('global-default', 20, 'true')).status, 200);
});

test('schemas and levels take effect on every server of a store as soon as they are written', async (t) => {
  const redis = await startRedis(t);
  const store = `${redis.url}/0`;
  const [first, second] = [await start(t, {store}), await start(t, {store})];
  await builtIn(first);
  const jane = await Promise.all([userClient(t, first, 'jane'), userClient(t, second, 'jane')]);
  const told = async () => {
    const answers = await Promise.all(jane.map((client) => client.get('/apis')));
    return answers.map(({headers}) => [headers['x-orch-pf-flowschema-uid'], headers['x-orch-pf-prioritylevel-uid']]);
  };
  const uids = async (schemaName: string, levelName: string) => [
    named(await list(first, 'flowschemas'), schemaName)!.metadata.uid,
    named(await list(first, 'prioritylevelconfigurations'), levelName)!.metadata.uid,
  ];
  const both = async (schemaName: string, levelName: string) => {
    const expected = await uids(schemaName, levelName);
    const from = performance.now();
    await eventually(told, (found) => JSON.stringify(found) === JSON.stringify([expected, expected]));
    t.log(`${schemaName}: ${Math.round(performance.now() - from)} ms`);
  };
  await both('global-default', 'global-default');
  t.is((await first.client.post(`${group}/prioritylevelconfigurations`, level('janes'))).status, 201);
  t.is((await second.client.post(`${group}/flowschemas`, schema('jane', 'janes', 'jane'))).status, 201);
  await both('jane', 'janes');
  t.is((await first.client.patch(`${group}/flowschemas/jane`, {spec: {priorityLevelConfiguration: {name: 'workload-low'}}})).status, 200);
  await both('jane', 'workload-low');
  t.is((await second.client.delete(`${group}/flowschemas/jane`)).status, 200);
  await both('global-default', 'global-default');
});

test('a schema whose level is missing says so and is passed over until it is there', async (t) => {
  const server = await start(t);
  const {client} = server;
  const globalDefault = named(await builtIn(server), 'global-default')!.metadata.uid;
  const jane = await userClient(t, server, 'jane');
  const matched = async () => (await jane.get('/apis')).headers['x-orch-pf-flowschema-uid'];
  const made = await client.post(`${group}/flowschemas`, schema('jane', 'missing', 'jane'));
  const {uid} = made.json<FlowObject>().metadata;
  const dangling = async () => named(await list(server, 'flowschemas'), 'jane')?.status?.conditions?.[0];
  const missing = await eventually(dangling, (condition) => condition?.status === 'True');
  t.like(missing, {
    type: 'Dangling',
    reason: 'NotFound',
    message: 'This FlowSchema references the PriorityLevelConfiguration object named "missing" but there is no such object',
  });
  t.is(await matched(), globalDefault);
  await client.post(`${group}/prioritylevelconfigurations`, level('missing'));
  await eventually(dangling, (condition) => condition?.status === 'False');
  t.is(await matched(), uid);
  t.is(named(await list(server, 'flowschemas'), 'jane')!.metadata.generation, 1);
});

/** Takes a seat by a request whose body never comes, as soon as there is one. */
async function holdSeat(t: ExecutionContext, server: TestServer, user: string): Promise<void> {
  const {hostname, port} = new URL(server.url);
  const credentials = await userCredentials(server, user);
  const answer = async () => {
    const socket = connect({host: hostname, port: Number(port), ...credentials});
    t.teardown(() => void socket.destroy());
    socket.on('error', () => undefined);
    socket.write(
      'POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\nHost: orch\r\nContent-Type: application/json\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n',
    );
    const [head] = (await once(socket, 'data')) as [Buffer];
    return head.toString('latin1', 0, 12);
  };
  // A seat is free a moment after the answer to who had it before.
  await eventually(answer, (status) => status === 'HTTP/1.1 100');
}

test('a level without free seats refuses its own requests and no others', async (t) => {
  const server = await start(t, {
    authorizationMode: ['AlwaysAllow'],
    limits: {maxRequestsInflight: 1, maxMutatingRequestsInflight: 0},
  });
  await builtIn(server);
  await server.client.post(`${group}/prioritylevelconfigurations`, level('small', {borrowingLimitPercent: 0}));
  const {uid} = (await server.client.post(`${group}/flowschemas`, schema('jane', 'small', 'jane'))).json<FlowObject>().metadata;
  const [jane, joe] = [await userClient(t, server, 'jane'), await userClient(t, server, 'joe')];
  await eventually(
    () => jane.get('/apis'),
    ({headers}) => headers['x-orch-pf-flowschema-uid'] === uid,
  );
  await holdSeat(t, server, 'jane');
  const refused = await jane.get('/apis');
  t.is(refused.status, 429);
  t.is(refused.headers['retry-after'], '1');
  t.is((await joe.get('/apis')).status, 200);
  t.is((await jane.get('/readyz')).status, 200);
  t.is((await (await strangerClient(t, server)).get('/livez')).status, 200);
  t.is((await server.client.get('/api/v1/namespaces')).status, 200);
});

test('without priority and fairness the objects are there and have no effect', async (t) => {
  const server = await start(t, {enablePriorityAndFairness: false});
  const schemas = await eventually(
    () => list(server, 'flowschemas'),
    (found) => found.length === 13,
  );
  t.true(schemas.every(({status}) => (status?.conditions ?? []).length === 0));
  const {headers} = await server.client.get('/api/v1/namespaces');
  t.is(headers['x-orch-pf-flowschema-uid'], undefined);
});

test('where the objects are not served, what every request needs is in force', async (t) => {
  const server = await start(t, {
    runtimeConfig: {'flowcontrol.apiserver.orch/v1beta2': false, 'flowcontrol.apiserver.orch/v1beta3': false},
  });
  t.is((await server.client.get('/api/v1/namespaces')).status, 200);
  t.is((await (await userClient(t, server, 'jane')).get('/apis')).status, 200);
});

test('one version of the objects is enough', async (t) => {
  const server = await start(t, {runtimeConfig: {'flowcontrol.apiserver.orch/v1beta2': false}});
  t.is((await builtIn(server)).length, 13);
});

test('seats that are none, and a feature that is off, are settled at start', async (t) => {
  await t.throwsAsync(startTestServer({limits: {maxRequestsInflight: 0, maxMutatingRequestsInflight: 0}}), {
    message: /must not both be 0/,
  });
  const server = await start(t, {
    featureGates: {APIPriorityAndFairness: false},
    limits: {maxRequestsInflight: 0, maxMutatingRequestsInflight: 0},
  });
  t.is((await server.client.get('/api/v1/namespaces')).status, 200);
});

test('administrators may look at what waits; nobody else, and there is nothing to see where it is off', async (t) => {
  const server = await start(t);
  const {client} = server;
  await builtIn(server);
  const path = '/debug/api_priority_and_fairness';
  const levels = (await client.get(`${path}/dump_priority_levels`)).body.toString();
  t.regex(levels, /^PriorityLevelName, ActiveQueues, IsIdle, +IsQuiescing, WaitingRequests, ExecutingRequests\n/);
  t.regex(levels, /\nworkload-low, +0, +true, +false, +0, +0\n/);
  t.regex((await client.get(`${path}/dump_queues`)).body.toString(), /\nexempt, +<none>, /);
  t.regex(
    (await client.get(`${path}/dump_requests?includeRequestDetails=1`)).body.toString(),
    /^PriorityLevelName, .*AdditionalLatency, UserName, /,
  );
  t.is((await client.get(`${path}/dump`)).status, 404);
  t.is((await client.post(`${path}/dump_queues`, {})).status, 405);
  t.is((await (await userClient(t, server, 'jane')).get(`${path}/dump_queues`)).status, 403);
  const off = await start(t, {enablePriorityAndFairness: false});
  t.is((await off.client.get(`${path}/dump_queues`)).status, 404);
});
