// Many servers' parts that follow one Redis, in one process: takes a URL, how many, and whether anybody asks them for what is written.
import {openStore} from '../../test/plugins/stores/redis/open-store.js';
import {writtenType} from './write-load.js';

/** What the process tells its parent: how many stores follow, then how far the slowest of them has come. */
export type FollowerReport = {readonly following: number} | {readonly reached: number};

const [url, count, asked] = process.argv.slice(2) as [string, string, string];
const positions: number[] = [];
const stores = [];
let told = 0;

/** At most once a turn of the loop: the parent wants to know when all have come to the end. */
let scheduled = false;
function report(): void {
  if (scheduled) return;
  scheduled = true;
  setImmediate(() => {
    scheduled = false;
    const reached = Math.min(...positions);
    if (reached === told) return;
    told = reached;
    process.send!({reached} satisfies FollowerReport);
  });
}

for (let index = 0; index < Number(count); index++) {
  const store = await openStore(url);
  stores.push(store);
  const shard = store.shardOf(writtenType);
  positions.push(0);
  await store.follow(shard, await store.revision(shard), {
    wants: (type) => asked === 'asked' && type === writtenType,
    onEntries(entries, upTo = entries.at(-1)?.revision ?? 0) {
      positions[index] = upTo;
      report();
    },
    onEnd(error) {
      throw error;
    },
  });
}
process.send!({following: stores.length} satisfies FollowerReport);
process.once('disconnect', () => process.exit());
