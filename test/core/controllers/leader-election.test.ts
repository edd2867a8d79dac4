import test, {type ExecutionContext} from 'ava';
import {join} from 'node:path';
import {type ApiObject} from '@orch-api/orch/sdk';
import {startTestServer, TestClient} from '@orch-api/orch/testing';
import {until} from '../../helpers/eventually.js';
import {startOrch, type OrchProcess} from '../../helpers/orch-process.js';
import {startRedis} from '../../helpers/redis-server.js';
import {startTwoServers} from '../../helpers/two-servers.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {writingPlugin} from './writing-plugin.js';

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
const shared = `${leases}/kube-controller-manager`;
/** Less than the lease of a leader lasts. */
const soonMillis = 12_000;

interface Lease extends ApiObject {
  spec: {holderIdentity: string; leaseDurationSeconds: number; leaseTransitions: number; renewTime: string};
}

async function clientOf(t: ExecutionContext, server: OrchProcess): Promise<TestClient> {
  const client = await TestClient.open(server.url, join(server.dataDir, 'pki'));
  t.teardown(() => client.close());
  return client;
}

async function leaseAt(client: TestClient, path: string): Promise<Lease | undefined> {
  const answer = await client.get(path);
  return answer.status === 200 ? answer.json<Lease>() : undefined;
}

test.serial('the built-in controllers have a leader soon after the start, by a lease with the name that Kubernetes gives it', async (t) => {
  const server = await startTestServer({platform: 'kubernetes'});
  t.teardown(() => server.stop());
  const lease = await until('a leader', () => leaseAt(server.client, shared), soonMillis);
  t.regex(lease.spec.holderIdentity, /^orch-server_.+_[-0-9a-f]{36}$/);
  t.is(lease.spec.leaseDurationSeconds, 15);
  t.regex(lease.metadata.annotations?.['control-plane.kubernetes.io/controllers'] ?? '', / .*csrapproving.*,namespace,.*serviceaccount/);
  // What servers may be given on some only has a lease of its own, and what each server needs has none.
  await until('a lease of its own', () => leaseAt(server.client, `${leases}/csrsigning`));
  t.is((await server.client.get(`${leases}/flow-control`)).status, 404);
});

test.serial('a server that stops in good order hands its controllers over long before its lease runs out', async (t) => {
  const [first, second] = await startTwoServers(t, {platform: 'kubernetes'});
  const held = await until('a leader', () => leaseAt(second.client, shared));
  await until('the other lease', () => leaseAt(second.client, `${leases}/csrsigning`));
  const stopped = first.stop();
  const begun = performance.now();
  const {spec} = await until('another leader', async () => {
    const lease = await leaseAt(second.client, shared);
    return lease && lease.spec.holderIdentity !== held.spec.holderIdentity && lease.spec.holderIdentity !== '' && lease;
  });
  // Below a second where nothing else keeps the machine busy.
  const millis = performance.now() - begun;
  t.log(`hand-over between two servers on one Redis: ${millis.toFixed(0)} ms`);
  t.true(millis < 5000, `${millis} ms`);
  t.is(spec.leaseTransitions, held.spec.leaseTransitions + 1);
  await stopped;
  t.is((await second.client.post('/api/v1/namespaces', {metadata: {name: 'after'}})).status, 201);
  await until(
    'the controllers of the other server work',
    async () => (await second.client.get('/api/v1/namespaces/after/serviceaccounts/default')).status === 200,
  );
});

test.serial('a server that is started again on the embedded store leads at once, with whatever it had to do', async (t) => {
  const dataDir = tempFolder(t);
  const options = {platform: 'kubernetes', store: 'embedded', dataDir} as const;
  const first = await startTestServer(options);
  const held = await until('a leader', () => leaseAt(first.client, shared));
  // Without its leader nobody empties it.
  await first.client.patch(shared, {spec: {holderIdentity: 'somebody', leaseDurationSeconds: 3600}});
  await first.client.post('/api/v1/namespaces', {metadata: {name: 'left'}});
  await first.client.delete('/api/v1/namespaces/left');
  await first.client.patch(shared, {spec: {holderIdentity: ''}});
  const stopping = performance.now();
  await first.stop();
  const stopped = performance.now();
  const second = await startTestServer(options);
  const ready = performance.now();
  t.teardown(() => second.stop());
  const lease = await until('a leader', async () => {
    const found = await leaseAt(second.client, shared);
    return found && ![held.spec.holderIdentity, ''].includes(found.spec.holderIdentity) && found;
  });
  const leads = performance.now();
  t.true(lease.spec.leaseTransitions > held.spec.leaseTransitions);
  await until('the rest is done', async () => (await second.client.get('/api/v1/namespaces/left')).status === 404);
  const millis = (from: number, to: number) => `${(to - from).toFixed(0)} ms`;
  t.log(
    `restart: stopped in ${millis(stopping, stopped)}, ready ${millis(stopped, ready)} later, leads ${millis(ready, leads)} after that`,
  );
  t.true(leads - ready < 5000);
});

