// What one big type in many namespaces costs each node of a Redis Cluster, in CPU, as few machines have as many cores as nodes:
// npm exec -- node dist/rigs/bench/placement.js [shards]
import {openStore} from '../../test/plugins/stores/redis/open-store.js';
import {startRedisCluster} from '../../test/helpers/redis-cluster.js';
import {cpuSeconds} from './process-usage.js';
import {tableText} from './table-text.js';

const spread = Number(process.argv[2] ?? 6);
const namespaces = 500;
const writes = 12_000;
const value = Buffer.alloc(1024, 'x');

interface Figures {
  /** CPU seconds of each node for 1,000 writes of the whole store. */
  readonly nodes: readonly number[];
  /** CPU seconds of the process that writes and follows. */
  readonly server: number;
}

async function measure(primaries: number, shards: number, writers: number): Promise<Figures> {
  const ends: (() => void | Promise<void>)[] = [];
  const cluster = await startRedisCluster({teardown: (end) => void ends.push(end)}, primaries);
  const store = await openStore(`redis://${cluster.addresses}?cluster=1&shards=${shards}`);
  try {
    let delivered = 0;
    await store.follow(0, 0, {onEntries: (entries) => void (delivered += entries.length), onEnd: () => undefined});
    const write = async (from: number, to: number): Promise<void> => {
      let next = from;
      const work = async (): Promise<void> => {
        while (next < to) {
          const index = next++;
          await store.commit({type: 'things', key: `space${index % namespaces}/name${index}`, expected: 0, value});
        }
      };
      await Promise.all(Array.from({length: writers}, work));
    };
    await write(0, 1000);
    const before = cluster.nodes.map(({pid}) => cpuSeconds([pid]));
    const own = process.cpuUsage();
    await write(1000, 1000 + writes);
    const {user, system} = process.cpuUsage(own);
    const nodes = cluster.nodes.map(({pid}, index) => ((cpuSeconds([pid]) - before[index]!) / writes) * 1000);
    return {nodes, server: ((user + system) / 1e6 / writes) * 1000};
  } finally {
    await store.close();
    for (const end of ends.toReversed()) await end();
  }
}

const rows: string[][] = [];
for (const writers of [8, 256]) {
  let alone: number | undefined;
  for (const [primaries, shards] of [
    [1, 1],
    [1, spread],
    [3, spread],
    [6, spread],
  ] as const) {
    const {nodes, server} = await measure(primaries, shards, writers);
    const busiest = Math.max(...nodes);
    alone ??= busiest;
    rows.push([
      String(primaries),
      String(shards),
      String(writers),
      busiest.toFixed(3),
      nodes.reduce((sum, one) => sum + one, 0).toFixed(3),
      (alone / busiest).toFixed(1),
      server.toFixed(2),
    ]);
  }
}
console.log(`CPU seconds per 1,000 creates of 1 KB in ${namespaces} namespaces`);
console.log(tableText([['primaries', 'shards', 'writers', 'busiest node', 'all nodes', 'times one node', 'server'], ...rows]));
