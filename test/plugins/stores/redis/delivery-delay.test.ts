import test from 'ava';
import {fork} from 'node:child_process';
import {once} from 'node:events';
import {fileURLToPath} from 'node:url';
import {startRedis} from '../../../helpers/redis-server.js';
import {drivers, openFor} from './open-store.js';
import type {Delivery} from './delivery-process.js';

for (const driver of drivers) {
  test(`[B-ADM-32] ${driver}: what one server commits reaches a follower in another process within milliseconds`, async (t) => {
    const server = await startRedis(t);
    const url = `${server.url}?driver=${driver}`;
    const store = await openFor(t, url);
    const child = fork(fileURLToPath(new URL('./delivery-process.js', import.meta.url)), [url]);
    t.teardown(() => child.kill());
    await once(child, 'message');

    const count = 600;
    const sent = new Map<number, number>();
    const received = new Map<number, number>();
    const all = Promise.withResolvers<void>();
    child.on('message', (deliveries: Delivery[]) => {
      for (const {revision, at} of deliveries) received.set(revision, at);
      if (received.size === count) all.resolve();
    });
    for (let index = 0; index < count; index++) {
      const at = now();
      const revision = await store.commit({type: 'things', key: `k${index}`, expected: 0, value: Buffer.alloc(1024)});
      sent.set(revision, at);
      // A pause, so that entries are delivered one by one and not in batches.
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await all.promise;

    const delays = [...sent].map(([revision, at]) => received.get(revision)! - at).toSorted((a, b) => a - b);
    const p = (share: number): string => delays[Math.floor(share * (count - 1))]!.toFixed(2);
    t.log(`${driver}: from the call of commit to onEntries in another process: p50 ${p(0.5)} ms, p99 ${p(0.99)} ms, max ${p(1)} ms`);
    t.true(Number(p(0.5)) < 250, 'a poll would take longer');
  });
}

/** Comparable between processes of one machine. */
function now(): number {
  return performance.timeOrigin + performance.now();
}
