import {cidrContains, cidrSize, formatIp, parseCidr, parseIp, type Cidr} from '../../../../sdk/net/index.js';

/** Where simulated machines are: no such address is ever called. */
const machines = parseCidr('172.16.0.0/12')!;
/** What their pods get addresses from. */
const podRange = parseCidr('10.128.0.0/9')!;
const podPrefix = 24;

/** Gives out addresses of machines and blocks for their pods, none of them twice. */
export class NodeAddresses {
  readonly #machines = new Set<string>();
  readonly #blocks = new Set<string>();
  #nextMachine = 2n;
  #nextBlock = 0n;

  /** What a node has already. */
  note(address: string | undefined, podCidr: string | undefined): void {
    if (address !== undefined) this.#machines.add(address);
    if (podCidr !== undefined) this.#blocks.add(podCidr);
  }

  machine(): string {
    for (;;) {
      const address = formatIp({family: 'IPv4', value: machines.base + this.#nextMachine++});
      if (this.#machines.has(address)) continue;
      this.#machines.add(address);
      return address;
    }
  }

  /** @param pods how many addresses it needs */
  podBlock(pods: number): string {
    let prefix = podPrefix;
    while (2 ** (32 - prefix) - 2 < pods && prefix > 12) prefix -= 1;
    const size = 2n ** BigInt(32 - prefix);
    for (;;) {
      const start = ((this.#nextBlock + size - 1n) / size) * size;
      this.#nextBlock = start + size;
      const block = `${formatIp({family: 'IPv4', value: podRange.base + start})}/${prefix}`;
      if (this.#blocks.has(block)) continue;
      this.#blocks.add(block);
      return block;
    }
  }
}

/** The addresses of the pods of one node. */
export class PodAddresses {
  readonly #block: Cidr;
  readonly #size: bigint;
  readonly #used = new Set<bigint>();
  #next = 2n;

  constructor(block: string) {
    this.#block = parseCidr(block) ?? podRange;
    this.#size = cidrSize(this.#block);
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
