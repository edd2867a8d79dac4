import test from 'ava';
import {eventually} from '../../../helpers/eventually.js';
import {startTestServer} from '@orch-api/orch/testing';
import {httpsClient} from '../../../helpers/https-client.js';
import {startOrch} from '../../../helpers/orch-process.js';
import {startRedis} from '../../../helpers/redis-server.js';

test('why a check fails is told to administrators and to the log, not to anybody', async (t) => {
  const redis = await startRedis(t);
  const orch = await startOrch(t, {store: redis.url});
  const administrator = httpsClient(t, orch);
  const anybody = httpsClient(t, {url: orch.url, ca: orch.ca});
  const address = new URL(redis.url).host;
  await redis.stop();
  const told = await eventually(
    () => administrator.get('/readyz?verbose'),
    ({status}) => status === 500,
  );
  t.true(told.text.includes(address), told.text);
  for (const path of ['/readyz', '/readyz?verbose', '/readyz/store', '/readyz/etcd', '/healthz']) {
    const answer = await anybody.get(path);
    t.is(answer.status, 500);
    t.false(answer.text.includes(address), answer.text);
    t.regex(answer.text, /^(?:\[-\]store failed|internal server error): reason withheld$/m);
  }
  t.is((await administrator.get('/livez?verbose')).status, 200, 'a restart would not bring the store back');
  const lines = orch
    .logs()
    .split('\n')
    .filter((line) => line.includes('"a health check fails"'));
  // The store, by the three names that it has.
  t.deepEqual(lines.map((line) => /"check":"([^"]*)"/.exec(line)?.[1]).toSorted(), ['etcd', 'etcd-readiness', 'store']);
  for (const line of lines) t.true(line.includes(address));
});

test('checks have the names that clients know, are left out, and are run one by one', async (t) => {
  const server = await startTestServer({platform: 'kubernetes', controllers: ['apiserver']});
  t.teardown(() => server.stop());
  const get = async (path: string) => {
    const {status, headers, body} = await server.client.get(path);
    return {status, text: body.toString(), nosniff: headers['x-content-type-options'] === 'nosniff', type: headers['content-type']};
  };
  const plain = 'text/plain; charset=utf-8';
  for (const path of ['/healthz', '/livez', '/readyz', '/readyz?exclude=etcd&exclude=nothing'])
    t.deepEqual(await get(path), {status: 200, text: 'ok', nosniff: true, type: plain});
  const ready = (await get('/readyz?verbose')).text.split('\n');
  for (const name of ['ping', 'log', 'etcd', 'etcd-readiness', 'informer-sync', 'shutdown', 'poststarthook/rbac/bootstrap-roles'])
    t.true(ready.includes(`[+]${name} ok`), name);
  t.deepEqual(ready.slice(-2), ['readyz check passed', '']);
  const live = (await get('/livez?verbose')).text.split('\n');
  // Those that Kubernetes' own suite asks for.
  for (const name of [
    'etcd',
    'autoregister-completion',
    'poststarthook/apiservice-openapi-controller',
    'poststarthook/start-service-ip-repair-controllers',
    'poststarthook/storage-readiness',
  ])
    t.true(live.includes(`[+]${name} ok`), name);
  t.false(live.includes('[+]store ok'));
  const excluding = (await get('/readyz?verbose&exclude=other&exclude=etcd&exclude=bogus')).text;
  t.true(excluding.includes('\n[+]etcd excluded: ok\n'));
  t.true(excluding.endsWith('\nwarn: some health checks cannot be excluded: no matches for "bogus","other"\nreadyz check passed\n'));

  const {paths} = (await server.client.get('/')).json<{paths: string[]}>();
  const single = paths.filter((path) => /^\/(?:healthz|livez|readyz)\//.test(path));
  t.true(single.includes('/livez/poststarthook/start-apiextensions-controllers'));
  for (const path of single) t.deepEqual(await get(path), {status: 200, text: 'ok', nosniff: false, type: plain}, path);
  for (const path of ['/healthz/', '/readyz/bogus', '/livez/poststarthook', '/livez/store', '/readyz/poststarthook/bogus'])
    t.deepEqual(await get(path), {status: 404, text: '404 page not found\n', nosniff: true, type: plain}, path);
});

test('what a server does not have has no check', async (t) => {
  const server = await startTestServer({
    platform: 'kubernetes',
    controllers: [],
    authorizationMode: ['AlwaysAllow'],
    enablePriorityAndFairness: false,
  });
  t.teardown(() => server.stop());
  const {text} = {text: (await server.client.get('/healthz?verbose')).body.toString()};
  t.true(text.includes('[+]poststarthook/crd-informer-synced ok\n'));
  for (const name of ['rbac/bootstrap-roles', 'priority-and-fairness-filter', 'bootstrap-controller']) t.false(text.includes(name), name);
});

test('/metrics/slis counts how the checks of each path came out, from 1.27 on', async (t) => {
  const server = await startTestServer({platform: 'kubernetes', release: '1.36'});
  t.teardown(() => server.stop());
  const page = async () => (await server.client.get('/metrics/slis')).body.toString();
  await server.client.get('/readyz');
  await server.client.get('/readyz?exclude=ping');
  await server.client.get('/livez/ping');
  const text = await page();
  const lines = text.split('\n');
  t.true(lines.includes('kubernetes_healthcheck{name="etcd",type="readyz"} 1'), text);
  t.true(lines.includes('kubernetes_healthchecks_total{name="etcd",type="readyz",status="success"} 2'), text);
  t.true(lines.includes('kubernetes_healthchecks_total{name="ping",type="readyz",status="success"} 1'), text);
  t.regex(text, /^# HELP kubernetes_healthcheck \[STABLE\]/m);
  t.false(text.includes('livez'), 'one check alone is not counted');
  t.deepEqual(
    lines.filter((line) => line.startsWith('# TYPE')),
    ['# TYPE process_start_time_seconds gauge', '# TYPE kubernetes_healthcheck gauge', '# TYPE kubernetes_healthchecks_total counter'],
  );
  t.true((await server.client.get('/')).json<{paths: string[]}>().paths.includes('/metrics/slis'));
  const old = await startTestServer({platform: 'kubernetes', release: '1.26'});
  t.teardown(() => old.stop());
  t.is((await old.client.get('/metrics/slis')).status, 404);
});
