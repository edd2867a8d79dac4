import type {UserInfo} from '../../../sdk/index.js';
import type {MemoryBudget} from './memory-budget.js';

/** Requests below this size are counted only in the total: most requests are small, and counting by caller would cost them more. */
const smallBytes = 64 * 1024;

/** The share of a budget that one request uses. */
export class HeldMemory {
  #bytes = 0;
  /** The user it is counted for, once it has been large. */
  #caller: string | undefined;

  readonly #budget: MemoryBudget;

  constructor(budget: MemoryBudget) {
    this.#budget = budget;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Sets the current amount. @returns the increase */
  set(bytes: number, user: UserInfo | undefined): number {
    const change = bytes - this.#bytes;
    if (change === 0) return 0;
    if (this.#caller === undefined && bytes >= smallBytes) {
      this.#caller = user?.username ?? '';
      this.#budget.add(-this.#bytes);
      this.#budget.addFor(this.#caller, bytes);
    } else if (this.#caller === undefined) this.#budget.add(change);
    else this.#budget.addFor(this.#caller, change);
    this.#bytes = bytes;
    return change;
  }
}
