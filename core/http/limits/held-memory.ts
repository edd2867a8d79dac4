import type {UserInfo} from '../../../sdk/index.js';
import type {MemoryBudget} from './memory-budget.js';

/** What has never been larger is counted in the total only: most requests are small, and a count by caller costs them more. */
const smallBytes = 64 * 1024;

/** What one request takes of a budget. */
export class HeldMemory {
  #bytes = 0;
  /** The user that it is counted for, once it has been large. */
  #caller: string | undefined;

  readonly #budget: MemoryBudget;

  constructor(budget: MemoryBudget) {
    this.#budget = budget;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Says how much it is now. @returns by how much that is more than before */
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