test.serial('a lease that somebody deletes or takes ends the term; a free one is taken again', async (t) => {
  const server = await startTestServer({platform: 'kubernetes'});
  t.teardown(() => server.stop());
  const {client} = server;
  const before = await until('a leader', () => leaseAt(client, shared));
  t.is((await client.delete(shared)).status, 200);
  const anew = await until('a lease again', () => leaseAt(client, shared));
  t.not(anew.metadata.uid, before.metadata.uid);
  // Somebody else, as Kubernetes' own controller manager.
  const taken = {...anew, spec: {...anew.spec, holderIdentity: 'somebody', leaseDurationSeconds: 3600}};
  t.is((await client.put(shared, taken)).status, 200);
  t.is((await client.post('/api/v1/namespaces', {metadata: {name: 'unattended'}})).status, 201);
  await client.post('/api/v1/namespaces/unattended/configmaps', {metadata: {name: 'later'}});
  t.is((await client.get('/api/v1/namespaces/unattended/serviceaccounts/default')).status, 404);
  t.is((await client.patch(shared, {spec: {holderIdentity: ''}})).status, 200);
  await until(
    'the server leads again',
    async () => (await client.get('/api/v1/namespaces/unattended/serviceaccounts/default')).status === 200,
  );
});

test.serial('after a crash the next server on the embedded store leads at once: nobody else can have it', async (t) => {
  const dataDir = tempFolder(t);
  const crashed = await startOrch(t, {platform: 'kubernetes', dataDir});
  const lease = await until('a leader', async () => leaseAt(await clientOf(t, crashed), shared));
  await crashed.kill9();
  const next = await startOrch(t, {platform: 'kubernetes', dataDir});
  const client = await clientOf(t, next);
  const taken = await until(
    'another leader',
    async () => {
      const found = await leaseAt(client, shared);
      return found && found.spec.holderIdentity !== lease.spec.holderIdentity && found;
    },
    soonMillis,
  );
  t.is(taken.spec.leaseTransitions, lease.spec.leaseTransitions + 1);
});

test.serial(
  'a leader that was paused writes nothing once another one leads; a killed one is replaced when its lease has run out',
  async (t) => {
    const redis = await startRedis(t);
    const plugin = writingPlugin(t);
    const election = [
      '--leader-elect-lease-duration',
      '2s',
      '--leader-elect-renew-deadline',
      '1500ms',
      '--leader-elect-retry-period',
      '200ms',
    ];
    const options = {platform: 'kubernetes', store: redis.url, extra: ['--plugin', plugin, ...election]} as const;
    const [first, second] = [await startOrch(t, options), await startOrch(t, options)];
    const servers = [first, second];
    const clients = new Map(await Promise.all(servers.map(async (server) => [server, await clientOf(t, server)] as const)));
    const written = '/api/v1/namespaces/default/configmaps/written';
    const writer = async (server: typeof first) => {
      const answer = await clients.get(server)!.get(written);
      return answer.status === 200 ? Number(answer.json<{data: {pid: string}}>().data.pid) : undefined;
    };
    const leaderPid = await until('a writer', () => writer(second));
    const leader = servers.find(({pid}) => pid === leaderPid)!;
    const other = servers.find((server) => server !== leader)!;
    const history: number[] = [];
    const watching = new AbortController();
    const follow = (async () => {
      const path = '/api/v1/namespaces/default/configmaps?watch=1&fieldSelector=metadata.name%3Dwritten';
      for await (const {object} of clients.get(other)!.watch(path, {signal: watching.signal})) {
        history.push(Number((object as ApiObject & {data: {pid: string}}).data.pid));
      }
    })().catch(() => undefined);
    await until('writes are seen', () => history.length > 3);

    leader.child.kill('SIGSTOP');
    const paused = performance.now();
    await until('the other one leads', () => history.at(-1) === other.pid);
    t.true(performance.now() - paused < 10_000, `${performance.now() - paused} ms`);
    leader.child.kill('SIGCONT');
    const resumed = history.length;
    await until('the other one goes on', () => history.length > resumed + 20);
    await until('the paused one has noticed', () => leader.logs().includes('no longer leads'));
    await until('the other one goes on', () => history.length > resumed + 40);
    const firstOfOther = history.indexOf(other.pid);
    t.deepEqual([...new Set(history.slice(0, firstOfOther))], [leader.pid]);
    t.deepEqual([...new Set(history.slice(firstOfOther))], [other.pid]);
    watching.abort();
    await follow;

    await other.kill9();
    const killed = performance.now();
    await until('the first one leads again', async () => (await writer(leader)) === leader.pid);
    t.true(performance.now() - killed < 10_000, `${performance.now() - killed} ms`);
  },
);

