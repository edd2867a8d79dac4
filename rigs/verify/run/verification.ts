import {setTimeout as delay} from 'node:timers/promises';
import {Random} from '../../../test/helpers/random.js';
import type {Teardown} from '../../../test/helpers/temp-folder.js';
import {checkLinearizable} from '../check/linearizable.js';
import {checkConverged, checkWatches} from '../check/watches.js';
import type {KnownObject, Operation} from '../check/history.js';
import {injections, type Injection} from './faults.js';
import {Records} from './records.js';
import type {Target} from './target.js';
import {targets} from './targets.js';
import {collection, VerifyClient, type Gate} from './verify-client.js';
import {valueOf, VerifyWatcher} from './verify-watcher.js';

export interface VerificationOptions {
  readonly store: string;
  readonly seconds: number;
  readonly seed: number;
  readonly servers: number;
  readonly clientsOfServer: number;
  /** Names of injections, or parts of them; all by default. */
  readonly faults?: readonly string[];
  /** After so many the run is over. */
  readonly injections?: number;
  readonly fakeTime?: string;
  readonly tell: (text: string) => void;
}

export interface InjectionRow {
  readonly name: string;
  times: number;
  /** Injections after which acknowledged writes were gone, where the documents allow that. */
  lossy: number;
  /** The longest time from the end of an injection until all servers served and all watchers were up to date, in ms. */
  settledMillis: number;
}

export interface VerificationReport {
  readonly store: string;
  readonly operations: number;
  readonly unknown: number;
  readonly versions: number;
  readonly intents: number;
  readonly expired: number;
  readonly undecided: number;
  readonly rows: readonly InjectionRow[];
  readonly faults: readonly string[];
}

const keys = 24;
const historyMillis = 4000;
const watchersOfServer = 2;
const settleMillis = 90_000;

/**
 * Lets many clients work on few objects while things are done to the store and its servers, and holds all that they saw against what a store
 * promises. After each injection everything comes to rest, so that each is judged by itself.
 */
export async function verification(t: Teardown, options: VerificationOptions): Promise<VerificationReport> {
  const {tell, seed, fakeTime} = options;
  const target = await targets[options.store]!(t, {servers: options.servers, historyMillis, ...(fakeTime === undefined ? {} : {fakeTime})});
  for (const server of target.servers) await server.start();
  const run = new Run(target, seed, options.clientsOfServer);
  t.teardown(() => run.end());
  const possible = injections.filter(
    (injection) => injection.possible(target) && (options.faults?.some((name) => injection.name.includes(name)) ?? true),
  );
  const random = new Random(seed);
  const rows = new Map<string, InjectionRow>();
  const deadline = performance.now() + options.seconds * 1000;
  await run.begin();
  let queue: Injection[] = [];
  for (let count = 0; performance.now() < deadline && count < (options.injections ?? Infinity); count++) {
    // Each once in random order, then again.
    if (queue.length === 0)
      queue = possible
        .map((injection) => [random.below(1e9), injection] as const)
        .sort(([one], [other]) => one - other)
        .map(([, injection]) => injection);
    const injection = queue.pop()!;
    const row = rows.get(injection.name) ?? {name: injection.name, times: 0, lossy: 0, settledMillis: 0};
    rows.set(injection.name, row);
    const before = run.faults.length;
    await run.round(injection, random, row);
    for (const fault of run.faults.slice(before)) tell(`FAULT after "${injection.name}": ${fault}`);
    tell(`${target.name} ${count + 1}: ${injection.name}; ${run.records.count} operations, ${run.faults.length} faults`);
  }
  await run.end();
  return {
    store: options.store,
    operations: run.records.count,
    unknown: run.records.unknown,
    versions: run.records.versions.size,
    intents: run.records.intents.intents,
    expired: run.expired,
    undecided: run.undecided,
    rows: [...rows.values()],
    faults: run.faults,
  };
}

class Run {
  readonly records = new Records();
  undecided = 0;
  readonly #found: string[] = [];
  readonly #target: Target;
  readonly #clients: VerifyClient[];
  readonly #watchers: VerifyWatcher[];
  readonly #working: Promise<unknown>[] = [];
  #busy = 0;
  #open: PromiseWithResolvers<void> | undefined = Promise.withResolvers<void>();
  #ended = false;

