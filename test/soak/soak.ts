import {setTimeout as delay} from 'node:timers/promises';
import type {ApiObject} from '../../sdk/index.js';
import {Random} from '../helpers/random.js';
import {startRedis} from '../helpers/redis-server.js';
import type {Teardown} from '../helpers/temp-folder.js';
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
  /** How long it may take, in the end, until everything is as it should be. */
  readonly settleSeconds: number;
  readonly tell?: (text: string) => void;
}

export interface SoakReport {
  readonly actions: number;
  readonly objects: number;
  readonly stay: number;
  readonly kills: number;
  readonly repeated: number;
  /** Megabytes of the server that is not interrupted in the second half: half-way, and in the end. */
  readonly memory: readonly [half: number, end: number];
  readonly settledSeconds: number;
  /** What is not as it should be. */
  readonly faults: readonly string[];
}

/** Makes and deletes objects at random on two servers of one store, one of which is interrupted again and again, and looks at what is left. */
export async function soak(t: Teardown, options: SoakOptions): Promise<SoakReport> {
  const {seconds, seed, workers: count, interruptSeconds, interruptions = Infinity, settleSeconds, tell = () => undefined} = options;
  const redis = await startRedis(t as Parameters<typeof startRedis>[0]);
  const servers = new SoakServers(t, redis.url);
  await servers.start();
  const workers = Array.from({length: count}, (_, index) => new SoakWorker(`w${index}`, new Random(seed + index), servers));
  const begin = performance.now();
  const passed = () => (performance.now() - begin) / 1000;
  const work = workers.map(async (worker) => {
    while (passed() < seconds) await worker.act();
  });
  let half = 0;
  const random = new Random(seed);
  const interrupt = async () => {
    while (passed() < seconds && servers.kills < interruptions) {
      await delay(Math.min(interruptSeconds * (0.5 + random.below(100) / 100), Math.max(0, seconds - passed())) * 1000);
      if (passed() >= seconds) return;
      const isSecondHalf = passed() > seconds / 2;
      if (isSecondHalf) half ||= servers.memory(1);
      await servers.interrupt(isSecondHalf ? 0 : random.below(2), random.chance(0.7), 200 + random.below(2000));
      tell(`${passed().toFixed(0)} s: ${workers.reduce((sum, {actions}) => sum + actions, 0)} actions, ${servers.kills} interruptions`);
    }
  };
  await Promise.all([...work, interrupt()]);
  for (const worker of workers) await worker.release();
  const ended = performance.now();
  let faults = await faultsOf(workers, servers);
  while (faults.length > 0 && performance.now() - ended < settleSeconds * 1000) {
    await delay(200);
    faults = await faultsOf(workers, servers);
  }
  const objects = workers.flatMap((worker) => [...worker.objects]);
  const end = servers.memory(1);
  return {
    actions: workers.reduce((sum, {actions}) => sum + actions, 0),
    objects: objects.length,
    stay: objects.filter((object) => fateOf(object) === 'stays').length,
    kills: servers.kills,
    repeated: servers.repeated,
    memory: [half || end, end],
    settledSeconds: (performance.now() - ended) / 1000,
    faults,
  };
}

async function faultsOf(workers: readonly SoakWorker[], servers: SoakServers): Promise<string[]> {
  const faults: string[] = [];
  const found = await existing(workers, servers);
  const uids = new Set([...found.values()].map(({metadata}) => metadata.uid));
  for (const {objects, places} of workers) {
    for (const object of objects) {
      const is = found.get(object.path);
      const fate = fateOf(object);
      if (fate === 'stays' && is?.metadata.uid !== object.uid) faults.push(`${object.path} is gone`);
      if (fate === 'goes' && is)
        faults.push(`${object.path} is still there: ${JSON.stringify({...is.metadata, managedFields: undefined})}`);
      if (fate !== 'goes' && is?.metadata.deletionTimestamp) faults.push(`${object.path} is being deleted`);
      for (const {uid} of is?.metadata.ownerReferences ?? []) {
        if (!uids.has(uid)) faults.push(`${object.path} has an owner that is not there`);
      }
    }
    for (const {path, deleted} of places) {
      const {status} = await servers.send('GET', path);
      if (status !== (deleted ? 404 : 200)) faults.push(`${path} answers ${status}`);
    }
  }
  const depth = await servers.gauge('workqueue_depth');
  if (depth !== 0) faults.push(`${depth} names wait in queues`);
  return faults;
}

/** All objects of the collections in which some were made, by path. */
async function existing(workers: readonly SoakWorker[], servers: SoakServers): Promise<Map<string, ApiObject>> {
  const found = new Map<string, ApiObject>();
  const collections = new Set(workers.flatMap(({objects}) => [...objects].map(({path}) => path.slice(0, path.lastIndexOf('/')))));
  for (const collection of collections) {
    const answer = await servers.send('GET', collection);
    if (answer.status !== 200) continue;
    for (const object of answer.json<{items: ApiObject[]}>().items) found.set(`${collection}/${object.metadata.name}`, object);
  }
  return found;
}
