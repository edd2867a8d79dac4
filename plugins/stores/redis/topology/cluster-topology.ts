import {ConnectionLost, reasonOf} from '../redis-errors.js';
import {addressText, type Address} from '../redis-url.js';
import {answersOf, type Ask, type Topology} from './topology.js';

/** Nodes that are asked for their view each second. */
const asked = 3;

interface View {
  /** Grows with each failover and each slot that moves: nodes that were cut off know an older one. */
  readonly epoch: number;
  readonly isUsable: boolean;
  ownerOf(slot: number): Address | undefined;
}

/**
 * The nodes of a Redis Cluster. A shard of the store is one slot, so it lives on one node and is served over plain
 * connections to it; when its slot has moved, the node answers MOVED, or another one knows of the move, the connection is made again, and
 * this finds the new node.
 */
export function clusterTopology(seeds: readonly Address[], ask: Ask): Topology {
  let known: readonly Address[] = seeds;
  const slots = new Map<string, number>();

  async function viewOf(node: Address): Promise<View> {
    const [info, ranges] = await Promise.all([ask(node, ['CLUSTER', 'INFO']), ask(node, ['CLUSTER', 'SLOTS'])]);
    const owners = (ranges as [number, number, [Buffer | null, number]][]).map(([from, to, primary]) => {
      // A node that does not know its own name says nothing: it is the one that was asked.
      return {from, to, address: {host: primary[0]?.toString() || node.host, port: primary[1]}};
    });
    known = [...owners.map(({address}) => address), ...seeds];
    return {
      epoch: Number(/cluster_current_epoch:(\d+)/.exec(String(info))?.[1] ?? 0),
      isUsable: /cluster_state:ok/.test(String(info)),
      ownerOf: (slot) => owners.find(({from, to}) => slot >= from && slot <= to)?.address,
    };
  }

  async function slotOf(node: Address, key: string): Promise<number> {
    const slot = slots.get(key) ?? ((await ask(node, ['CLUSTER', 'KEYSLOT', key])) as number);
    slots.set(key, slot);
    return slot;
  }

  return {
    description: `cluster ${seeds.map(addressText).join(', ')}`,
    async addressOf(key) {
      const problems: string[] = [];
      for (const node of known) {
        try {
          const [slot, view] = [await slotOf(node, key), await viewOf(node)];
          const owner = view.ownerOf(slot);
          if (owner !== undefined) return owner;
          throw new ConnectionLost(`no node of the cluster serves slot ${slot}`);
        } catch (error) {
          problems.push(`${addressText(node)}: ${reasonOf(error)}`);
        }
      }
      known = seeds;
      throw new ConnectionLost(`no node of the cluster can tell where the data is (${problems.join('; ')})`);
    },
    async look() {
      const nodes = new Map(known.map((node) => [addressText(node), node]));
      const {answers} = await answersOf([...nodes.values()].slice(0, asked), viewOf);
      const usable = answers.filter((view) => view.isUsable);
      if (usable.length === 0) return undefined;
      const latest = usable.reduce((best, view) => (view.epoch > best.epoch ? view : best));
      return (key) => (slots.has(key) ? latest.ownerOf(slots.get(key)!) : undefined);
    },
  };
}
