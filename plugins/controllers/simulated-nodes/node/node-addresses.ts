import {cidrContains, cidrSize, formatIp, parseCidr, parseIp, type Cidr, type IpFamily} from '../../../../sdk/net/index.js';

/** Where simulated machines are: no such address is ever called. */
const machines = {IPv4: parseCidr('172.16.0.0/12')!, IPv6: parseCidr('fd00:172:16::/64')!};
/** What their pods get addresses from. */
const podRanges = {IPv4: parseCidr('10.128.0.0/9')!, IPv6: parseCidr('fd00:10:128::/48')!};
const podPrefixes = {IPv4: 24, IPv6: 64};
const lengths = {IPv4: 32, IPv6: 128};

/** Gives out addresses of machines and blocks for their pods, none of them twice: one of each family that the cluster has, the first family first. */
export class NodeAddresses {
  readonly #families: readonly IpFamily[];
  readonly #machines = new Set<string>();
  readonly #blocks = new Set<string>();
  readonly #nextMachine = {IPv4: 2n, IPv6: 2n};
  readonly #nextBlock = {IPv4: 0n, IPv6: 0n};

  constructor(families: readonly IpFamily[]) {
    this.#families = families;
  }

  /** What a node has already. */
  note(addresses: readonly string[], podCidrs: readonly string[]): void {
    for (const address of addresses) this.#machines.add(address);
    for (const block of podCidrs) this.#blocks.add(block);
  }

  machine(): string[] {
    return this.#families.map((family) => {
      for (;;) {
        const address = formatIp({family, value: machines[family].base + this.#nextMachine[family]++});
        if (this.#machines.has(address)) continue;
        this.#machines.add(address);
        return address;
      }
    });
  }

  /** @param pods how many addresses it needs */
  podBlocks(pods: number): string[] {
    return this.#families.map((family) => {
      let prefix = podPrefixes[family];
      while (2 ** (lengths[family] - prefix) - 2 < pods && prefix > 12) prefix -= 1;
      const size = 2n ** BigInt(lengths[family] - prefix);
      for (;;) {
        const start = ((this.#nextBlock[family] + size - 1n) / size) * size;
        this.#nextBlock[family] = start + size;
        const block = `${formatIp({family, value: podRanges[family].base + start})}/${prefix}`;
        if (this.#blocks.has(block)) continue;
        this.#blocks.add(block);
        return block;
      }
    });
  }
}

/** The addresses of the pods of one node: a pod has the same place in the block of each family, so that its first address stands for all of them. */
export class PodAddresses {
  readonly #block: Cidr;
  readonly #others: readonly Cidr[];
  readonly #size: bigint;
  readonly #used = new Set<bigint>();
  #next = 2n;

  /** @param blocks one of each family, the first family first */
  constructor([block = '', ...others]: readonly string[]) {
    this.#block = parseCidr(block) ?? podRanges.IPv4;
    this.#others = others.map(parseCidr).filter((other) => other !== undefined);
    this.#size = [this.#block, ...this.#others].map(cidrSize).reduce((least, size) => (size < least ? size : least));
  }

  /** One that is free; undefined if none is. */
  take(): string | undefined {
    for (let tried = 0n; tried < this.#size; tried += 1n) {
      const offset = this.#next;
      this.#next = offset + 1n >= this.#size - 1n ? 2n : offset + 1n;
      if (offset >= this.#size - 1n || this.#used.has(offset)) continue;
      this.#used.add(offset);
      return formatIp({family: this.#block.family, value: this.#block.base + offset});
    }
    return undefined;
  }

  /** All addresses of the pod that has this one. */
  allOf(address: string): string[] {
    const offset = this.#others.length === 0 ? undefined : this.#offset(address);
    return offset === undefined ? [address] : [address, ...this.#others.map(({family, base}) => formatIp({family, value: base + offset}))];
  }

  note(address: string): void {
    const offset = this.#offset(address);
    if (offset !== undefined) this.#used.add(offset);
  }

  release(address: string): void {
    const offset = this.#offset(address);
    if (offset !== undefined) this.#used.delete(offset);
  }

  #offset(address: string): bigint | undefined {
    const ip = parseIp(address);
    return ip && cidrContains(this.#block, ip) ? ip.value - this.#block.base : undefined;
  }
}
