interface Waiter {
  readonly revision: number;
  settle(outcome: boolean | Error): void;
}

/** Callers waiting until the log of a shard has reached a revision. */
export class ShardWaiters {
  #waiting: Waiter[] = [];
  #lowest = Infinity;

  /** Resolves with true when `revision` is reached, with false after `millis`. Rejects when the log can no longer be followed. */
  wait(revision: number, millis: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((other) => other !== waiter);
        resolve(false);
      }, millis);
      const waiter: Waiter = {
        revision,
        settle: (outcome) => {
          clearTimeout(timer);
          if (typeof outcome === 'boolean') resolve(outcome);
          else reject(outcome);
        },
      };
      this.#waiting.push(waiter);
      this.#lowest = Math.min(this.#lowest, revision);
    });
  }

  reached(position: number): void {
    if (position < this.#lowest) return;
    const waiting = this.#waiting;
    this.#waiting = waiting.filter(({revision}) => revision > position);
    this.#lowest = this.#waiting.reduce((lowest, {revision}) => Math.min(lowest, revision), Infinity);
    for (const waiter of waiting) if (waiter.revision <= position) waiter.settle(true);
  }

  reject(error: Error): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#lowest = Infinity;
    for (const waiter of waiting) waiter.settle(error);
  }
}
