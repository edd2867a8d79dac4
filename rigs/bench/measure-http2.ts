import {spawnOrch, type OrchProcess} from '../../test/helpers/orch-process.js';
import {permitUsers, userTarget} from './bench-users.js';
import {LoadProcess} from './load-process.js';
import {measureHttp2Memory, type MemoryRow} from './measure-http2-memory.js';
import {pairedCost, type PairedRow} from './paired-cost.js';
import {cpuSeconds} from './process-usage.js';
import type {Measurement, RequestJob, Target} from './work.js';

/** What HTTP/2 costs. */
export interface Http2Result {
  readonly processor: readonly PairedRow[];
  readonly memory: readonly MemoryRow[];
}

const objects = 1_000;

/** A kind of work in rounds. */
interface Work {
  readonly name: string;
  readonly job: RequestJob['work'] | 'watch';
  /** Of one round. */
  readonly operations: number;
  /** Requests at once: with HTTP/1.1 on a connection each. */
  readonly concurrency: number;
  /** Connections of HTTP/2 for them. */
  readonly sessions: number;
  /** Who watches the objects, each over a connection of its own with HTTP/1.1. An operation is then an event that is delivered, with its part of the update. */
  readonly watchers?: number;
  /** Updates in a second, so that each is an event on its own. */
  readonly rate?: number;
}

const works: readonly Work[] = [
  {name: 'get', job: 'get', operations: 4_000, concurrency: 16, sessions: 1},
  {name: 'list of 500', job: 'list of 500', operations: 100, concurrency: 16, sessions: 1},
  {name: 'list of 500, gzip', job: 'list of 500, gzip', operations: 100, concurrency: 16, sessions: 1},
  {name: 'create', job: 'create', operations: 600, concurrency: 16, sessions: 1},
  {name: 'get, 200 connections of each', job: 'get', operations: 4_000, concurrency: 200, sessions: 200},
  {name: 'event to a watch', job: 'watch', operations: 400, concurrency: 8, sessions: 1, watchers: 1, rate: 400},
  {name: 'event to each of 1,000 watches', job: 'watch', operations: 25, concurrency: 1, sessions: 1, watchers: 1_000, rate: 25},
];

/** One server for both kinds of connections, and a client of each kind. */
interface Sides {
  readonly server: OrchProcess;
  /** That of HTTP/2 is the first. */
  readonly loads: readonly [LoadProcess, LoadProcess];
}

/**
 * What each kind of work costs one server over one connection of HTTP/2, on which all requests and watches of a client are, as Go's clients have it; and over a
 * connection of HTTP/1.1 for each that is under way. The caller is a limited user.
 */
export async function measureHttp2(quick: boolean, progress: (text: string) => void = () => undefined): Promise<Http2Result> {
  const cleanups: (() => void | Promise<void>)[] = [];
  const processor: PairedRow[] = [];
  try {
    // As many watches as one connection is to have here.
    const server = await spawnOrch({store: 'memory', extra: ['--disable-http2-serving=false', '--http2-max-streams-per-connection=2000']});
    cleanups.unshift(() => server.stop().then(() => undefined));
    await permitUsers(server);
    const target = await userTarget(server, 'limited');
    const sides: Sides = {server, loads: [new LoadProcess(), new LoadProcess()]};
    for (const load of sides.loads) cleanups.unshift(() => load.close());
    for (const work of works) {
      progress(`http2: ${work.name}`);
      processor.push(await compare(sides, target, work, quick ? 12 : 50));
    }
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
  return {processor, memory: await measureHttp2Memory(progress)};
}

let namespaces = 0;

async function compare({server, loads}: Sides, target: Target, work: Work, blocks: number): Promise<PairedRow> {
  const {concurrency, sessions, watchers = 0} = work;
  const names: string[] = [];
  for (const [side, load] of loads.entries()) {
    await load.run({kind: 'connect', targets: [target], concurrency, ...(side === 0 ? {sessions} : {})});
    // Those of the other side are no events here.
    names.push(await makeNamespace(load));
    await load.run({kind: 'requests', work: 'create', namespace: names[side]!, count: objects, maxSeconds: 60, objects});
    if (watchers > 0) await load.run({kind: 'watchers', namespace: names[side]!, count: watchers});
  }
  let failures = 0;
  const cost = await pairedCost(blocks, 2, async (side) => {
    const load = loads[side]!;
    // Objects can be created once.
    const namespace = work.job === 'create' ? await makeNamespace(load) : names[side]!;
    const before = cpuSeconds([server.pid]);
    const measured = await measure(load, namespace, work);
    failures += measured.failures;
    return ((cpuSeconds([server.pid]) - before) * 1_000) / measured.operations;
  });
  for (const load of loads) await load.run({kind: 'connect', targets: [target], concurrency: 1});
  return {...cost, work: work.name, failures};
}

async function makeNamespace(load: LoadProcess): Promise<string> {
  const name = `bench-${namespaces++}`;
  await load.run({kind: 'namespace', name});
  return name;
}

function measure(load: LoadProcess, namespace: string, {job, operations, rate}: Work): Promise<Measurement> {
  if (job === 'watch')
    return load.run({kind: 'watch', namespace, writes: operations, maxSeconds: 30, objects, ...(rate === undefined ? {} : {rate})});
  return load.run({kind: 'requests', work: job, namespace, count: operations, maxSeconds: 30, objects});
}
