import type {ExecutionContext} from 'ava';
import {setTimeout as sleep} from 'node:timers/promises';
import {httpsClient, type HttpsClient} from '../../test/helpers/https-client.js';
import {spawnOrch, type OrchProcess} from '../../test/helpers/orch-process.js';
import {median} from './percentile.js';
import {cpuSeconds, residentMegabytes} from './process-usage.js';

/** A cluster with simulated nodes, small and large. */
export interface ClusterResult {
  /** Seconds from the start of the process until its nodes are ready. */
  readonly readySeconds: number;
  /** Milliseconds from the creation of a Deployment of three until it is available. */
  readonly deploymentMillis: number;
  readonly nodes: number;
  readonly pods: number;
  /** From the first Deployment until all pods are available. */
  readonly runningSeconds: number;
  /** Processor seconds of the server until then. */
  readonly processorSeconds: number;
  /** Pods that the scheduler decides about in a second of its own time. */
  readonly decisionsPerSecond: number;
  /** Megabytes resident until all pods are there and nothing is left to do, at most. */
  readonly megabytes: number;
  /** The same after some have been rolled over. */
  readonly rolledMegabytes: number;
  /** Percent of one processor with all pods and nothing to do: in half a minute soon after they are there, while the collector of garbage is at work, and in each of the minutes after that. */
  readonly soonProcessor: number;
  readonly restProcessor: readonly number[];
  readonly rolled: number;
  readonly rollSeconds: number;
}

const smallNodes = 3;
const manyNodes = 1000;
const podsOfDeployment = 1000;
const starts = 3;
const deployments = 5;
const soonSeconds = 30;
const restMinutes = 5;
/** Until what a change leaves behind has been done. */
const settleSeconds = 20;
const longestSeconds = 3600;
const path = '/apis/apps/v1/namespaces/default/deployments';

