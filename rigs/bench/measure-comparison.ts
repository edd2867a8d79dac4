import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Teardown} from '../../test/helpers/temp-folder.js';
import {allowingWebhook} from './allowing-webhook.js';
import {chosenRows, objectSets, type ComparisonRow, type ObjectSetName} from './comparison-rows.js';
import {ComparisonSide, type Turn} from './comparison-side.js';
import {cellOf, type ComparisonCell} from './comparison-cell.js';
import {encryptionFlag} from './encryption-flag.js';
import {startFloor, takeSamples} from './floor-process.js';
import {isStore, type BenchOptions} from './options.js';
import {startPeer} from './peer-subject.js';
import {profileText} from './profile-text.js';
import {profileOf} from './server-profile.js';
import {startSubject, type Subject} from './subject.js';

/** One row and what each server showed in it, in the order of the subjects; undefined where a server has no part in it. */
export interface ComparisonResultRow extends Pick<ComparisonRow, 'name' | 'goal'> {
  readonly cells: readonly (ComparisonCell | undefined)[];
}

export interface ComparisonResult {
  readonly subjects: readonly string[];
  readonly turns: number;
  readonly rows: readonly ComparisonResultRow[];
  readonly memory: readonly ComparisonMemory[];
  /** Files with profiles. */
  readonly profiles: readonly string[];
}

/** Resident MB of a server with its database, at one time after the other. */
export interface ComparisonMemory {
  /** When it has just started. */
  readonly idle: number;
  /** With the objects that rows are about. */
  readonly filled: number;
  /** After all rows, and when nothing has been asked for a minute since; not measured where rows were chosen. */
  readonly loaded: number;
  readonly rested: number | undefined;
}

type Progress = (text: string) => void;

/** Milliseconds that servers have nothing to do: after their start, and after all rows. */
const settling = 10_000;
const rest = 60_000;

const profileFolder = 'bench-results/profiles';

/** All servers run at the same time. Of each row each server does a part in turn, so that whatever else the machine does meets all of them. */
export async function measureComparison(options: BenchOptions, progress: Progress): Promise<ComparisonResult> {
  const share = options.quick ? 0.2 : 1;
  const rows = chosenRows(options.rows);
  const began = performance.now();
  const timed: Progress = (text) => progress(`${((performance.now() - began) / 1000).toFixed(0)} s: ${text}`);
  const sets = new Set(rows.map(({set}) => set).concat('small'));
  const sides: ComparisonSide[] = [];
  const cleanups: (() => void | Promise<void>)[] = [];
  const t: Teardown = {teardown: (cleanup) => void cleanups.push(cleanup)};
  try {
    const starters = startersOf(t, options);
    const idle: number[] = [];
    const isWhole = options.rows.length === 0;
    const hook = sets.has('hooked') ? await allowingWebhook(t) : undefined;
    for (const [place, start] of starters.entries()) {
      timed(`server ${place + 1} of ${starters.length}: starting, making objects`);
      const side = new ComparisonSide(await start());
      sides.push(side);
      if (isWhole) await sleep(settling);
      idle.push(residentOf(side));
      await side.fill(sets, share);
      if (hook) await side.register(hook);
    }
    timed('floor: starting');
    const floor = await startFloorLike(sides[0], sets);
    sides.unshift(floor);
    idle.unshift(residentOf(floor));
    await floor.fill(sets, share);
    const filled = sides.map(residentOf);
    const measured: ComparisonResultRow[] = [];
    for (const [place, row] of rows.entries()) {
      timed(`${row.name} (${place + 1} of ${rows.length})`);
      measured.push(
        row.isCold ? await measureCold(row, sides[0]!, starters, options.turns) : await measureRow(row, sides, options.turns, share),
      );
    }
    const loaded = sides.map(residentOf);
    if (isWhole) {
      timed('rest');
      await sleep(rest);
    }
    const rested = sides.map((side) => (isWhole ? residentOf(side) : undefined));
    return {
      subjects: sides.map(({name}) => name),
      turns: options.turns,
      rows: measured,
      memory: sides.map((_, place) => ({idle: idle[place]!, filled: filled[place]!, loaded: loaded[place]!, rested: rested[place]})),
      profiles: options.profile ? await profileRows(rows, sides, share, timed) : [],
    };
  } finally {
    for (const side of sides) await side.close();
    for (const cleanup of cleanups) await cleanup();
  }
}

