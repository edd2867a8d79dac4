import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {ExecutionContext} from 'ava';
import {httpsClient} from '../../test/helpers/https-client.js';
import {spawnOrch, type OrchProcess} from '../../test/helpers/orch-process.js';
import {LoadProcess} from './load-process.js';
import {measureHangingAudit, type HangingAuditResult} from './measure-hanging-audit.js';
import {median} from './percentile.js';
import {cpuSeconds} from './process-usage.js';

/** How requests are recorded. */
const cases = [
  {name: 'no audit', level: undefined, flags: []},
  {name: 'level None', level: 'None', flags: []},
  {name: 'Metadata, blocking', level: 'Metadata', flags: []},
  {name: 'RequestResponse, blocking', level: 'RequestResponse', flags: []},
  {name: 'RequestResponse, batch', level: 'RequestResponse', flags: ['--audit-log-mode', 'batch']},
] as const;

/** What updates cost while they are recorded. */
export interface AuditCaseResult {
  readonly name: string;
  /** CPU seconds of the server per 1,000 updates: the middle of the rounds. */
  readonly cpu: number;
  /** CPU over that without audit, in the same round: the middle of the rounds. */
  readonly ratio: number;
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly failures: number;
}

export interface AuditResult {
  readonly cases: readonly AuditCaseResult[];
  /** Of many requests at RequestResponse into a file. */
  readonly whole: {
    readonly requests: number;
    readonly events: number;
    readonly missing: number;
    readonly outOfOrder: number;
    readonly megabytes: number;
  };
  readonly hanging: HangingAuditResult;
}

const objects = 500;
const concurrency = 8;
const chunk = 10_000;

/** Measures one server for each case in turn, several times, and then counts what many requests leave in a file. */
export async function measureAudit(quick: boolean, progress: (text: string) => void = () => undefined): Promise<AuditResult> {
  const cleanups: (() => void | Promise<void>)[] = [];
  try {
    const folder = mkdtempSync(join(tmpdir(), 'orch-bench-audit-'));
    cleanups.unshift(() => rmSync(folder, {recursive: true, force: true}));
    const worlds: World[] = [];
    for (const one of cases) {
      progress(`audit: starting, ${one.name}`);
      worlds.push(await World.start(one, folder, cleanups));
    }
    const rounds = quick ? 3 : 6;
    const count = quick ? 1_000 : 3_000;
    const figures = worlds.map(() => [] as Figures[]);
    // What runs for the first time is compiled in a round that does not count.
    for (let round = -1; round < rounds; round += 1) {
      for (const [index, world] of worlds.entries()) {
        progress(`audit: updates, ${cases[index]!.name}`);
        const one = await world.update(count);
        if (round >= 0) figures[index]!.push(one);
      }
    }
    progress('audit: many requests into a file');
    const whole = await worlds[3]!.countAll(quick ? 10_000 : 100_000);
    const hanging = await measureHangingAudit(progress);
    return {hanging, cases: cases.map(({name}, index) => resultOf(name, figures[index]!, figures[0]!)), whole};
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}

interface Figures {
  readonly cpu: number;
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly failures: number;
}

class World {
  private constructor(
    private readonly server: OrchProcess,
    private readonly load: LoadProcess,
    private readonly file: string,
  ) {}

  static async start(
    {name, level, flags}: (typeof cases)[number],
    folder: string,
    cleanups: (() => void | Promise<void>)[],
  ): Promise<World> {
    const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.log`);
    const policy = `${file}.policy`;
    const resources = [{group: '', resources: ['configmaps']}];
    writeFileSync(policy, JSON.stringify({apiVersion: 'audit.orch/v1', kind: 'Policy', rules: [{level, verbs: ['update'], resources}]}));
    const audit = ['--audit-policy-file', policy, '--audit-log-path', file, '--audit-log-maxsize', '100000'];
    const server = await spawnOrch({store: 'memory', extra: level === undefined ? [] : [...audit, ...flags]});
    cleanups.unshift(() => server.stop().then(() => undefined));
    const load = new LoadProcess();
    cleanups.unshift(() => load.close());
    await load.run({kind: 'connect', targets: [server], concurrency});
    // All that the helper asks of a test is a place for its cleanup.
    const t = {teardown: (cleanup: () => void | Promise<void>) => cleanups.unshift(cleanup)} as unknown as ExecutionContext;
    await httpsClient(t, server).post('/api/v1/namespaces', {metadata: {name: 'bench'}});
    await load.run({kind: 'requests', work: 'create', namespace: 'bench', count: objects, maxSeconds: 60, objects});
    return new World(server, load, file);
  }

  async update(count: number): Promise<Figures> {
    const before = cpuSeconds([this.server.pid]);
    const {operations, seconds, p50, p99, failures} = await this.load.run({
      ...{kind: 'requests', work: 'update', namespace: 'bench'},
      ...{count, maxSeconds: 60, objects},
    });
    return {cpu: ((cpuSeconds([this.server.pid]) - before) * 1_000) / operations, rate: operations / seconds, p50, p99, failures};
  }

  /** Makes so many requests and looks through the file: two events of each, and those of an object in the order of its versions. */
  async countAll(requests: number): Promise<AuditResult['whole']> {
    const {size: before} = await sizeOf(this.file);
    for (let done = 0; done < requests; done += chunk) {
      const {failures} = await this.update(Math.min(chunk, requests - done));
      if (failures > 0) throw new Error(`${failures} updates failed`);
    }
    const {size: after} = await sizeOf(this.file);
    const versions = new Map<string, number>();
    let [events, complete, outOfOrder] = [0, 0, 0];
    const file = await open(this.file);
    try {
      for await (const line of file.readLines({start: before})) {
        events += 1;
        const {stage, objectRef, responseObject} = JSON.parse(line) as LoggedUpdate;
        if (stage !== 'ResponseComplete') continue;
        complete += 1;
        const version = Number(responseObject.metadata.resourceVersion);
        if (version <= (versions.get(objectRef.name) ?? 0)) outOfOrder += 1;
        versions.set(objectRef.name, version);
      }
    } finally {
      await file.close();
    }
    return {requests, events, missing: 2 * requests - events + (requests - complete), outOfOrder, megabytes: (after - before) / 2 ** 20};
  }
}

interface LoggedUpdate {
  readonly stage: string;
  readonly objectRef: {readonly name: string};
  readonly responseObject: {readonly metadata: {readonly resourceVersion: string}};
}

async function sizeOf(path: string) {
  const file = await open(path);
  try {
    return await file.stat();
  } finally {
    await file.close();
  }
}

function resultOf(name: string, rounds: readonly Figures[], base: readonly Figures[]): AuditCaseResult {
  return {
    name,
    cpu: median(rounds.map(({cpu}) => cpu)),
    ratio: median(rounds.map(({cpu}, round) => cpu / base[round]!.cpu)),
    rate: median(rounds.map(({rate}) => rate)),
    p50: median(rounds.map(({p50}) => p50)),
    p99: median(rounds.map(({p99}) => p99)),
    failures: rounds.reduce((sum, {failures}) => sum + failures, 0),
  };
}
