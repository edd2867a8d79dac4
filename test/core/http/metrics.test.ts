import test from 'ava';
import {prefersOpenMetrics} from '../../../core/http/metrics/serve-metrics.js';
import {declaredMetrics} from '../../../core/lifetimes/declared-metrics.js';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {declarationAt} from '../../../core/metrics/metric-release.js';
import {eventually} from '../../helpers/eventually.js';
import {parseMetrics, samplesOf, valueOf, type Scrape} from '../../helpers/metrics-text.js';
import {strangerClient, userClient} from '../../helpers/user-client.js';

let server: TestServer;
const openMetricsType = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

test.before(async () => {
  server = await startTestServer({platform: 'kubernetes'});
});
test.after.always(() => server.stop());

async function scrape(on = server): Promise<Scrape> {
  const response = await on.client.get('/metrics');
  if (response.status !== 200) throw new Error(`${response.status} ${response.body.toString()}`);
  return parseMetrics(response.body.toString());
}

async function servedRelease(): Promise<string> {
  const {major, minor} = (await server.client.get('/version')).json<{major: string; minor: string}>();
  return `${major}.${minor}`;
}

/** A request counts when its answer has gone out, which its client may know earlier. */
function counted(what: (scraped: Scrape) => number, expected: number): Promise<number> {
  return eventually(
    async () => what(await scrape()),
    (value) => value === expected,
  );
}

test.serial('the text form of Prometheus is the answer unless a client likes OpenMetrics at least as well', async (t) => {
  for (const accept of ['*/*', 'text/plain', '', `${openMetricsType};q=0.1, text/plain;q=0.5`]) {
    const response = await server.client.get('/metrics', {headers: {accept}});
    t.is(response.status, 200);
    t.is(response.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8', accept);
    t.true(parseMetrics(response.body.toString()).has('orch_store_following'));
  }
  // What Prometheus 2 sends.
  const accept =
    'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';
  const response = await server.client.get('/metrics', {headers: {accept}});
  t.is(response.headers['content-type'], openMetricsType);
  const metrics = parseMetrics(response.body.toString(), 'openMetrics');
  t.is(metrics.get('apiserver_request')!.type, 'counter');
  t.is(metrics.get('process_cpu_seconds')!.type, 'counter');
  t.false(prefersOpenMetrics('application/openmetrics-text;version=2.0.0'));
  t.false(prefersOpenMetrics('application/openmetrics-text;q=0'));
});

test.serial(
  'only who may get /metrics, a path of the root, sees them: nobody without credentials, no user without a role, members of system:monitoring',
  async (t) => {
    const stranger = await strangerClient(t, server);
    t.is((await stranger.get('/metrics')).status, 403);
    t.is((await stranger.request('GET', '/metrics', {headers: {authorization: 'Bearer wrong'}})).status, 401);
    t.is((await (await userClient(t, server, 'jane')).get('/metrics')).status, 403);
    t.is((await (await userClient(t, server, 'watcher', ['system:monitoring'])).get('/metrics')).status, 200);
    t.is((await server.client.post('/metrics', {})).status, 405);
    t.true((await server.client.get('/')).json<{paths: string[]}>().paths.includes('/metrics'));
  },
);

test.serial('a server tells all metrics that are declared, with their stability, and none besides but those of the process', async (t) => {
  const release = await servedRelease();
  const names = new Map(declaredMetrics.flatMap((one) => declarationAt(one, release) ?? []).map(({name, stability}) => [name, stability]));
  const metrics = await scrape();
  for (const [name, {help, type}] of metrics) {
    // Those of the process, and of a plugin.
    if (/^(?:process|nodejs|serviceaccount)_/.test(name)) {
      t.true(help.startsWith('[ALPHA] '), name);
      continue;
    }
    t.true(names.has(name), name);
    t.true(help.startsWith(`[${names.get(name)}] `), name);
    t.is(declaredMetrics.find((other) => other.name === name)!.buckets !== undefined, type === 'histogram', name);
  }
  for (const name of [
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'process_open_fds',
    'nodejs_heap_size_used_bytes',
    'nodejs_array_buffers_bytes',
    'nodejs_eventloop_lag_p99_seconds',
  ])
    t.true(metrics.has(name), name);
  t.true(valueOf(metrics, 'process_resident_memory_bytes') > 10_000_000);
});

test.serial('requests are counted with the labels of Kubernetes: verb, dry run, type, subresource, scope and code', async (t) => {
  const {client} = server;
  const base = '/api/v1/namespaces/default/configmaps';
  const common = {group: '', version: 'v1', resource: 'configmaps', subresource: '', component: 'apiserver', dry_run: ''};
  const cases: readonly [() => Promise<{status: number}>, string, string, string, string?][] = [
    [() => client.post(base, {metadata: {name: 'counted'}}), 'POST', 'resource', '201'],
    [() => client.post(base, {metadata: {name: 'counted'}}), 'POST', 'resource', '409'],
    [() => client.post(`${base}?dryRun=All`, {metadata: {name: 'other'}}), 'POST', 'resource', '201', 'All'],
    [() => client.get(`${base}/counted`), 'GET', 'resource', '200'],
    [() => client.get(`${base}/missing`), 'GET', 'resource', '404'],
    [() => client.get(base), 'LIST', 'namespace', '200'],
    [() => client.get('/api/v1/configmaps'), 'LIST', 'cluster', '200'],
    [() => client.put(`${base}/counted`, {metadata: {name: 'counted'}, data: {a: 'b'}}), 'PUT', 'resource', '200'],
    [() => client.patch(`${base}/counted`, {data: {a: 'c'}}), 'PATCH', 'resource', '200'],
    [
      () =>
        client.patch(
          `${base}/counted?fieldManager=me&force=true`,
          {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'counted'}},
          'application/apply-patch+yaml',
        ),
      'APPLY',
      'resource',
      '200',
    ],
    [() => client.delete(`${base}/counted`), 'DELETE', 'resource', '200'],
    [() => client.delete(base), 'DELETECOLLECTION', 'namespace', '200'],
  ];
  for (const [send, verb, scope, code, dryRun = ''] of cases) {
    const labels = {...common, verb, scope, code, dry_run: dryRun};
    const before = valueOf(await scrape(), 'apiserver_request_total', labels);
    t.is(String((await send()).status), code);
    t.is(await counted((metrics) => valueOf(metrics, 'apiserver_request_total', labels), before + 1), before + 1, `${verb} ${code}`);
  }
  const metrics = await scrape();
  const {dry_run: _dryRun, ...ofSizes} = common;
  t.true(valueOf(metrics, 'apiserver_request_duration_seconds_count', {...common, verb: 'GET', scope: 'resource'}) >= 2);
  t.true(valueOf(metrics, 'apiserver_response_sizes_sum', {...ofSizes, verb: 'LIST'}) > 100);
  t.is(samplesOf(metrics, 'apiserver_response_sizes_count', {verb: 'POST'}).length, 0);
  t.true(valueOf(metrics, 'apiserver_current_inflight_requests', {request_kind: 'readOnly'}) >= 1);
  t.true(samplesOf(metrics, 'apiserver_request_total', {subresource: '/metrics', verb: 'GET', code: '200'}).length === 1);
});

