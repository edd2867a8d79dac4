/** Larger ones are not kept: one of them would take the place of many. */
const mostBytesOfOne = 256 * 1024;
/** What the objects of the runtime take for each, in bytes. */
const overhead = 256;

/**
 * The bytes of objects in a form other than the stored one, found by their immutable states: to make them again for each list took ten times as long as to send what is stored.
 * Two halves: when the newer one is full, the older one goes, and what of it was used meanwhile is in the newer one.
 */
export class KeptMembers<T extends {readonly bytes: Buffer}> {
  #newer = new Map<T, Buffer>();
  #older = new Map<T, Buffer>();
  #newerBytes = 0;
  readonly #mostOfHalf: number;

  /** @param most bytes that all hold together, with the states, which may be in memory for them alone by now */
  constructor(most: number) {
    this.#mostOfHalf = most / 2;
  }

  /** What was made of a state before. */
  get(state: T): Buffer | undefined {
    const kept = this.#newer.get(state);
    if (kept) return kept;
    const older = this.#older.get(state);
    if (older) this.add(state, older);
    return older;
  }

  add(state: T, bytes: Buffer): void {
    const size = bytes.length + state.bytes.length + overhead;
    if (size > mostBytesOfOne) return;
    if (this.#newerBytes + size > this.#mostOfHalf) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#newerBytes = 0;
    }
    this.#newer.set(state, bytes);
    this.#newerBytes += size;
  }
}
