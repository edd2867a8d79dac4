import type {PackedBytes} from '../response/gzip-join.js';

/** Members of a list that follow each other, with what stands between them, compressed. */
export interface PackedBlock<T> extends PackedBytes {
  readonly members: readonly T[];
}

/** Larger ones are not kept: one of them would take the place of many. */
const mostBytesOfOne = 1024 * 1024;

/**
 * Compressed blocks of lists that were sent, found by their members. A state of an object never changes, so the block of the same states is the same. Clients ask for the same lists
 * again and again, and most of a list has not changed since: it was a third of what a compressed list cost to compress it.
 */
export class PackedBlocks<T extends object> {
  /** By their first members; the one that was used last is last. */
  readonly #blocks = new Map<T, PackedBlock<T>>();
  readonly #mostBytes: number;
  #bytes = 0;

  /** @param most bytes that all blocks hold: what they were made of, which may be in memory for them alone by now, and what came of it */
  constructor(most: number) {
    this.#mostBytes = most;
  }

  /** Bytes that all blocks hold. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The block whose members are those from `from` on. */
  find(items: readonly T[], from: number): PackedBlock<T> | undefined {
    const first = items[from]!;
    const block = this.#blocks.get(first);
    if (!block || !isAt(items, from, block.members)) return undefined;
    this.#blocks.delete(first);
    this.#blocks.set(first, block);
    return block;
  }

  add(block: PackedBlock<T>): void {
    const [first] = block.members as [T];
    this.#remove(first);
    if (sizeOf(block) > mostBytesOfOne) return;
    this.#blocks.set(first, block);
    this.#bytes += sizeOf(block);
    for (const oldest of this.#blocks.keys()) {
      if (this.#bytes <= this.#mostBytes) return;
      this.#remove(oldest);
    }
  }

  #remove(first: T): void {
    const block = this.#blocks.get(first);
    if (!block) return;
    this.#blocks.delete(first);
    this.#bytes -= sizeOf(block);
  }
}

function sizeOf({bytes, length}: PackedBytes): number {
  return bytes.length + length;
}

function isAt<T>(items: readonly T[], from: number, members: readonly T[]): boolean {
  if (members.length > items.length - from) return false;
  for (let index = 0; index < members.length; index += 1) if (items[from + index] !== members[index]) return false;
  return true;
}
