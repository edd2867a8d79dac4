/** A set of names that forgets each of them after a fixed time. */
export class RecentNames {
  // In order of expiry: a name that is added again moves to the end.
  readonly #expiries = new Map<string, number>();
  readonly #lifetimeMillis: number;

  constructor(lifetimeMillis: number) {
    this.#lifetimeMillis = lifetimeMillis;
  }

  add(name: string, now = performance.now()): void {
    this.#expiries.delete(name);
    this.#expiries.set(name, now + this.#lifetimeMillis);
    for (const [oldest, expiry] of this.#expiries) {
      if (expiry > now) break;
      this.#expiries.delete(oldest);
    }
  }

  has(name: string, now?: number): boolean {
    const expiry = this.#expiries.get(name);
    return expiry !== undefined && expiry > (now ?? performance.now());
  }

  get size(): number {
    return this.#expiries.size;
  }
}
