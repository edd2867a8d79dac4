import {openStore} from './open-store.js';

/** When an entry reached the listener. */
export interface Delivery {
  readonly revision: number;
  readonly at: number;
}

// Another server on the same Redis: says when it follows, then reports each delivery.
const store = await openStore(process.argv[2]!);
await store.follow(0, 0, {
  onEntries(entries) {
    const at = performance.timeOrigin + performance.now();
    process.send!(entries.map(({revision}): Delivery => ({revision, at})));
  },
  onEnd(error) {
    throw error;
  },
});
process.send!('ready');
process.once('disconnect', () => void store.close());
