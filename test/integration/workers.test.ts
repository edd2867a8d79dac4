import {once} from 'node:events';
import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {connect, type TLSSocket} from 'node:tls';
import test from 'ava';
import {eventually, until} from '../helpers/eventually.js';
import {httpsClient, type HttpsClient} from '../helpers/https-client.js';
import {runOrch, spawnOrch, startOrch, type OrchProcess} from '../helpers/orch-process.js';
import {startRedis} from '../helpers/redis-server.js';

/** One server of several processes; its parts are killed and replaced one test after the other. */
const workers = 2;
const path = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, text = name) => ({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name}, data: {text}});

let orch: OrchProcess;
let audit: string;

test.before(async () => {
  audit = mkdtempSync(join(tmpdir(), 'orch-workers-'));
  const rules = [
    {level: 'Metadata', omitStages: ['RequestReceived'], verbs: ['create'], resources: [{group: '', resources: ['configmaps']}]},
  ];
  const policy = join(audit, 'policy.json');
  writeFileSync(policy, JSON.stringify({apiVersion: 'audit.orch/v1', kind: 'Policy', rules: [...rules, {level: 'None'}]}));
  const flags = ['--audit-policy-file', policy, '--audit-log-path', join(audit, 'audit.log')];
  orch = await spawnOrch({extra: ['--workers', String(workers), ...flags]});
});

test.after.always(async () => {
  await orch?.stop();
  rmSync(audit, {recursive: true, force: true});
});

interface LogLine {
  readonly msg: string;
  readonly pid?: number;
  readonly worker?: number;
}

function logLines(): LogLine[] {
  return orch
    .logs()
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as LogLine] : []));
}

const started = (what: string) => logLines().filter(({msg}) => msg === what);
const startedWorkers = () => started('a worker is started');
const storePid = () => started('the process with the store is started').at(-1)!.pid!;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function connection(session?: Buffer): Promise<TLSSocket> {
  const {url, ca, cert, key} = orch;
  const {hostname, port} = new URL(url);
  const socket = connect({host: hostname, port: Number(port), ca, cert, key, ...(session ? {session} : {})});
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  return socket;
}

/** As many clients as it takes to have a connection to each worker. */
function clients(t: {teardown(cleanup: () => void): void}): HttpsClient[] {
  return Array.from({length: 2 * workers}, () => httpsClient(t, orch));
}

/** The number of each worker that answers, and how many connections it has. */
async function openConnections(client: HttpsClient): Promise<(readonly [worker: string, count: number])[]> {
  const {text} = await client.get('/metrics');
  return [...text.matchAll(/^orch_http_connections\{worker="(\d)"\} (\d+)$/gm)].map(([, worker, count]) => [worker!, Number(count)]);
}

async function serve(t: {teardown(cleanup: () => void): void}): Promise<void> {
  const client = httpsClient(t, orch);
  await eventually(
    () =>
      client.get('/readyz').then(
        ({status}) => status,
        () => 0,
      ),
    (status) => status === 200,
  );
  // A worker that started while the store was away may have given up.
  await until('all workers', async () => (await openConnections(client)).length === workers);
}

test.serial('what one worker has acknowledged is read and watched at all others', async (t) => {
  const all = clients(t);
  const watches = await Promise.all(all.map((client) => client.watch(`${path}?watch=1`)));
  const seen = watches.map(() => [] as string[]);
  for (let round = 0; round < 20; round++) {
    const writer = all[round % all.length]!;
    t.is((await writer.post(path, configMap(`round-${round}`))).status, 201);
    const answers = await Promise.all(all.map((client) => client.get(`${path}/round-${round}`)));
    t.deepEqual(
      answers.map(({status}) => status),
      all.map(() => 200),
      `round ${round}`,
    );
  }
  for (const [index, watch] of watches.entries()) {
    while (seen[index]!.length < 20) {
      const event = await watch.next();
      if (event!.object.metadata.name.startsWith('round-')) seen[index]!.push(event!.object.metadata.name);
    }
    t.deepEqual(
      seen[index],
      Array.from({length: 20}, (_, round) => `round-${round}`),
    );
    watch.close();
  }
});