test.serial(
  'elections ride on the shared lease: theirs last longer and are renewed less often, and go with it when their holder is killed',
  async (t) => {
    const redis = await startRedis(t);
    const election = [
      '--leader-elect-lease-duration',
      '2s',
      '--leader-elect-renew-deadline',
      '1500ms',
      '--leader-elect-retry-period',
      '200ms',
    ];
    const options = {platform: 'kubernetes', store: redis.url, extra: election} as const;
    const first = await startOrch(t, options);
    const client = await clientOf(t, first);
    const own = `${leases}/csrsigning`;
    const riding = await until('it rides', async () => {
      const lease = await leaseAt(client, own);
      return lease?.spec.leaseDurationSeconds === 12 && lease;
    });
    t.is((await leaseAt(client, shared))!.spec.leaseDurationSeconds, 2);
    const second = await startOrch(t, options);
    const witness = await clientOf(t, second);

    const renewals = {shared: 0, own: 0};
    const watching = new AbortController();
    const follow = (async () => {
      for await (const {type, object} of witness.watch(`${leases}?watch=1`, {signal: watching.signal})) {
        if (type !== 'MODIFIED') continue;
        if (object.metadata.name === 'kube-controller-manager') renewals.shared++;
        if (object.metadata.name === 'csrsigning') renewals.own++;
      }
    })().catch(() => undefined);
    await until('both are renewed', () => renewals.own >= 2);
    watching.abort();
    await follow;
    t.true(renewals.shared >= 3 * renewals.own, JSON.stringify(renewals));

    await first.kill9();
    const taken = (path: string) => async () => {
      const {holderIdentity} = (await leaseAt(witness, path))!.spec;
      return holderIdentity !== '' && holderIdentity !== riding.spec.holderIdentity;
    };
    await until('the shared lease is taken', taken(shared));
    const began = performance.now();
    await until('the other is taken', taken(own));
    const delay = performance.now() - began;
    t.true(delay < 1500, `${delay.toFixed(0)} ms after the shared lease`);
  },
);

test.serial('a lease that was taken before the one on which it rides is renewed within its own time', async (t) => {
  const redis = await startRedis(t);
  // Renewed every 2 s, or every 12 s once it rides; held for 4 s.
  const election = ['--leader-elect-lease-duration', '6s', '--leader-elect-renew-deadline', '4s', '--leader-elect-retry-period', '200ms'];
  const server = await startOrch(t, {platform: 'kubernetes', store: redis.url, extra: election});
  const client = await clientOf(t, server);
  await until('it rides', async () => (await leaseAt(client, `${leases}/csrsigning`))?.spec.leaseDurationSeconds === 36);
  t.notRegex(server.logs(), /could not be renewed/);
});

test.serial('who loses the shared lease gives up what rode on it, and takes that again while nobody else has it', async (t) => {
  const redis = await startRedis(t);
  const leaderElection = {leaseDuration: '2s', renewDeadline: '1500ms', retryPeriod: '200ms'};
  const server = await startTestServer({platform: 'kubernetes', store: redis.url, leaderElection});
  t.teardown(() => server.stop());
  const lasts = (seconds: number) => async () =>
    (await leaseAt(server.client, `${leases}/csrsigning`))?.spec.leaseDurationSeconds === seconds;
  await until('it rides', lasts(12));
  await server.client.patch(shared, {spec: {holderIdentity: 'somebody'}});
  await until('it does not ride', lasts(2));
  await until('it rides again, once nobody renews the other', lasts(12));
  t.regex((await leaseAt(server.client, shared))!.spec.holderIdentity, /^orch-server_/);
});
