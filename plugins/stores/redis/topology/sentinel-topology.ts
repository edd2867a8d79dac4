import type {Reply} from '../drivers/redis-driver.js';
import {ConnectionLost, reasonOf} from '../redis-errors.js';
import {addressText, type Address} from '../redis-url.js';
import {answersOf, type Ask, type Topology} from './topology.js';

interface Named {
  readonly address: Address;
  /** Grows with each failover: sentinels that were cut off know an older one. */
  readonly configEpoch: number;
}

/** The primary that the sentinels name. All are asked; the one that knows of the latest failover counts. */
export function sentinelTopology(sentinels: readonly Address[], primaryName: string, ask: Ask): Topology {
  async function primary(): Promise<Address> {
    const {answers, problems} = await answersOf(sentinels, async (sentinel) =>
      named(await ask(sentinel, ['SENTINEL', 'MASTER', primaryName])),
    );
    const [first, ...rest] = answers;
    if (first !== undefined) return rest.reduce((best, one) => (one.configEpoch > best.configEpoch ? one : best), first).address;
    const texts = problems.map(({address, error}) => `${addressText(address)}: ${reasonOf(error)}`);
    throw new ConnectionLost(`no sentinel names the primary (${texts.join('; ')})`);
  }

  return {
    description: `"${primaryName}" (Sentinel ${sentinels.map(addressText).join(', ')})`,
    addressOf: primary,
    async look() {
      const address = await primary().catch(() => undefined);
      return address && (() => address);
    },
  };
}

function named(reply: Reply): Named {
  const list = reply as Buffer[];
  const fields = new Map<string, string>();
  for (let index = 0; index < list.length; index += 2) fields.set(String(list[index]), String(list[index + 1]));
  return {
    address: {host: fields.get('ip') ?? '', port: Number(fields.get('port'))},
    configEpoch: Number(fields.get('config-epoch') ?? 0),
  };
}