test.serial('clients cannot make up series: unknown types, verbs, paths and codes fold into one value, and no user is named', async (t) => {
  const {client} = server;
  await client.get('/metrics');
  const before = await scrape();
  const jane = await userClient(t, server, 'jane@example.com');
  for (let index = 0; index < 40; index += 1) {
    await client.get(`/apis/g${index}.example.com/v1/things`);
    await client.get(`/api/v1/namespaces/ns${index}/unknown${index}/x`);
    await client.get(`/api/v1/namespaces/default/pods/x/sub${index}`);
    await client.get(`/path${index}`);
    await client.request(index % 2 === 0 ? 'PROPFIND' : 'LOCK', `/api/v1/namespaces/default/pods`);
    await jane.get(`/api/v1/namespaces/n${index}/pods`);
  }
  await client.get('/api/v1/%ff');
  const series = (metrics: Scrape) => samplesOf(metrics, 'apiserver_request_total').length;
  await eventually(
    async () => valueOf(await scrape(), 'apiserver_request_total', {resource: 'other', group: '', version: ''}),
    (value) => value >= 120,
  );
  const metrics = await scrape();
  t.true(series(metrics) <= series(before) + 15, `${series(before)} ${series(metrics)}`);
  t.true(valueOf(metrics, 'apiserver_request_total', {verb: 'other', resource: 'pods'}) >= 1);
  t.is(valueOf(metrics, 'authenticated_user_requests', {username: 'email_id'}), 40);
  const text = (await client.get('/metrics')).body.toString();
  for (const name of ['jane', 'example.com', 'unknown1', 'sub1', 'PROPFIND']) t.false(text.includes(name), name);
});

