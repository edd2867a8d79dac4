import {spawnOrch, type OrchProcess} from '../../test/helpers/orch-process.js';
import {adminTarget, permitUsers, userTarget} from './bench-users.js';
import {LoadProcess} from './load-process.js';
import {medianInterval} from './measure-hooks.js';
import {cpuSeconds} from './process-usage.js';

/** What a kind of work costs at the newest release, compared with the same at another one, or with another build. */
export interface ReleaseCase {
  readonly work: string;
  /** With what the newest release is compared: `1.26`, or the file of another build. */
  readonly against: string;
  /** CPU seconds of the server per 1,000 operations: of all rounds. */
  readonly newest: number;
  readonly other: number;
  /** CPU at the newest release over that of the other side: the middle of the blocks, and the interval in which it is with a probability of 95 %. */
  readonly ratio: number;
  readonly from: number;
  readonly to: number;
  readonly blocks: number;
  readonly failures: number;
}

const newestRelease = '1.36';
const oldestRelease = '1.26';
const objects = 1_000;
const concurrency = 8;
/** Requests that use nothing of what releases differ in, and how many one round has. */
const works = [
  {name: 'get', operations: 4_000},
  {name: 'create', operations: 600},
] as const;
type Work = (typeof works)[number];

/** A server under load. */
interface Side {
  readonly server: OrchProcess;
  readonly load: LoadProcess;
}

/**
 * Two servers with the memory store that do the same in turns: one of the newest release, one of the oldest. The callers are limited users.
 *
 * @param otherProgram command line of another build, which is asked to serve what it serves by default in place of the oldest release
 */
export async function measureReleases(
  quick: boolean,
  otherProgram: string | undefined,
  progress: (text: string) => void = () => undefined,
): Promise<readonly ReleaseCase[]> {
  const cleanups: (() => void | Promise<void>)[] = [];
  try {
    const newest = await startSide(cleanups, ['--release', newestRelease]);
    const other = await (otherProgram === undefined
      ? startSide(cleanups, ['--release', oldestRelease])
      : startSide(cleanups, [], otherProgram));
    const results: ReleaseCase[] = [];
    for (const work of works) {
      progress(`releases: ${work.name}`);
      results.push({against: otherProgram ?? oldestRelease, ...(await compare([newest, other], work, quick ? 24 : 100))});
    }
    return results;
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}

async function startSide(cleanups: (() => void | Promise<void>)[], extra: readonly string[], program?: string): Promise<Side> {
  const server = await spawnOrch({store: 'memory', extra, ...(program === undefined ? {} : {program})});
  cleanups.unshift(() => server.stop().then(() => undefined));
  await permitUsers(server);
  const load = new LoadProcess();
  cleanups.unshift(() => load.close());
  await load.run({kind: 'connect', targets: [await userTarget(server, 'limited'), adminTarget(server)], concurrency});
  await load.run({kind: 'namespace', name: 'bench'});
  await load.run({kind: 'requests', work: 'create', namespace: 'bench', count: objects, maxSeconds: 60, objects});
  return {server, load};
}

let namespaces = 0;

/** Blocks of four rounds: the one, the other, the other, the one, and the other way round, so that what grows or warms up is on both sides. */
async function compare(sides: readonly [Side, Side], work: Work, blocks: number): Promise<Omit<ReleaseCase, 'against'>> {
  const ratios: number[] = [];
  const sums = [0, 0];
  let failures = 0;
  // What runs for the first time is compiled in blocks that do not count.
  for (let block = -4; block < blocks; block += 1) {
    const costs = [0, 0];
    for (const at of block % 2 === 0 ? [0, 1, 1, 0] : [1, 0, 0, 1]) {
      const round = await measureRound(sides[at]!, work);
      costs[at]! += round.cost / 2;
      failures += round.failures;
    }
    if (block < 0) continue;
    ratios.push(costs[0]! / costs[1]!);
    for (const at of [0, 1]) sums[at]! += costs[at]! / blocks;
  }
  const [from, to] = medianInterval(ratios);
  const ratio = ratios.toSorted((a, b) => a - b)[Math.floor(blocks / 2)]!;
  return {work: work.name, newest: sums[0]!, other: sums[1]!, ratio, from, to, blocks, failures};
}

async function measureRound({server, load}: Side, {name, operations}: Work): Promise<{cost: number; failures: number}> {
  // Objects can be created once.
  const namespace = name === 'create' ? `bench-${namespaces++}` : 'bench';
  if (name === 'create') await load.run({kind: 'namespace', name: namespace});
  const before = cpuSeconds([server.pid]);
  const measured = await load.run({kind: 'requests', work: name, namespace, count: operations, maxSeconds: 30, objects});
  return {cost: ((cpuSeconds([server.pid]) - before) * 1_000) / measured.operations, failures: measured.failures};
}