test.serial('each worker has an audit log of its own; together they have every request once', async (t) => {
  const files = readdirSync(audit).filter((name) => name.endsWith('.log'));
  t.deepEqual(files.toSorted(), ['audit-worker1.log', 'audit-worker2.log']);
  const read = (name: string) =>
    readFileSync(join(audit, name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as {objectRef: {name?: string}; requestURI: string}).objectRef.name ?? '');
  const recorded = await eventually(
    () => files.map(read),
    (names) => names.flat().length >= 20,
  );
  t.deepEqual(recorded.flat().toSorted(), Array.from({length: 20}, (_, round) => `round-${round}`).toSorted());
  t.true(
    recorded.every((names) => names.length > 0),
    'both have some',
  );
});

test.serial('a TLS session that one worker began is resumed by the others', async (t) => {
  const first = await connection();
  const [session] = (await once(first, 'session')) as [Buffer];
  const resumed = await Promise.all(Array.from({length: 2 * workers}, () => connection(session)));
  t.deepEqual(
    resumed.map((socket) => socket.isSessionReused()),
    resumed.map(() => true),
  );
  for (const socket of [first, ...resumed]) socket.destroy();
});

test.serial('whichever worker is asked for metrics tells of all, each with its number', async (t) => {
  const sockets = await Promise.all(Array.from({length: 10}, () => connection()));
  for (const client of clients(t)) {
    const open = await openConnections(client);
    t.deepEqual(open.map(([worker]) => worker).toSorted(), ['1', '2']);
    const [one = 0, two = 0] = open.map(([, count]) => count);
    t.true(one + two >= 11 && Math.abs(one - two) <= 1, `${one} and ${two}`);
  }
  for (const socket of sockets) socket.destroy();
});

test.serial(
  'connections are spread evenly; those of a worker that is killed are lost, the others not; another worker takes its place',
  async (t) => {
    const sockets: Awaited<ReturnType<typeof connection>>[] = [];
    // One after the other: of those that come at once a worker gets as many as it can take.
    while (sockets.length < 20) sockets.push(await connection());
    const before = startedWorkers();
    const victim = before.at(-1)!.pid!;
    process.kill(victim, 'SIGKILL');
    await until('a new worker', () => startedWorkers().length > before.length);
    const lost = await eventually(
      () => sockets.filter((socket) => socket.destroyed || socket.readableEnded).length,
      (count) => count >= 9,
    );
    t.true(lost <= 11, `${lost} of 20`);
    t.true(logLines().some(({msg}) => msg === 'a worker has ended; another one is started'));
    for (const socket of sockets) socket.destroy();
    await serve(t);
    t.is((await httpsClient(t, orch).get(path)).status, 200);
  },
);

test.serial(
  'while the process with the store is gone the server is not ready and says so; then everything goes on without a gap',
  async (t) => {
    const client = httpsClient(t, orch);
    const watch = await client.watch(
      `${path}?watch=1&resourceVersion=${(await client.get(path)).json<{metadata: {resourceVersion: string}}>().metadata.resourceVersion}`,
    );
    t.is((await client.post(path, configMap('before'))).status, 201);
    const killed = storePid();
    // It stays away as long as it is stopped: as a process that hangs, and then is killed.
    process.kill(killed, 'SIGKILL');
    const answers = await eventually(
      async () => [(await client.get('/readyz')).status, (await client.post(path, configMap('meanwhile'))).status],
      ([ready, written]) => ready !== 200 || written !== 201,
    );
    t.true(
      answers.every((status) => [200, 201, 409, 500, 503].includes(status)),
      answers.join(),
    );
    await serve(t);
    t.not(storePid(), killed);
    const written = await eventually(
      () => client.post(path, configMap('after')),
      ({status}) => status === 201 || status === 409,
    );
    t.true([201, 409].includes(written.status));
    t.is((await client.get(`${path}/before`)).status, 200, 'what was acknowledged is there');
    const names: string[] = [];
    while (names.at(-1) !== 'after') names.push((await watch.next())!.object.metadata.name);
    t.is(names[0], 'before');
    t.is(new Set(names).size, names.length, 'nothing comes twice');
    watch.close();
  },
);

