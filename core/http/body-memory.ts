/** Smaller bodies come from memory that is cheap to get anyway. */
const smallest = 64 * 1024;
const largest = 4 * 1024 * 1024;
/** What is kept between answers, in bytes. */
const maximumKept = 8 * 1024 * 1024;

const kept = new Map<number, Buffer[]>();
let keptBytes = 0;

/** A body in memory that is used again. */
export interface JoinedBody {
  readonly bytes: Buffer;
  /** To be called once the bytes have been sent: they are overwritten afterwards. A body that was not sent as a whole is left alone. */
  release(): void;
}

/**
 * Joins the parts of a large body. Getting fresh memory for each and clearing it away costs more than all other work on a list, so what the
 * last answers used is used again.
 *
 * @param length of all parts together
 */
export function joinBody(parts: readonly Buffer[], length: number): JoinedBody {
  if (length < smallest || length > largest) return {bytes: Buffer.concat(parts, length), release: () => undefined};
  const memory = take(2 ** Math.ceil(Math.log2(length)));
  let end = 0;
  for (const part of parts) end += part.copy(memory, end);
  let released = false;
  return {
    bytes: memory.subarray(0, end),
    release() {
      if (released) return;
      released = true;
      keep(memory);
    },
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