  constructor(target: Target, seed: number, clientsOfServer: number) {
    this.#target = target;
    this.#clients = target.servers.flatMap((server, index) =>
      Array.from({length: clientsOfServer}, (_, number) => {
        const id = index * clientsOfServer + number;
        return new VerifyClient(id, server, seed * 1000 + id, this.records, keys);
      }),
    );
    this.#watchers = target.servers.flatMap((server, index) =>
      Array.from({length: watchersOfServer}, (_, number) => new VerifyWatcher(index * watchersOfServer + number, server, this.records)),
    );
  }

  get faults(): string[] {
    return [...this.#found, ...this.records.faults, ...this.records.versions.faults, ...this.records.intents.faults];
  }

  get expired(): number {
    return this.#watchers.reduce((sum, {expired}) => sum + expired, 0);
  }

  /** Starts all clients and brings everything to rest once. */
  async begin(): Promise<void> {
    for (const watcher of this.#watchers) this.#working.push(watcher.run());
    this.#busy = this.#clients.length;
    const gate: Gate = this.#gate();
    for (const client of this.#clients) this.#working.push(client.run(gate));
    await this.#rest();
    this.records.take();
    await this.#readAll();
  }

  async round(injection: Injection, random: Random, row: InjectionRow): Promise<void> {
    this.#go();
    await delay(500 + random.below(500));
    if (injection.loses === true) {
      // What comes before is judged without the loss.
      await this.#rest();
      this.#judge('');
      await this.#readAll();
      this.#go();
      await delay(200);
    }
    const expired = this.expired;
    await injection.inject(this.#target, random);
    const began = performance.now();
    row.times += 1;
    if (injection.loses !== true) await delay(random.below(1000));
    await this.#rest();
    row.settledMillis = Math.max(row.settledMillis, performance.now() - began);
    if (this.#judge(injection.loses === true ? 'lossy' : injection.name)) {
      row.lossy += 1;
      if (this.expired === expired) this.#found.push('acknowledged writes were lost, and no watcher was told');
    }
    await this.#readAll();
  }

  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    for (const watcher of this.#watchers) watcher.stop();
    this.#go();
    for (const server of this.#target.servers) await server.end();
    await Promise.all(this.#working);
  }

  #gate(): Gate {
    return {
      pass: async () => {
        if (this.#open === undefined) return !this.#ended;
        this.#busy -= 1;
        await this.#open.promise;
        this.#busy += 1;
        return !this.#ended;
      },
    };
  }

  #go(): void {
    this.#open?.resolve();
    this.#open = undefined;
  }

  /** Stops the clients, waits until all servers serve and all watchers hold what is there, and reads every object on every server. */
  async #rest(): Promise<void> {
    this.#open ??= Promise.withResolvers<void>();
    const deadline = performance.now() + settleMillis;
    while (this.#busy > 0) await delay(10);
    const [first] = this.#target.servers;
    for (const server of this.#target.servers) {
      for (;;) {
        const ready = await server.client?.request('GET', '/readyz', {signal: AbortSignal.timeout(3000)}).catch(() => undefined);
        if (ready?.status === 200) break;
        if (performance.now() > deadline) {
          this.#found.push(`server ${server.name} is not ready ${settleMillis / 1000} s after everything is as before: ${ready?.text}`);
          return;
        }
        await delay(50);
      }
    }
    for (;;) {
      const answer = await first!.client!.request('GET', collection, {signal: AbortSignal.timeout(5000)}).catch(() => undefined);
      if (answer?.status === 200) {
        const real = new Map(answer.json<{items: KnownObject[]}>().items.map((item) => [item.metadata.name, valueOf(item)]));
        const behind = this.#watchers.flatMap((watcher, index) => checkConverged(index, watcher.held, real));
        if (behind.length === 0) break;
        if (performance.now() > deadline) {
          this.#found.push(...behind.slice(0, 5));
          break;
        }
      } else if (performance.now() > deadline) {
        this.#found.push(`lists fail ${settleMillis / 1000} s after everything is as before: ${answer?.text}`);
        break;
      }
      await delay(50);
    }
    await this.#readAll();
  }

  async #readAll(): Promise<void> {
    const perServer = this.#clients.length / this.#target.servers.length;
    await Promise.all(
      this.#target.servers.map(async (_, index) => {
        for (let key = 0; key < keys; key++) await this.#clients[index * perServer]!.get(`k${key}`);
      }),
    );
  }

  /** @returns whether acknowledged writes were lost, where that is allowed */
  #judge(name: string): boolean {
    for (const watcher of this.#watchers) watcher.rotate();
    const {operations, watches, written} = this.records.take();
    // A version that was lost was told to nobody who went on behind it: their watch has expired.
    this.#found.push(...checkWatches(watches, name === 'lossy' ? [] : written).slice(0, 5));
    const verdict = checkLinearizable(operations, {initial: undefined});
    if (verdict.kind === 'undecided') this.undecided += 1;
    if (verdict.kind !== 'violation') return false;
    if (name === 'lossy') return true;
    this.#found.push(
      `${verdict.key} is not linearizable: ${textOf(verdict.operation)}, and it could only be ${verdict.possible.map((state) => state ?? 'missing').join(' or ')}`,
    );
    for (const operation of around(operations, verdict.operation)) this.#found.push(`  ${textOf(operation)}`);
    return false;
  }
}

/** The operations on the same object shortly before one that cannot be explained. */
function around(operations: readonly Operation[], {key, returned}: Operation): Operation[] {
  return operations.filter((other) => other.key === key && other.called < returned).slice(-12);
}

function textOf({client, called, returned, action, answer}: Operation): string {
  return `client ${client} [${called.toFixed(0)}, ${returned.toFixed(0)}] ${JSON.stringify(action)} → ${JSON.stringify(answer)}`;
}
