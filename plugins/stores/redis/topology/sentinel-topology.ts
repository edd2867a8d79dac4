import {ConnectionLost, reasonOf} from '../redis-errors.js';
import {addressText, type Address} from '../redis-url.js';
import type {Ask, Topology} from './topology.js';

/** The primary that Redis Sentinel names. The first sentinel that answers counts. */
export function sentinelTopology(sentinels: readonly Address[], primaryName: string, ask: Ask): Topology {
  return {
    description: `"${primaryName}" (Sentinel ${sentinels.map(addressText).join(', ')})`,
    async addressOf() {
      const problems: string[] = [];
      for (const sentinel of sentinels) {
        try {
          const reply = await ask(sentinel, ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', primaryName]);
          if (Array.isArray(reply)) return {host: String(reply[0]), port: Number(String(reply[1]))};
          problems.push(`${addressText(sentinel)} does not know "${primaryName}"`);
        } catch (error) {
          problems.push(`${addressText(sentinel)}: ${reasonOf(error)}`);
        }
      }
      throw new ConnectionLost(`no sentinel names the primary (${problems.join('; ')})`);
    },
  };
}
