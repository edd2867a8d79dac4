import {spawnOrch, type OrchProcess} from '../../test/helpers/orch-process.js';
import {adminTarget, permitUsers, userTarget} from './bench-users.js';
import {LoadProcess} from './load-process.js';
import {overPairs, pairedCost, type PairedRow} from './paired-cost.js';
import {cpuSeconds} from './process-usage.js';
import {controllersOfAnyBuild} from './subject.js';

/** What a kind of work costs at the newest release, compared with the same at another one; or in this build, compared with another. */
export interface ReleaseCase extends PairedRow {
  /** With what it is compared: release `1.26`, or the file of another build. */
  readonly against: string;
  readonly isBuild: boolean;
  /** Of servers, one after the other. */
  readonly pairs: number;
}

const newestRelease = '1.36';
const oldestRelease = '1.26';
const objects = 1_000;
const concurrency = 8;
/** The middle of so many is between the least and the greatest of them with a probability of 97 %. */
const leastPairs = 6;
/** Requests that use nothing of what releases differ in, and how many one round has. */
const releaseWorks = [
  {name: 'get', operations: 4_000},
  {name: 'create', operations: 600},
] as const;
/** What is compared with another build besides. */
const buildWorks = [
  ...releaseWorks,
  {name: 'get at version 0', operations: 4_000},
  {name: 'list of 500', operations: 300},
  {name: 'list by label', operations: 600},
  {name: 'update', operations: 600},
  {name: 'merge patch', operations: 600},
  {name: 'apply', operations: 600},
] as const;
type Work = (typeof buildWorks)[number];

/** A server under load. */
interface Side {
  readonly server: OrchProcess;
  readonly load: LoadProcess;
}

/**
 * Pairs of servers with the memory store that do the same in turns: one of the newest release, one of the oldest; or one of this build and one of another, both of
 * the release that they serve by default. The callers are limited users.
 *
 * @param otherProgram command line of the other build
 */
export async function measureReleases(
  quick: boolean,
  otherProgram: string | undefined,
  progress: (text: string) => void = () => undefined,
): Promise<readonly ReleaseCase[]> {
  const pairs = quick ? 2 : leastPairs;
  const works = otherProgram === undefined ? releaseWorks : buildWorks;
  const found: PairedRow[][] = [];
  for (let pair = 1; pair <= pairs; pair += 1) {
    progress(`releases: pair ${pair} of ${pairs}`);
    found.push(await measurePair(works, quick ? 12 : 16, otherProgram, pair % 2 === 0));
  }
  return works.map(({name}, at) => {
    const rows = found.map((one) => one[at]!);
    const failures = rows.reduce((sum, row) => sum + row.failures, 0);
    return {against: otherProgram ?? oldestRelease, isBuild: otherProgram !== undefined, work: name, failures, pairs, ...overPairs(rows)};
  });
}

/** @param isOtherFirst which of the two is started first may matter too */
async function measurePair(
  works: readonly Work[],
  blocks: number,
  otherProgram: string | undefined,
  isOtherFirst: boolean,
): Promise<PairedRow[]> {
  const cleanups: (() => void | Promise<void>)[] = [];
  const sides =
    otherProgram === undefined
      ? {one: ['--release', newestRelease], other: ['--release', oldestRelease]}
      : {one: [...controllersOfAnyBuild], other: [...controllersOfAnyBuild]};
  const startOther = () => startSide(cleanups, sides.other, otherProgram);
  try {
    const early = isOtherFirst ? await startOther() : undefined;
    const one = await startSide(cleanups, sides.one);
    const other = early ?? (await startOther());
    const rows: PairedRow[] = [];
    for (const work of works) rows.push(await compare([one, other], work, blocks));
    return rows;
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

async function compare(sides: readonly [Side, Side], work: Work, blocks: number): Promise<PairedRow> {
  let failures = 0;
  const cost = await pairedCost(blocks, 4, async (at) => {
    const round = await measureRound(sides[at], work);
    failures += round.failures;
    return round.cost;
  });
  return {...cost, work: work.name, failures};
}

async function measureRound({server, load}: Side, {name, operations}: Work): Promise<{cost: number; failures: number}> {
  // Objects can be created once.
  const namespace = name === 'create' ? `bench-${namespaces++}` : 'bench';
  if (name === 'create') await load.run({kind: 'namespace', name: namespace});
  const before = cpuSeconds([server.pid]);
  const measured = await load.run({kind: 'requests', work: name, namespace, count: operations, maxSeconds: 30, objects});
  return {cost: ((cpuSeconds([server.pid]) - before) * 1_000) / measured.operations, failures: measured.failures};
}
