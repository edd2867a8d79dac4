import {setTimeout as delay} from 'node:timers/promises';
import {Random} from '../../test/helpers/random.js';
import type {MemorySample} from './soak-memory.js';
import type {SoakServers} from './soak-servers.js';

export interface SoakOptions {
  readonly seconds: number;
  readonly seed: number;
  readonly workers: number;
  /** Between two interruptions of a server, on average. */
  readonly interruptSeconds: number;
  /** How many interruptions there are at most; any number by default. */
  readonly interruptions?: number;
  /** After how long everybody rests and it is looked whether all is as it should be; in the end alone by default. */
  readonly roundSeconds?: number;
  /** Where what controllers delete and change is recorded; nowhere by default. */
  readonly auditFolder?: string;
  /** How long that may take. */
  readonly settleSeconds: number;
  readonly tell?: (text: string) => void;
}

export interface SoakReport {
  readonly actions: number;
  readonly objects: number;
  readonly stay: number;
  readonly kills: number;
  readonly pauses: number;
  /** Of the store. */
  readonly storeKills: number;
  readonly repeated: number;
  /** Of one server, which is not killed after the first fifth, at each rest. */
  readonly memory: readonly MemorySample[];
  readonly longestSettleSeconds: number;
  /** What is not as it should be. */
  readonly faults: readonly string[];
  /** Lines of the servers' logs. */
  readonly errors: readonly string[];
}

/** Who makes and deletes objects, and knows what should be there. */
export interface SoakWorld {
  /** Things that were done. */
  readonly actions: number;
  readonly made: number;
  /** How many objects there should be, and how many of them are sure to stay. */
  readonly objects: number;
  readonly staying: number;
  /** Does things until the time is over. */
  act(isOver: () => boolean): Promise<void>;
  /** Holds what is there against what should be; called again and again until there are no faults. */
  faults(): Promise<readonly string[]>;
  /** All is as it should be. */
  settled(): void;
}

/** Has a world act on servers that are interrupted again and again, and looks at each rest at what there is. @param restartStore kills the store and starts it again */
export async function soakRounds(
  servers: SoakServers,
  world: SoakWorld,
  options: SoakOptions,
  restartStore?: () => Promise<void>,
): Promise<SoakReport> {
  const {seconds, settleSeconds, tell = () => undefined} = options;
  const interrupter = new Interrupter(servers, options, restartStore);
  const memory: MemorySample[] = [];
  const begin = performance.now();
  const passed = () => (performance.now() - begin) / 1000;
  let longestSettleSeconds = 0;
  let faults: readonly string[] = [];
  while (passed() < seconds && faults.length === 0) {
    const end = Math.min(seconds, passed() + (options.roundSeconds ?? seconds));
    await Promise.all([world.act(() => passed() >= end), interrupter.until(passed, end)]);
    const ended = performance.now();
    faults = await world.faults();
    while (faults.length > 0 && performance.now() - ended < settleSeconds * 1000) {
      await delay(200);
      faults = await world.faults();
    }
    const settled = (performance.now() - ended) / 1000;
    longestSettleSeconds = Math.max(longestSettleSeconds, settled);
    if (faults.length === 0) world.settled();
    const {heap, external, pid, resident} = await servers.heap(1);
    const {objects, actions} = world;
    const sample = {minutes: passed() / 60, pid, held: (heap + external) / 2 ** 20, resident, objects, actions};
    memory.push(sample);
    tell(
      `${sample.minutes.toFixed(1).padStart(5)} min  ${String(actions).padStart(7)} actions  ${servers.kills} kills, ${servers.pauses} pauses  ` +
        `settled after ${settled.toFixed(1)} s  ${objects} objects  process ${pid}: ${sample.held.toFixed(1)} MB held, ${resident.toFixed(0)} MB resident`,
    );
  }
  return {
    actions: world.actions,
    objects: world.made,
    stay: world.staying,
    kills: servers.kills,
    pauses: servers.pauses,
    storeKills: interrupter.storeKills,
    repeated: servers.repeated,
    memory,
    longestSettleSeconds,
    faults,
    errors: servers.errors,
  };
}

/**
 * Interrupts servers. In the first fifth either is killed, after that only the first: the second is paused instead until another leads, so that leaders are lost on both, and its memory can be
 * followed. The store is killed where that is asked for.
 */
class Interrupter {
  readonly #servers: SoakServers;
  readonly #options: SoakOptions;
  readonly #restartStore: (() => Promise<void>) | undefined;
  readonly #random: Random;
  storeKills = 0;

  constructor(servers: SoakServers, options: SoakOptions, restartStore: (() => Promise<void>) | undefined) {
    this.#servers = servers;
    this.#options = options;
    this.#restartStore = restartStore;
    this.#random = new Random(options.seed);
  }

  async until(passed: () => number, end: number): Promise<void> {
    const {interruptSeconds, interruptions = Infinity, seconds} = this.#options;
    const random = this.#random;
    while (passed() < end && this.#servers.interruptions < interruptions) {
      await delay(Math.min(interruptSeconds * (0.5 + random.below(100) / 100), Math.max(0, end - passed())) * 1000);
      if (passed() >= end) return;
      if (this.#restartStore && random.chance(0.2)) {
        this.storeKills += 1;
        await this.#restartStore();
        continue;
      }
      const index = random.below(2);
      if (index === 1 && passed() > seconds / 5) await this.#servers.pause(1);
      else await this.#servers.interrupt(index, random.chance(0.7), 200 + random.below(2000));
    }
  }
}
