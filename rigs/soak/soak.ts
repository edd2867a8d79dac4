import {setTimeout as delay} from 'node:timers/promises';
import {Random} from '../../test/helpers/random.js';
import {startRedis} from '../../test/helpers/redis-server.js';
import type {Teardown} from '../../test/helpers/temp-folder.js';
import {keyedRequest} from '../../test/plugins/controllers/certificate-signing/requests.js';
import {clusterInfo, stateOf, type SoakState} from './soak-faults.js';
import type {MemorySample} from './soak-memory.js';
import {fateOf} from './soak-model.js';
import {SoakServers} from './soak-servers.js';
import {SoakWorker} from './soak-worker.js';

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
  readonly repeated: number;
  /** Of one server, which is not killed after the first fifth, at each rest. */
  readonly memory: readonly MemorySample[];
  readonly longestSettleSeconds: number;
  /** What is not as it should be. */
  readonly faults: readonly string[];
  /** Lines of the servers' logs. */
  readonly errors: readonly string[];
}

/** Makes and deletes objects at random on two servers of one store, which are interrupted again and again, and looks at what is left. */
export async function soak(t: Teardown, options: SoakOptions): Promise<SoakReport> {
  const {seconds, seed, workers: count, settleSeconds, tell = () => undefined} = options;
  const redis = await startRedis(t as Parameters<typeof startRedis>[0]);
  const servers = new SoakServers(t, redis.url, options.auditFolder);
  await servers.start();
  const {request} = await keyedRequest([{CN: ['soak']}]);
  await servers.send('POST', clusterInfo.slice(0, clusterInfo.lastIndexOf('/')), {
    metadata: {name: 'cluster-info'},
    data: {kubeconfig: 'text'},
  });
  const workers = Array.from({length: count}, (_, index) => new SoakWorker(index, new Random(seed + index), servers, request));
  const random = new Random(seed);
  const memory: MemorySample[] = [];
  const sum = (of: (worker: SoakWorker) => number) => workers.reduce((total, worker) => total + of(worker), 0);
  const begin = performance.now();
  const passed = () => (performance.now() - begin) / 1000;
  let longestSettleSeconds = 0;
  let state: SoakState = {found: new Map(), faults: []};
  while (passed() < seconds && state.faults.length === 0) {
    const end = Math.min(seconds, passed() + (options.roundSeconds ?? seconds));
    const work = workers.map(async (worker) => {
      while (passed() < end) await worker.act();
    });
    await Promise.all([...work, interrupt(servers, random, options, passed, end)]);
    for (const worker of workers) await worker.release();
    const ended = performance.now();
    state = await stateOf(workers, servers);
    while (state.faults.length > 0 && performance.now() - ended < settleSeconds * 1000) {
      await delay(200);
      state = await stateOf(workers, servers);
    }
    const settled = (performance.now() - ended) / 1000;
    longestSettleSeconds = Math.max(longestSettleSeconds, settled);
    if (state.faults.length === 0) for (const worker of workers) worker.settled(state.found);
    const {heap, external, pid, resident} = await servers.heap(1);
    const sample = {
      minutes: passed() / 60,
      pid,
      held: (heap + external) / 2 ** 20,
      resident,
      objects: sum(({objects}) => objects.size),
      actions: sum(({actions}) => actions),
    };
    memory.push(sample);
    tell(
      `${sample.minutes.toFixed(1).padStart(5)} min  ${String(sample.actions).padStart(7)} actions  ${servers.kills} kills, ${servers.pauses} pauses  ` +
        `settled after ${settled.toFixed(1)} s  ${sample.objects} objects  process ${pid}: ${sample.held.toFixed(1)} MB held, ${resident.toFixed(0)} MB resident`,
    );
  }
  return {
    actions: sum(({actions}) => actions),
    objects: sum(({made}) => made),
    stay: sum(({objects}) => [...objects].filter((object) => fateOf(object) === 'stays').length),
    kills: servers.kills,
    pauses: servers.pauses,
    repeated: servers.repeated,
    memory,
    longestSettleSeconds,
    faults: state.faults,
    errors: servers.errors,
  };
}

/**
 * Interrupts servers until a time. In the first fifth either is killed, after that only the first: the second is paused instead until another leads, so
 * that leaders are lost on both, and its memory can be followed.
 */
async function interrupt(servers: SoakServers, random: Random, options: SoakOptions, passed: () => number, end: number): Promise<void> {
  const {interruptSeconds, interruptions = Infinity, seconds} = options;
  while (passed() < end && servers.interruptions < interruptions) {
    await delay(Math.min(interruptSeconds * (0.5 + random.below(100) / 100), Math.max(0, end - passed())) * 1000);
    if (passed() >= end) return;
    const index = random.below(2);
    if (index === 1 && passed() > seconds / 5) await servers.pause(1);
    else await servers.interrupt(index, random.chance(0.7), 200 + random.below(2000));
  }
}
