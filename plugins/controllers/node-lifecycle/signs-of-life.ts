import type {NodeRecord, ReadyState} from './node-record.js';

interface Life {
  seenAt: number;
  ready: ReadyState | undefined;
}

/** When nodes have shown that they live: by their status, or by their lease. */
export class SignsOfLife {
  readonly #lives = new Map<string, Life>();
  /** When leases were renewed, in milliseconds since 1970. */
  readonly #renewed = new Map<string, number>();

  /** The lease of a node was renewed. */
  renewed(name: string, now: number): void {
    this.#renewed.set(name, now);
  }

  /** A lease is gone. */
  leaseGone(name: string): void {
    this.#renewed.delete(name);
  }

  /** A node is gone. */
  forget(name: string): void {
    this.#lives.delete(name);
  }

  /** Looks at a node. @returns when it last showed that it lives, in milliseconds since 1970; before it has reported, that of its creation */
  look({name, ready, createdAt}: NodeRecord, now: number): number {
    let life = this.#lives.get(name);
    if (!life) {
      life = {seenAt: ready ? now : createdAt, ready};
      this.#lives.set(name, life);
    } else {
      if (ready && ready.heartbeat !== life.ready?.heartbeat) life.seenAt = now;
      life.ready = ready;
    }
    life.seenAt = Math.max(life.seenAt, this.#renewed.get(name) ?? 0);
    return life.seenAt;
  }

  /** Silence does not count for some of the time that has passed. */
  forgive(milliseconds: number): void {
    for (const life of this.#lives.values()) life.seenAt += milliseconds;
  }

  /** All that are known live at this moment. */
  allSeen(now: number): void {
    for (const life of this.#lives.values()) life.seenAt = now;
  }
}
