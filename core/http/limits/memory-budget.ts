import type {UserInfo} from '../../../sdk/index.js';
import {TransientMap} from '../../../sdk/values/transient-map.js';

/** The share beyond the total that administrators may use, so that they are rejected last. */
const reserve = 0.5;
const masters = 'system:masters';

/**
 * Memory shared by requests: a total, and a part of it for one caller. It only counts. Code checks for room before it uses more, so usage may exceed the
 * limits by what one request takes.
 */
export class MemoryBudget {
  #used = 0;
  readonly #byCaller = new TransientMap<string, number>();

  readonly #total: number;
  readonly #perCaller: number;

  /** Both in bytes. */
  constructor(total: number, perCaller: number) {
    this.#total = total;
    this.#perCaller = perCaller;
  }

  get used(): number {
    return this.#used;
  }

  get isFull(): boolean {
    return this.#used >= this.#total;
  }

  /** Whether a user may take more. */
  hasRoom({username, groups}: Pick<UserInfo, 'username' | 'groups'>): boolean {
    const ofCaller = this.#byCaller.size === 0 ? 0 : (this.#byCaller.get(username) ?? 0);
    if (this.#used < this.#total && ofCaller < this.#perCaller) return true;
    return groups.includes(masters) && this.#used < this.#total * (1 + reserve);
  }

  /** @param bytes negative to release memory */
  add(bytes: number): void {
    this.#used += bytes;
  }

  /** As `add`, but also counted for the user of this name. */
  addFor(caller: string, bytes: number): void {
    this.#used += bytes;
    const sum = (this.#byCaller.get(caller) ?? 0) + bytes;
    if (sum > 0) this.#byCaller.set(caller, sum);
    else this.#byCaller.delete(caller);
  }
}