/** Starts clusters, and has Deployments become available in them. */
export async function measureCluster(quick: boolean, progress: (text: string) => void): Promise<ClusterResult> {
  const cleanups: (() => void | Promise<void>)[] = [];
  // All that the helper asks of a test is a place for its cleanup.
  const place = {teardown: (work: () => void | Promise<void>) => void cleanups.unshift(work)} as unknown as ExecutionContext;
  try {
    const ready: number[] = [];
    const available: number[] = [];
    for (let start = 0; start < starts; start += 1) {
      progress(`cluster: start ${start + 1} of ${starts}`);
      const {server, client, seconds} = await cluster(place, `${smallNodes}`, smallNodes);
      ready.push(seconds);
      for (let index = 0; index < deployments; index += 1) available.push(await deploy(client, `small-${index}`));
      await server.stop();
    }
    progress(`cluster: ${manyNodes} nodes`);
    const pods = quick ? 10_000 : 100_000;
    const {server, client} = await cluster(place, `${manyNodes}:cpu=64,memory=256Gi,pods=250`, manyNodes);
    const before = cpuSeconds([server.pid]);
    const began = performance.now();
    const names = Array.from({length: pods / podsOfDeployment}, (_, index) => `many-${index}`);
    for (const name of names) await create(client, name, podsOfDeployment);
    await untilAvailable(client, names, (found) => progress(`cluster: ${found} of ${pods} pods`));
    const runningSeconds = (performance.now() - began) / 1000;
    const processorSeconds = cpuSeconds([server.pid]) - before;
    const decisionsPerSecond = await decisions(client);
    progress('cluster: at rest');
    await sleep(settleSeconds * 1000);
    const soonProcessor = await processorAtRest(server, soonSeconds);
    const {peak: megabytes} = residentMegabytes(server.pid);
    const restProcessor: number[] = [];
    for (let minute = 1; minute <= restMinutes; minute += 1) {
      progress(`cluster: at rest, minute ${minute} of ${restMinutes}`);
      restProcessor.push(await processorAtRest(server, 60));
    }
    const rolled = names.slice(0, 10);
    progress(`cluster: ${rolled.length * podsOfDeployment} pods are rolled over`);
    const rollBegan = performance.now();
    for (const name of rolled) await client.patch(`${path}/${name}`, {spec: {template: {metadata: {annotations: {round: '2'}}}}});
    await untilAvailable(client, rolled, () => undefined);
    const rollSeconds = (performance.now() - rollBegan) / 1000;
    const {peak: rolledMegabytes} = residentMegabytes(server.pid);
    return {
      readySeconds: median(ready),
      deploymentMillis: median(available),
      nodes: manyNodes,
      pods,
      runningSeconds,
      processorSeconds,
      decisionsPerSecond,
      megabytes,
      rolledMegabytes,
      soonProcessor,
      restProcessor,
      rolled: rolled.length * podsOfDeployment,
      rollSeconds,
    };
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}

interface Cluster {
  readonly server: OrchProcess;
  readonly client: HttpsClient;
  readonly seconds: number;
}

async function cluster(place: ExecutionContext, nodes: string, count: number): Promise<Cluster> {
  const began = performance.now();
  const server = await spawnOrch({store: 'memory', platform: 'kubernetes', extra: ['--cluster', `--nodes=${nodes}`, '--log-level=error']});
  place.teardown(() => server.stop().then(() => undefined));
  const client = httpsClient(place, server);
  for (;;) {
    const {items} = (await client.get('/api/v1/nodes?resourceVersion=0')).json<{items: {spec?: {taints?: unknown[]}}[]}>();
    if (items.length === count && items.every(({spec}) => !spec?.taints?.length)) break;
    await sleep(count > 10 ? 200 : 5);
  }
  return {server, client, seconds: (performance.now() - began) / 1000};
}

async function create(client: HttpsClient, name: string, replicas: number): Promise<void> {
  const labels = {app: name};
  const template = {metadata: {labels}, spec: {containers: [{name: 'main', image: 'registry.example.com/app:1'}]}};
  const made = await client.post(path, {metadata: {name}, spec: {replicas, selector: {matchLabels: labels}, template}});
  if (made.status !== 201) throw new Error(made.body.toString());
}

async function deploy(client: HttpsClient, name: string): Promise<number> {
  const began = performance.now();
  await create(client, name, 3);
  for (;;) {
    const {status} = (await client.get(`${path}/${name}`)).json<Deployment>();
    if (status?.availableReplicas === 3) return performance.now() - began;
    await sleep(2);
  }
}

interface Deployment {
  readonly metadata: {readonly name: string; readonly generation: number};
  readonly spec: {readonly replicas: number};
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
  };
}

async function untilAvailable(client: HttpsClient, names: readonly string[], found: (pods: number) => void): Promise<void> {
  const wanted = new Set(names);
  const end = performance.now() + longestSeconds * 1000;
  while (performance.now() < end) {
    const {items} = (await client.get(`${path}?resourceVersion=0`)).json<{items: Deployment[]}>();
    const own = items.filter(({metadata}) => wanted.has(metadata.name));
    if (own.every(isRolledOut)) return;
    found(own.reduce((sum, {status}) => sum + (status?.availableReplicas ?? 0), 0));
    await sleep(1000);
  }
  throw new Error(`the pods did not become available within ${longestSeconds} s`);
}

function isRolledOut({metadata, spec: {replicas}, status = {}}: Deployment): boolean {
  const {observedGeneration, updatedReplicas, availableReplicas, replicas: all} = status;
  return observedGeneration === metadata.generation && updatedReplicas === replicas && availableReplicas === replicas && all === replicas;
}

/** By what the scheduler says of itself. */
async function decisions(client: HttpsClient): Promise<number> {
  const text = (await client.get('/metrics')).body.toString();
  const [sum, count] = ['sum', 'count'].map((what) =>
    Number(new RegExp(`^scheduler_scheduling_algorithm_duration_seconds_${what} (\\S+)$`, 'm').exec(text)?.[1]),
  );
  return count! / sum!;
}

async function processorAtRest({pid}: OrchProcess, seconds: number): Promise<number> {
  const [before, began] = [cpuSeconds([pid]), performance.now()];
  await sleep(seconds * 1000);
  return ((cpuSeconds([pid]) - before) / ((performance.now() - began) / 1000)) * 100;
}
