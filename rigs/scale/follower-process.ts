// Many servers' parts that follow one Redis, in one process: takes a URL, how many, and whether anybody asks them for what is written.
import {openStore} from '../../test/plugins/stores/redis/open-store.js';
import {writtenType} from './write-load.js';

/** What the process tells its parent: how many stores follow, then how far the slowest of them has come, each time that is as far as the parent waits for. */
export type FollowerReport = {readonly following: number} | {readonly reached: number};

/** What the parent tells the process: the revision that all are to reach. */
export interface FollowerTarget {
  readonly target: number;
}

const [url, count, asked] = process.argv.slice(2) as [string, string, string];
const positions: number[] = [];
const stores = [];
let target = Infinity;

/** Nothing is said before that: messages cost more than following does. */
function report(): void {
  const reached = Math.min(...positions);
  if (reached < target) return;
  target = Infinity;
  process.send!({reached} satisfies FollowerReport);
}

process.on('message', (message: FollowerTarget) => {
  target = message.target;
  report();
});

for (let index = 0; index < Number(count); index++) {
  const store = await openStore(url);
  stores.push(store);
  const shard = store.shardOf(writtenType);
  positions.push(0);
  await store.follow(shard, await store.revision(shard), {
    wants: (type) => asked === 'asked' && type === writtenType,
    onEntries(entries, upTo = entries.at(-1)?.revision ?? 0) {
      positions[index] = upTo;
      if (upTo >= target) report();
    },
    onEnd(error) {
      throw error;
    },
  });
}
process.send!({following: stores.length} satisfies FollowerReport);
process.once('disconnect', () => process.exit());