test.serial('authentication and authorization are counted by their results', async (t) => {
  const stranger = await strangerClient(t, server);
  const jane = await userClient(t, server, 'joan');
  const results = (metrics: Scrape) =>
    Object.fromEntries([
      ...['success', 'failure', 'error'].map((result) => [result, valueOf(metrics, 'authentication_attempts', {result})]),
      ...['success', 'failure', 'error'].map((result) => [
        `${result} timed`,
        valueOf(metrics, 'authentication_duration_seconds_count', {result}),
      ]),
      ...['allowed', 'denied', 'no-opinion'].map((result) => [result, valueOf(metrics, 'authorization_attempts_total', {result})]),
    ]) as Record<string, number>;
  const before = results(await scrape());
  t.is((await stranger.get('/api/v1/pods')).status, 403);
  t.is((await stranger.request('GET', '/api/v1/pods', {headers: {authorization: 'Bearer wrong'}})).status, 401);
  t.is((await jane.get('/api/v1/pods')).status, 403);
  const after = results(await scrape());
  const grown = (name: string) => after[name]! - before[name]!;
  t.is(grown('no-opinion'), 2);
  t.is(grown('error'), 1);
  t.is(grown('error timed'), 1);
  t.is(grown('success timed'), grown('success'));
  t.true(grown('success') >= 3 && grown('allowed') >= 1);
  t.is(valueOf(await scrape(), 'authenticated_user_requests', {username: 'system:anonymous'}) > 0, true);
});

test.serial(
  '[B-DEPR-9] a request to a deprecated endpoint sets apiserver_requested_deprecated_apis to 1 for its type and the release that removes it',
  async (t) => {
    const labels = {
      group: 'flowcontrol.apiserver.k8s.io',
      version: 'v1beta2',
      resource: 'flowschemas',
      subresource: '',
      removed_release: '1.29',
    };
    const name = 'apiserver_requested_deprecated_apis';
    await using older = await startTestServer({platform: 'kubernetes', release: '1.28'});
    t.deepEqual(samplesOf(await scrape(older), name), []);
    await older.client.get('/apis/flowcontrol.apiserver.k8s.io/v1beta3/prioritylevelconfigurations');
    for (let times = 0; times < 2; times += 1) {
      const response = await older.client.get('/apis/flowcontrol.apiserver.k8s.io/v1beta2/flowschemas');
      t.is(response.status, 200);
      t.truthy(response.headers['warning']);
    }
    t.deepEqual(samplesOf(await scrape(older), name), [{name, labels, value: 1}]);
    const path = '/apis/flowcontrol.apiserver.k8s.io/v1beta2/flowschemas/exempt/status';
    t.is((await older.client.get(path)).status, 200);
    t.deepEqual(
      samplesOf(await scrape(older), name).map(({labels: told}) => told['subresource']),
      ['', 'status'],
    );
  },
);

test.serial('watches are counted while they are open, with the events that they got and how long these were under way', async (t) => {
  const {client} = server;
  const base = '/api/v1/namespaces/default/secrets';
  await client.post(base, {metadata: {name: 'first'}});
  const open = (metrics: Scrape) =>
    valueOf(metrics, 'apiserver_longrunning_requests', {verb: 'WATCH', resource: 'secrets', scope: 'namespace'});
  const abort = new AbortController();
  const events = client.watch(`${base}?watch=true`, {signal: abort.signal});
  t.is((await events.next()).value?.type, 'ADDED');
  const delays = valueOf(await scrape(), 'orch_watch_delay_seconds_count');
  await client.post(base, {metadata: {name: 'second'}});
  t.is((await events.next()).value?.object.metadata.name, 'second');
  const metrics = await scrape();
  t.is(open(metrics), 1);
  const isByResource = Number((await servedRelease()).split('.')[1]) >= 34;
  const watched: Record<string, string> = {group: '', version: 'v1', ...(isByResource ? {resource: 'secrets'} : {kind: 'Secret'})};
  t.is(valueOf(metrics, 'apiserver_watch_events_total', watched), 2);
  t.true(valueOf(metrics, 'orch_watch_delay_seconds_count') > delays);
  t.is(valueOf(metrics, 'apiserver_registered_watchers', watched), 1);
  t.is(valueOf(metrics, 'apiserver_watch_events_sizes_count', watched), 2);
  const bytes = valueOf(metrics, 'apiserver_watch_events_sizes_sum', watched);
  t.true(bytes > 200 && bytes < 4000, String(bytes));
  t.true(valueOf(metrics, 'orch_storage_watches', {resource: 'secrets'}) >= 1);
  t.is(valueOf(metrics, 'apiserver_storage_objects', {resource: 'secrets'}), 2);
  t.true(valueOf(metrics, 'orch_storage_window_events', {resource: 'secrets'}) >= 2);
  t.is(samplesOf(metrics, 'apiserver_storage_objects', {resource: 'flowschemas.flowcontrol.apiserver.k8s.io'}).length, 1);
  abort.abort();
  await events.return(undefined).catch(() => undefined);
  t.is(await counted(open, 0), 0);
  t.is(await counted((now) => valueOf(now, 'apiserver_registered_watchers', watched), 0), 0);
  const ended = valueOf(await scrape(), 'apiserver_request_total', {verb: 'WATCH', resource: 'secrets', code: '200'});
  t.is(ended, 1);
});

