import {ConnectionLost, reasonOf} from '../redis-errors.js';
import {addressText, type Address} from '../redis-url.js';
import type {Ask, Topology} from './topology.js';

/**
 * The nodes of a Redis Cluster. A shard of the store is one slot, so it lives on one node and is served over plain
 * connections to it; when its slot has moved, the node answers MOVED, the connection is made again, and this finds the new node.
 */
export function clusterTopology(seeds: readonly Address[], ask: Ask): Topology {
  let known: readonly Address[] = seeds;

  async function locate(node: Address, key: string): Promise<Address> {
    const [slot, ranges] = await Promise.all([ask(node, ['CLUSTER', 'KEYSLOT', key]), ask(node, ['CLUSTER', 'SLOTS'])]);
    const nodes: Address[] = [];
    let found: Address | undefined;
    for (const [from, to, primary] of ranges as [number, number, [Buffer | null, number]][]) {
      // A node that does not know its own name says nothing: it is the one that was asked.
      const address = {host: primary[0]?.toString() || node.host, port: primary[1]};
      nodes.push(address);
      if ((slot as number) >= from && (slot as number) <= to) found = address;
    }
    if (found === undefined) throw new ConnectionLost(`no node of the cluster serves slot ${String(slot)}`);
    known = [...nodes, ...seeds];
    return found;
  }

  return {
    description: `cluster ${seeds.map(addressText).join(', ')}`,
    async addressOf(key) {
      const problems: string[] = [];
      for (const node of known) {
        try {
          return await locate(node, key);
        } catch (error) {
          problems.push(`${addressText(node)}: ${reasonOf(error)}`);
        }
      }
      known = seeds;
      throw new ConnectionLost(`no node of the cluster can tell where the data is (${problems.join('; ')})`);
    },
  };
}
