/** Maximum number of cached answers. */
const capacity = 1024;

/** Caches answers for a time; if there are too many, the least recently used is dropped. */
export class AnswerCache<T> {
  readonly #entries = new Map<string, {readonly answer: T; readonly expires: number}>();

  get(key: string, now = performance.now()): T | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    if (entry.expires <= now) return undefined;
    this.#entries.set(key, entry);
    return entry.answer;
  }

  set(key: string, answer: T, millis: number, now = performance.now()): void {
    this.#entries.delete(key);
    if (millis <= 0) return;
    this.#entries.set(key, {answer, expires: now + millis});
    if (this.#entries.size > capacity) this.#entries.delete(this.#entries.keys().next().value!);
  }

  get size(): number {
    return this.#entries.size;
  }
}