test.serial('the store, priority and fairness, admission, queues and limits tell their figures', async (t) => {
  const {client} = server;
  const jane = await userClient(t, server, 'reader', ['system:monitoring']);
  t.is((await jane.get('/metrics')).status, 200);
  await client.post('/api/v1/namespaces', {metadata: {name: 'passing'}});
  await client.delete('/api/v1/namespaces/passing');
  await counted((metrics) => Math.min(1, valueOf(metrics, 'workqueue_adds_total', {name: 'namespace'})), 1);
  const metrics = await scrape();
  t.is(valueOf(metrics, 'orch_store_following', {shard: '0'}), 1);
  t.is(valueOf(metrics, 'orch_store_lag_revisions'), 0);
  t.true(valueOf(metrics, 'orch_store_revision') > 10, String(valueOf(metrics, 'orch_store_revision')));
  t.is(valueOf(metrics, 'orch_store_epoch_changes_total'), 0);
  t.true(valueOf(metrics, 'orch_http_connections') >= 2);
  const flow = {priority_level: 'global-default', flow_schema: 'global-default'};
  t.true(valueOf(metrics, 'apiserver_flowcontrol_dispatched_requests_total', flow) >= 1);
  t.is(await counted((now) => valueOf(now, 'apiserver_flowcontrol_current_executing_requests', flow), 0), 0);
  t.true(valueOf(metrics, 'apiserver_flowcontrol_nominal_limit_seats', {priority_level: 'global-default'}) > 10);
  t.true(valueOf(metrics, 'apiserver_flowcontrol_request_wait_duration_seconds_count', {...flow, execute: 'true'}) >= 1);
  t.true(
    valueOf(metrics, 'apiserver_admission_step_admission_duration_seconds_count', {
      type: 'validate',
      operation: 'CREATE',
      rejected: 'false',
    }) >= 1,
  );
  t.true(
    valueOf(metrics, 'apiserver_admission_controller_admission_duration_seconds_count', {
      name: 'NamespaceLifecycle',
      operation: 'CREATE',
    }) >= 1,
  );
  t.true(valueOf(metrics, 'workqueue_work_duration_seconds_count', {name: 'namespace'}) >= 1);
  t.is(await counted((now) => valueOf(now, 'workqueue_depth', {name: 'namespace'}), 0), 0);
});

test('series of a type go with it, and come back with it', async (t) => {
  await using own = await startTestServer({platform: 'kubernetes'});
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const group = 'gone.example.com';
  const things = `/apis/${group}/v1/things`;
  const versions = [{name: 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object'}}}];
  const told = async () => (await own.client.get('/metrics')).body.toString().includes(`group="${group}"`);
  for (let round = 0; round < 2; round++) {
    const spec = {group, scope: 'Cluster', names: {plural: 'things', kind: 'Thing'}, versions};
    t.is((await own.client.post(definitions, {metadata: {name: `things.${group}`}, spec})).status, 201);
    await eventually(
      async () => (await own.client.get(things)).status,
      (status) => status === 200,
    );
    if (round === 0) await own.client.get(`${things}?watch=true&timeoutSeconds=1`);
    await eventually(told, (isTold) => isTold);
    if (round > 0) return;
    t.is((await own.client.delete(`${definitions}/things.${group}`)).status, 200);
    await eventually(told, (isTold) => !isTold);
  }
});
