import {ipFamily} from '../../../sdk/net/index.js';
import {BlockPool} from '../../families/addresses/block-pool.js';

/** Addresses of load balancers, of each family, and who has which. */
export class AddressPools {
  readonly #pools: ReadonlyMap<string, BlockPool>;
  readonly #taken = new Map<string, readonly string[]>();

  /** @param ranges one of each family @throws Error in one sentence for what is no range */
  constructor(ranges: readonly string[]) {
    this.#pools = new Map(
      ranges.map((range) => {
        const isSix = range.includes(':');
        const pool = new BlockPool(range, isSix ? 128 : 32);
        // The first address of a range is nobody's.
        pool.occupy(`${range.slice(0, range.indexOf('/'))}/${isSix ? 128 : 32}`);
        return [isSix ? 'IPv6' : 'IPv4', pool] as const;
      }),
    );
  }

  /** Somebody has these addresses. */
  note(owner: string, addresses: readonly string[]): void {
    this.#taken.set(owner, addresses);
    for (const address of addresses) this.#pools.get(ipFamily(address) ?? '')?.occupy(block(address));
  }

  /** Addresses of families for an owner: those that it has, or new ones. */
  take(owner: string, families: readonly string[]): string[] {
    const before = this.#taken.get(owner) ?? [];
    const addresses = families.flatMap((family) => {
      const kept = before.find((address) => ipFamily(address) === family);
      return kept ?? this.#pools.get(family)?.take()?.split('/')[0] ?? [];
    });
    this.release(owner, addresses);
    this.#taken.set(owner, addresses);
    return addresses;
  }

  /** What an owner has is free again. @param except that it keeps */
  release(owner: string, except: readonly string[] = []): void {
    for (const address of this.#taken.get(owner) ?? [])
      if (!except.includes(address)) this.#pools.get(ipFamily(address) ?? '')?.release(block(address));
    this.#taken.delete(owner);
  }
}

function block(address: string): string {
  return `${address}/${address.includes(':') ? 128 : 32}`;
}
