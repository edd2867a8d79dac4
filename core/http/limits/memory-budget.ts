import type {UserInfo} from '../../../sdk/index.js';

/** What members of this group may take beyond the total, as a part of it: whoever keeps the server going is refused last. */
const reserve = 0.5;
const masters = 'system:masters';

/**
 * Memory that requests share: so much in all, and a part of it for one caller. It is counted here; who is about to take more asks first
 * whether there is room, so what is in use may exceed the limits by what one request takes.
 */
export class MemoryBudget {
  #used = 0;
  readonly #byCaller = new Map<string, number>();

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

  /** Whether somebody may take more. */
  hasRoom({username, groups}: Pick<UserInfo, 'username' | 'groups'>): boolean {
    const ofCaller = this.#byCaller.size === 0 ? 0 : (this.#byCaller.get(username) ?? 0);
    if (this.#used < this.#total && ofCaller < this.#perCaller) return true;
    return groups.includes(masters) && this.#used < this.#total * (1 + reserve);
  }

  /** @param bytes negative when memory is given back */
  add(bytes: number): void {
    this.#used += bytes;
  }

  /** As `add`, counted for the user with this name too. */
  addFor(caller: string, bytes: number): void {
    this.#used += bytes;
    const sum = (this.#byCaller.get(caller) ?? 0) + bytes;
    if (sum > 0) this.#byCaller.set(caller, sum);
    else this.#byCaller.delete(caller);
  }
}
