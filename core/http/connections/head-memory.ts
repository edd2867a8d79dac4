import type {IncomingMessage} from 'node:http';
import type {MemoryBudget} from '../limits/memory-budget.js';

/** Heads of up to this many bytes are always accepted: ordinary clients send no larger ones, and all connections together hold little in them. */
export const freeHeadBytes = 8 * 1024;

const noGroups: readonly string[] = [];

export interface HeadOwner {
  /** Key by which the connections of its client are counted. */
  readonly address: string;
  /** Bytes received so far of the current body. */
  bodyReceived(): number;
  /** There is no memory for the arriving head. */
  headRefused(): void;
}

/**
 * Counts the bytes of heads (and trailers) of one connection: the arriving one, and those of requests in progress, which keep them. Node limits each
 * head, but not their total over all connections.
 */
export class HeadMemory {
  /** Bytes of the arriving head, and how many of them are counted. */
  #arriving = 0;
  #counted = 0;
  #latest: IncomingMessage | undefined;
  /** Whether a head ended in the current part. */
  #announced = false;
  /** Bytes of the body of `latest` before the current part. */
  #bodyBytes = 0;
  #isOver = false;

  readonly #budget: MemoryBudget;
  readonly #owner: HeadOwner;

  constructor(budget: MemoryBudget, owner: HeadOwner) {
    this.#budget = budget;
    this.#owner = owner;
  }

  /** A head is complete. @returns the bytes that its request must `release` */
  announced(request: IncomingMessage, isUpgrade: boolean): number {
    const counted = this.#counted;
    this.#arriving = this.#counted = this.#bodyBytes = 0;
    this.#latest = request;
    this.#announced = true;
    // The rest of the connection is not HTTP.
    if (isUpgrade) this.#isOver = true;
    return counted;
  }

  /** A part of this many bytes has been parsed. */
  parsed(bytes: number): void {
    // After the end of a head, a part contains at most the beginning of the next one.
    if (!this.#isBody() && !this.#announced && !this.#isOver) this.#add(bytes);
    this.#announced = false;
  }

  /** @param bytes as returned by `announced` */
  release(bytes: number): void {
    if (bytes > 0) this.#budget.addFor(this.#owner.address, -bytes);
  }

  /** The connection has closed. */
  close(): void {
    this.release(this.#counted);
    this.#counted = 0;
    this.#isOver = true;
  }

  #add(bytes: number): void {
    this.#arriving += bytes;
    if (this.#arriving <= freeHeadBytes) return;
    const {address} = this.#owner;
    if (!this.#budget.hasRoom({username: address, groups: noGroups})) {
      this.#isOver = true;
      return this.#owner.headRefused();
    }
    this.#budget.addFor(address, this.#arriving - this.#counted);
    this.#counted = this.#arriving;
  }

  /** Whether the part belongs to a body. If a chunked body has not grown, the part belongs to its trailers. */
  #isBody(): boolean {
    const latest = this.#latest;
    if (!latest || latest.complete) return false;
    if (latest.headers['transfer-encoding'] === undefined) return true;
    const before = this.#bodyBytes;
    this.#bodyBytes = this.#owner.bodyReceived() + latest.readableLength;
    return this.#bodyBytes !== before;
  }
}
