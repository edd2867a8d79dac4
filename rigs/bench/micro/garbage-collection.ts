// Micro benchmark of the garbage collector: memory of its graph, and the deletion of many dependents of one owner in a running server.
//
//   node --expose-gc dist/rigs/bench/micro/garbage-collection.js [DEPENDENTS] [STORE URL, or none]
import {setTimeout as delay} from 'node:timers/promises';
import type {ApiObject, ObjectMeta, ServedResource} from '@orch-api/orch/sdk';
import {startTestServer, type TestClient} from '@orch-api/orch/testing';
import {ObjectGraph} from '../../../plugins/controllers/garbage-collector/object-graph.js';
import {longestTurn} from '../../../test/helpers/longest-turn.js';

const count = Number(process.argv[2] ?? 50_000);
const store = process.argv[3] ?? 'memory';
const writers = 32;

function report(name: string, value: number, unit: string): void {
  console.log(`${name.padEnd(66)} ${value.toFixed(1).padStart(10)} ${unit}`);
}

/** What is let go of here would be taken off what comes next. */
const kept: ObjectGraph[] = [];

/** What buffers have held is given back in between. */
async function collect(): Promise<void> {
  for (let time = 0; time < 3; time++) {
    globalThis.gc!();
    await delay(50);
  }
}

/** Bytes of the graph for each object that has owners. Keys are those of the cache, which has them anyway. */
async function measureGraph(name: string, ownerOf: (index: number) => number): Promise<void> {
  const graph = new ObjectGraph({check() {}, checkDependents() {}, invalidNamespace() {}, find: () => undefined});
  kept.push(graph);
  const type: ServedResource = {group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap', namespaced: true, verbs: []};
  const uid = (kind: string, index: number) => `${kind}0000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  const keys = Array.from({length: count}, (_, index) => Buffer.from(`bench/dependent-${index}`).toString());
  const metadataOf = (index: number): ObjectMeta =>
    JSON.parse(
      JSON.stringify({
        uid: uid('d', index),
        ownerReferences: [{apiVersion: 'v1', kind: 'ConfigMap', name: `owner-${ownerOf(index)}`, uid: uid('a', ownerOf(index))}],
      }),
    ) as ObjectMeta;
  globalThis.gc!();
  const used = () => process.memoryUsage().heapUsed + process.memoryUsage().external;
  const before = used();
  for (let index = 0; index < count; index++) graph.see({type, key: keys[index]!, metadata: metadataOf(index)});
  await collect();
  report(`memory for each object with owners, ${name}`, (used() - before) / count, 'bytes');
  if (graph.size < count) throw new Error('the graph is not complete');
}

async function create(client: TestClient, path: string, make: (index: number) => object): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < count) {
      const answer = await client.post(path, make(next++));
      if (answer.status !== 201) throw new Error(answer.body.toString());
    }
  };
  await Promise.all(Array.from({length: writers}, work));
}

async function measureServer(policy: 'Background' | 'Foreground' | 'Orphan'): Promise<void> {
  const server = await startTestServer({store});
  const {client} = server;
  try {
    const maps = '/api/v1/namespaces/default/configmaps';
    const owner = (await client.post(maps, {metadata: {name: 'owner'}})).json<ApiObject>();
    const reference = {apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid!, blockOwnerDeletion: true};
    await create(client, maps, (index) => ({metadata: {name: `dependent-${index}`, ownerReferences: [reference]}}));
    const secrets = '/api/v1/namespaces/default/secrets';
    await client.post(secrets, {metadata: {name: 'other'}});
    const began = performance.now();
    const cpu = process.cpuUsage();
    const waits: number[] = [];
    const {longestMillis} = await longestTurn(async () => {
      await client.delete(`${maps}/owner?propagationPolicy=${policy}`);
      for (;;) {
        const asked = performance.now();
        await client.get(`${secrets}/other`);
        waits.push(performance.now() - asked);
        if (waits.length % 20 > 0) {
          await delay(5);
          continue;
        }
        const left = (await client.get(policy === 'Background' ? `${maps}?limit=1` : `${maps}/owner`)).json<{
          items?: unknown[];
          code?: number;
        }>();
        if (left.items?.length === 0 || left.code === 404) return;
      }
    });
    const {user, system} = process.cpuUsage(cpu);
    waits.sort((a, b) => a - b);
    report(`${policy}: ${count} dependents, time`, (performance.now() - began) / 1000, 's');
    report(`${policy}: time of processor`, (user + system) / 1e6, 's');
    report(`${policy}: longest turn of the event loop`, longestMillis, 'ms');
    report(`${policy}: other requests, 99th percentile`, waits[Math.floor(waits.length * 0.99)]!, 'ms');
  } finally {
    await server.stop();
  }
}

// What is compiled and loaded for the first time does not count.
await measureGraph('first run', (index) => index);
await measureGraph('all of one owner', () => 0);
await measureGraph('ten of each owner', (index) => Math.floor(index / 10));
await measureGraph('one of each owner', (index) => index);
if (store !== 'none') for (const policy of ['Background', 'Foreground', 'Orphan'] as const) await measureServer(policy);
