// The client of the benchmark, in a process of its own: takes jobs from its parent over IPC and answers measurements.
import {runDefinitions} from './definitions-job.js';
import type {ClientHttp2Session} from 'node:http2';
import {HttpConnection, requestText, type Sender} from './http-connection.js';
import {Http2Sender, openHttp2} from './http2-connection.js';
import {Probe} from './probe.js';
import {runRequests} from './request-job.js';
import {shardFilters} from './shard-filter.js';
import {runWatch} from './watch-job.js';
import {Watchers} from './watchers.js';
import type {ConnectJob, Job, Measurement, Target, WatchersJob} from './work.js';

let targets: readonly Target[] = [];
let connections: readonly Sender[] = [];
/** What all requests and watches go over, if they share connections. */
let shared: readonly ClientHttp2Session[] = [];
const watchers = new Watchers();
let probe: Probe | undefined;

async function makeNamespace(name: string): Promise<void> {
  const connection = connections[0]!;
  const body = `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"${name}"}}`;
  const response = await connection.send(requestText('POST', '/api/v1/namespaces', connection.host, body), true);
  if (response.status !== 201 && response.status !== 409) {
    throw new Error(`making the namespace ${name}: status ${response.status} ${response.body.toString('utf8')}`);
  }
}

/** The version to watch from: that of a list made just now by the server that will be watched. */
async function openWatchers({namespace, count, filtered}: WatchersJob): Promise<void> {
  const target = targets.at(-1)!;
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const connection = await HttpConnection.open(target);
  const response = await connection.send(requestText('GET', `${path}?limit=1`, connection.host), true);
  connection.close();
  if (response.status !== 200) throw new Error(`listing before a watch: status ${response.status}`);
  const version = (JSON.parse(response.body.toString('utf8')) as {metadata: {resourceVersion: string}}).metadata.resourceVersion;
  await watchers.open(target, `${path}?watch=1&resourceVersion=${version}`, count, filtered ? shardFilters : undefined, shared);
}

async function connect({concurrency, sessions = 0}: ConnectJob): Promise<readonly Sender[]> {
  const target = targets[0]!;
  shared = await openMany(sessions, () => openHttp2(target));
  if (sessions === 0) return openMany(concurrency, () => HttpConnection.open(target));
  return Array.from({length: concurrency}, (_, index) => new Http2Sender(shared[index % sessions]!, target));
}

/** A few at a time: servers bound the handshakes that are under way. */
async function openMany<T>(count: number, open: () => Promise<T>): Promise<readonly T[]> {
  const opened: T[] = [];
  while (opened.length < count) opened.push(...(await Promise.all(Array.from({length: Math.min(20, count - opened.length)}, open))));
  return opened;
}

async function carryOut(job: Job): Promise<Measurement | undefined> {
  switch (job.kind) {
    case 'connect':
      watchers.close();
      for (const connection of connections) connection.close();
      targets = job.targets;
      connections = await connect(job);
      return undefined;
    case 'namespace':
      await makeNamespace(job.name);
      return undefined;
    case 'requests':
      return runRequests(job, connections);
    case 'watchers':
      watchers.close();
      if (job.count > 0) await openWatchers(job);
      return undefined;
    case 'watch':
      return runWatch(job, connections, watchers);
    case 'definitions':
      return runDefinitions(job, connections);
    case 'probe':
      probe = await Probe.begin(targets[0]!, job.namespace, job.everyMillis);
      return undefined;
    case 'probed':
      return probe?.end();
  }
}

process.on('message', (job: Job) => {
  carryOut(job).then(
    (measurement) => process.send!({measurement}),
    (error: unknown) => process.send!({error: error instanceof Error ? error.message : String(error)}),
  );
});
process.on('disconnect', () => process.exit());