/** What starts the servers that are compared with the floor: each store, with another build too where one is given, and kube-apiserver. */
function startersOf(t: Teardown, options: BenchOptions): readonly (() => Promise<Subject>)[] {
  const {subjects, peer, otherProgram} = options;
  // ConfigMaps are not encrypted by it.
  const encrypting = encryptionFlag(t, 'orch');
  return subjects.flatMap((name) => {
    if (name === 'kube-apiserver') return [() => startPeer(peer!, [encryptionFlag(t, 'k8s.io')])];
    if (!isStore(name)) return [];
    const start = (program?: string) => () => startSubject(name, {...options, starts: 0}, program, [encrypting]);
    return otherProgram === undefined ? [start()] : [start(), start(otherProgram)];
  });
}

/** A floor that answers what a server of the comparison answers. */
async function startFloorLike(side: ComparisonSide | undefined, sets: ReadonlySet<ObjectSetName>): Promise<ComparisonSide> {
  const target = side?.subject.targets[0];
  if (!target) throw new Error('the comparison needs a store beside the floor: --store');
  const {small, large, secrets} = objectSets;
  return new ComparisonSide(
    await startFloor({
      ...(await takeSamples(target, small.kept, 500)),
      ...(sets.has('large') ? {large: await takeSamples(target, large.kept, 20)} : {}),
      ...(sets.has('secrets') ? {secrets: await takeSamples(target, secrets.kept, 500, 'secrets')} : {}),
    }),
  );
}

function residentOf({subject}: ComparisonSide): number {
  const {servers, redis = 0} = subject.memory();
  return servers.now + redis;
}

async function measureRow(row: ComparisonRow, all: readonly ComparisonSide[], turns: number, share: number): Promise<ComparisonResultRow> {
  const sides = all.filter(({name}) => row.hasFloor || name !== 'floor');
  for (const side of sides) await side.begin(row);
  // What runs for the first time is compiled meanwhile.
  for (const side of sides) await side.turn(row, 2);
  const found = new Map<ComparisonSide, Turn[]>(sides.map((side) => [side, []]));
  for (let turn = 0; turn < turns; turn += 1) {
    // The other way round each time: none is always behind the same one.
    for (const side of turn % 2 === 0 ? sides : sides.toReversed()) found.get(side)!.push(await side.turn(row, share));
  }
  const {name, goal} = row;
  const bare = found.get(all[0]!);
  return {
    name,
    ...(goal ? {goal} : {}),
    cells: all.map((side) => {
      const own = found.get(side);
      return own && cellOf(own, bare);
    }),
  };
}

/** A server of its own for each turn; three are enough to tell. */
async function measureCold(
  row: ComparisonRow,
  floor: ComparisonSide,
  starters: readonly (() => Promise<Subject>)[],
  turns: number,
): Promise<ComparisonResultRow> {
  const found: Turn[][] = starters.map(() => []);
  const bare: Turn[] = [];
  for (let turn = 0; turn < Math.min(3, turns); turn += 1) {
    bare.push(await floor.coldTurn(row));
    for (const [place, start] of starters.entries()) {
      const side = new ComparisonSide(await start());
      try {
        found[place]!.push(await side.coldTurn(row));
      } finally {
        await side.close();
      }
    }
  }
  return {name: row.name, cells: [bare, ...found].map((turns) => cellOf(turns, bare))};
}

/** When all has been measured: whoever is looked into is slower. */
async function profileRows(
  rows: readonly ComparisonRow[],
  sides: readonly ComparisonSide[],
  share: number,
  progress: Progress,
): Promise<string[]> {
  const files: string[] = [];
  mkdirSync(profileFolder, {recursive: true});
  for (const row of rows.filter(({isCold}) => !isCold)) {
    for (const side of sides) {
      const server = side.subject.servers[0];
      if (!server) continue;
      progress(`${row.name}: profile of ${side.name}`);
      await side.begin(row);
      await side.turn(row, share);
      const profile = await profileOf(server, async () => (await side.turn({...row, count: row.count * 2}, share)).operations);
      const file = join(profileFolder, `${`${row.name} ${side.name}`.replaceAll(/\W+/g, '-')}.txt`);
      writeFileSync(file, `${row.name}, ${side.name}\n\n${profileText(profile)}`);
      files.push(file);
    }
  }
  return files;
}