test.serial('a number of workers that cannot be, and a data directory that is in use, are refused in one sentence', async (t) => {
  for (const number of ['0', '65']) {
    const {code, stderr} = await runOrch(['serve', '--workers', number]);
    t.is(code, 1);
    t.is(stderr, `orch: --workers must be from 1 to 64, not ${number}\n`);
  }
  const refused = await t.throwsAsync(spawnOrch({dataDir: orch.dataDir, extra: ['--workers', '2']}));
  t.regex(refused.message, /ended \(exit code 1\)/);
  t.regex(refused.message, /orch: the store in .* is in use by process \d+/);
  t.is((await httpsClient(t, orch).get('/readyz')).status, 200, 'the one that has it does not notice');
});

test.serial('SIGHUP replaces all workers, and no request is lost', async (t) => {
  const old = startedWorkers()
    .map(({pid}) => pid!)
    .filter(isAlive);
  t.is(old.length, workers);
  const watcher = httpsClient(t, orch);
  const watch = await watcher.watch(`${path}?watch=1&resourceVersion=0&fieldSelector=metadata.name%3Dnone`);
  // Its connection would be waited for while it is idle.
  const watched = watch.next(60_000).finally(() => watcher.close());
  let done = false;
  let requests = 0;
  const failures: string[] = [];
  const work = clients(t).map(async (client, index) => {
    for (let round = 0; !done; round++) {
      const name = `hup-${index}-${round}`;
      try {
        const {status} = round % 2 === 0 ? await client.post(path, configMap(name)) : await client.get(`${path}/hup-${index}-${round - 1}`);
        if (status !== (round % 2 === 0 ? 201 : 200)) failures.push(`${name}: ${status}`);
      } catch (error) {
        failures.push(`${name}: ${(error as Error).message}`);
      }
      requests += 1;
    }
  });
  orch.child.kill('SIGHUP');
  await until('all replaced', () => started('all workers have been replaced').length > 0);
  done = true;
  await Promise.all(work);
  t.deepEqual(failures, []);
  t.is(await watched, undefined, 'it ends in order');
  t.true(requests > 50, `${requests}`);
  t.deepEqual(old.filter(isAlive), []);
  t.is(startedWorkers().filter(({pid}) => isAlive(pid!)).length, workers);
});

test.serial('SIGTERM ends all processes, watches cleanly, with exit code 0', async (t) => {
  const watch = await httpsClient(t, orch).watch(`${path}?watch=1&resourceVersion=0&fieldSelector=metadata.name%3Dnone`);
  const pids = [...startedWorkers().map(({pid}) => pid!), storePid()];
  t.is(await orch.stop(), 0);
  t.is(await watch.next(), undefined);
  t.deepEqual(pids.filter(isAlive), []);
});

test.serial('workers on Redis use it as servers of their own would, without a process for the store', async (t) => {
  const redis = await startRedis(t);
  const shared = await startOrch(t, {store: redis.url, extra: ['--workers', String(workers)]});
  t.false(shared.logs().includes('"process":"store"'));
  const all = Array.from({length: 2 * workers}, () => httpsClient(t, shared));
  for (const [round, writer] of all.entries()) {
    t.is((await writer.post(path, configMap(`redis-${round}`))).status, 201);
    const answers = await Promise.all(all.map((client) => client.get(`${path}/redis-${round}`)));
    t.true(answers.every(({status}) => status === 200));
  }
  t.is(await shared.stop(), 0);
});
