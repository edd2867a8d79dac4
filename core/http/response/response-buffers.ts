/** Smaller bodies come from memory that is cheap to get anyway. */
const smallest = 64 * 1024;
const largest = 512 * 1024;
/** Bytes that are kept between responses. */
const maximumKept = 8 * 1024 * 1024;

const kept = new Map<number, Buffer[]>();
let keptBytes = 0;

/** A part of a body, in reusable memory. */
export interface BodySlice {
  readonly bytes: Buffer;
  /**
   * To be called once the bytes have been sent: they may be overwritten afterwards. Buffers that were not sent completely are not reused.
   */
  release(): void;
}

/**
 * What a body is made of: members that follow each other, what stands before, between and behind them. The bytes of members may be those of the cache, of which some are left out: to
 * make a buffer of what is sent of each, and to copy what stands between them as a buffer, costs as much as to copy the members.
 */
export interface BodyParts {
  readonly head: Buffer;
  readonly members: readonly Buffer[];
  /** How many bytes at the beginning of each member are left out. */
  readonly skip: number;
  /** A few bytes. */
  readonly separator: Buffer;
  readonly tail: Buffer;
}

const keepNothing = () => undefined;
const nothing = Buffer.alloc(0);

/** Buffers that are sent as they are. */
export function partsOf(members: readonly Buffer[]): BodyParts {
  return {head: nothing, members, skip: 0, separator: nothing, tail: nothing};
}

/** The parts as they are sent. */
export function buffersOf({head, members, skip, separator, tail}: BodyParts): Buffer[] {
  return [head, ...members.flatMap((member, index) => [index > 0 ? separator : nothing, member.subarray(skip)]), tail];
}

/**
 * Joins the parts of a large body. Allocating and freeing memory for each costs more than all other work on a list, so the memory of
 * previous responses is reused.
 *
 * @param length of all parts together
 */
export function joinParts({head, members, skip, separator, tail}: BodyParts, length: number): BodySlice {
  const isKept = length >= smallest && length <= largest;
  const memory = isKept ? take(2 ** Math.ceil(Math.log2(length))) : Buffer.allocUnsafe(length);
  let end = head.copy(memory);
  for (let index = 0; index < members.length; index += 1) {
    if (index > 0) end = putSeparator(memory, end, separator);
    end += members[index]!.copy(memory, end, skip);
  }
  end += tail.copy(memory, end);
  return isKept ? {bytes: memory.subarray(0, end), release: releaseOnce(memory)} : {bytes: memory, release: keepNothing};
}

/** Byte by byte: a copy of one or two takes longer. Returns where it ends. */
function putSeparator(memory: Buffer, at: number, separator: Buffer): number {
  for (let index = 0; index < separator.length; index += 1) memory[at + index] = separator[index]!;
  return at + separator.length;
}

/**
 * The parts one after the other, in slices of at most `size` bytes (a power of two); two that follow each other have half of that together, but for the last one. Each
 * is created on demand.
 */
export function* slicesOf({head, members, skip, separator, tail}: BodyParts, size: number): Generator<BodySlice, void, void> {
  let memory: Buffer | undefined;
  let end = 0;
  // Not by an iterator: in a generator each of its results is an object, two for each member of a list.
  for (let index = -1; index <= members.length; index += 1) {
    const isMember = index >= 0 && index < members.length;
    const part = isMember ? members[index]! : index < 0 ? head : tail;
    let from = isMember ? skip : 0;
    if (isMember && index > 0 && separator.length > 0) {
      if (memory && end + separator.length > size) {
        yield {bytes: memory.subarray(0, end), release: releaseOnce(memory)};
        memory = undefined;
        end = 0;
      }
      memory ??= take(size);
      end = putSeparator(memory, end, separator);
    }
    while (from < part.length) {
      // A part that fills a slice by itself, or half of it, is sent without copying.
      if (part.length - from >= size / 2) {
        if (memory) yield {bytes: memory.subarray(0, end), release: releaseOnce(memory)};
        memory = undefined;
        end = 0;
        yield {bytes: part.subarray(from, from + size), release: keepNothing};
        from += size;
        continue;
      }
      memory ??= take(size);
      const copied = part.copy(memory, end, from, Math.min(part.length, from + size - end));
      from += copied;
      end += copied;
      if (end < size) continue;
      yield {bytes: memory, release: releaseOnce(memory)};
      memory = undefined;
      end = 0;
    }
  }
  if (memory) yield {bytes: memory.subarray(0, end), release: releaseOnce(memory)};
}

function releaseOnce(memory: Buffer): () => void {
  let released = false;
  return () => {
    if (released) return;
    released = true;
    keep(memory);
  };
}

function take(size: number): Buffer {
  const memory = kept.get(size)?.pop();
  if (!memory) return Buffer.allocUnsafeSlow(size);
  keptBytes -= size;
  return memory;
}

function keep(memory: Buffer): void {
  if (keptBytes + memory.length > maximumKept) return;
  keptBytes += memory.length;
  const others = kept.get(memory.length);
  if (others) others.push(memory);
  else kept.set(memory.length, [memory]);
}
