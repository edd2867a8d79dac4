import type {IncomingMessage} from 'node:http';
import type {MemoryBudget} from '../limits/memory-budget.js';

/** Heads of at most this many bytes are always taken: they are what ordinary clients send, and all connections together hold little in them. */
const freeBytes = 8 * 1024;

const noGroups: readonly string[] = [];

export interface HeadOwner {
  /** What the connections of its client are counted by. */
  readonly address: string;
  /** Bytes so far of the body that is being received. */
  bodyReceived(): number;
  /** There is no memory for the head that is arriving. */
  headRefused(): void;
}

/**
 * Counts the bytes of requests' heads (and of trailers) on one connection: of the one that is arriving, and of those whose requests are in
 * progress, which keep them. Node bounds each head, but not what all connections hold.
 */
export class HeadMemory {
  /** Bytes of the head that is arriving, and as many of them as are counted. */
  #arriving = 0;
  #counted = 0;
  #latest: IncomingMessage | undefined;
  /** Whether the part that is being parsed had the end of a head in it. */
  #announced = false;
  /** Bytes of the body of `latest` before that part. */
  #bodyBytes = 0;
  #isOver = false;

  readonly #budget: MemoryBudget;
  readonly #owner: HeadOwner;

  constructor(budget: MemoryBudget, owner: HeadOwner) {
    this.#budget = budget;
    this.#owner = owner;
  }

  /** A head has come to its end. @returns how many bytes its request has to `release` */
  announced(request: IncomingMessage, isUpgrade: boolean): number {
    const counted = this.#counted;
    this.#arriving = this.#counted = this.#bodyBytes = 0;
    this.#latest = request;
    this.#announced = true;
    // What follows is not HTTP.
    if (isUpgrade) this.#isOver = true;
    return counted;
  }

  /** So many bytes have been parsed, at once. */
  parsed(bytes: number): void {
    // Behind the end of a head comes the beginning of the next at most, which one part bounds.
    if (!this.#isBody() && !this.#announced && !this.#isOver) this.#add(bytes);
    this.#announced = false;
  }

  /** @param bytes as `announced` told */
  release(bytes: number): void {
    if (bytes > 0) this.#budget.addFor(this.#owner.address, -bytes);
  }

  /** The connection is gone. */
  close(): void {
    this.release(this.#counted);
    this.#counted = 0;
    this.#isOver = true;
  }

  #add(bytes: number): void {
    this.#arriving += bytes;
    if (this.#arriving <= freeBytes) return;
    const {address} = this.#owner;
    if (!this.#budget.hasRoom({username: address, groups: noGroups})) {
      this.#isOver = true;
      return this.#owner.headRefused();
    }
    this.#budget.addFor(address, this.#arriving - this.#counted);
    this.#counted = this.#arriving;
  }

  /** Whether what has just been parsed belongs to a body. A chunked one that has not grown by it has come to its trailers. */
  #isBody(): boolean {
    const latest = this.#latest;
    if (!latest || latest.complete) return false;
    if (latest.headers['transfer-encoding'] === undefined) return true;
    const before = this.#bodyBytes;
    this.#bodyBytes = this.#owner.bodyReceived() + latest.readableLength;
    return this.#bodyBytes !== before;
  }
}
