/** How far apart reads are while entries keep coming, in milliseconds: each read costs both sides more than several entries do. */
const restMillis = 8;
/** The same while nobody here wants any of the entries. */
const unwantedRestMillis = 40;
/** So long after a wanted entry others are expected. */
const wantedMillis = 1000;
/** So many reads may follow one another at once, as after a pause. What one change leads to, step by step, is not held up. */
const burst = 16;

/** Lets the reads of a log follow one another at once while they are few, and rests between them while there are many, so that each brings several entries. */
export class ReadPace {
  /** How many reads may be made at once. */
  #credit = burst;
  #countedAt = performance.now();
  #wantedAt = -Infinity;
  #end: (() => void) | undefined;

  /** Called before each read. Resolves when it may be made; undefined if that is at once. */
  rest(): Promise<void> | undefined {
    const now = performance.now();
    const millis = now - this.#wantedAt < wantedMillis ? restMillis : unwantedRestMillis;
    this.#credit = Math.min(burst, this.#credit + (now - this.#countedAt) / millis) - 1;
    this.#countedAt = now;
    if (this.#credit >= 0) return undefined;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#end?.(), -this.#credit * millis);
      this.#end = () => {
        this.#end = undefined;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Somebody here wants what was read. */
  wanted(): void {
    this.#wantedAt = performance.now();
  }

  /** Ends the rest: somebody waits for what is in the log. */
  hurry(): void {
    // Also if it is being read just now: that may have begun before.
    this.#credit = Math.max(1, this.#credit);
    this.#end?.();
  }
}
