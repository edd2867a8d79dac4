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

const keepNothing = () => undefined;

/**
 * Joins the parts of a large body. Allocating and freeing memory for each costs more than all other work on a list, so the memory of
 * previous responses is reused.
 *
 * @param length of all parts together
 */
export function joinParts(parts: readonly Buffer[], length: number): BodySlice {
  if (length < smallest || length > largest) return {bytes: Buffer.concat(parts, length), release: keepNothing};
  const memory = take(2 ** Math.ceil(Math.log2(length)));
  let end = 0;
  for (let index = 0; index < parts.length; index += 1) end += parts[index]!.copy(memory, end);
  return {bytes: memory.subarray(0, end), release: releaseOnce(memory)};
}

/**
 * The parts one after the other, in slices of at most `size` bytes (a power of two); two that follow each other have half of that together, but for the last one. Each
 * is created on demand.
 */
export function* slicesOf(parts: readonly Buffer[], size: number): Generator<BodySlice, void, void> {
  let memory: Buffer | undefined;
  let end = 0;
  // Not by an iterator: in a generator each of its results is an object, two for each member of a list.
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index]!;
    let from = 0;
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
