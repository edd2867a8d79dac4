import {formatIp, parseCidr, type Cidr} from '../../../sdk/net/index.js';

/** Blocks of a range at most: of an IPv6 range with more the first are given. */
const mostBlocks = 65_536;

const bitsOf = ({family}: Cidr): number => (family === 'IPv4' ? 32 : 128);

/** Blocks of one size in a range, each of which is given once, one after the other. As Kubernetes gives them. */
export class BlockPool {
  readonly #range: Cidr;
  readonly #prefixLength: number;
  readonly #count: number;
  readonly #used = new Set<number>();
  #next = 0;

  /** @throws Error in one sentence for what is no range, or blocks that do not fit */
  constructor(range: string, prefixLength: number) {
    const cidr = parseCidr(range);
    if (!cidr) throw new Error(`${JSON.stringify(range)} is no block of addresses`);
    if (prefixLength < cidr.prefixLength || prefixLength > bitsOf(cidr))
      throw new Error(`the blocks of nodes (/${prefixLength}) do not fit in ${range}`);
    this.#range = cidr;
    this.#prefixLength = prefixLength;
    this.#count = Math.min(2 ** (prefixLength - cidr.prefixLength), mostBlocks);
  }

  /** A block that is free; undefined if there is none. */
  take(): string | undefined {
    for (let tries = 0; tries < this.#count && this.#used.size < this.#count; tries += 1) {
      const index = (this.#next + tries) % this.#count;
      if (this.#used.has(index)) continue;
      this.#used.add(index);
      this.#next = (index + 1) % this.#count;
      return this.#text(index);
    }
    return undefined;
  }

  /** A block is in use, with all of this pool's that overlap it. */
  occupy(block: string): void {
    this.#each(block, (index) => this.#used.add(index));
  }

  /** A block is free again. */
  release(block: string): void {
    this.#each(block, (index) => this.#used.delete(index));
  }

  #each(block: string, call: (index: number) => void): void {
    const cidr = parseCidr(block);
    if (!cidr || cidr.family !== this.#range.family) return;
    const size = 1n << BigInt(bitsOf(cidr) - this.#prefixLength);
    const length = 1n << BigInt(bitsOf(cidr) - cidr.prefixLength);
    const first = (cidr.base - this.#range.base) / size;
    const last = (cidr.base + length - 1n - this.#range.base) / size;
    if (cidr.base + length <= this.#range.base) return;
    for (let index = Math.max(0, Number(first)); index <= Math.min(Number(last), this.#count - 1); index += 1) call(index);
  }

  #text(index: number): string {
    const {family, base} = this.#range;
    const value = base + (BigInt(index) << BigInt(bitsOf(this.#range) - this.#prefixLength));
    return `${formatIp({family, value})}/${this.#prefixLength}`;
  }
}
