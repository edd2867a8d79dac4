import type {Fault} from './history.js';

/** Counts what became of each wish to create an object: however often it is sent again, there is at most one. */
export class IntentChecker {
  readonly #intents = new Set<string>();
  readonly #made = new Map<string, Set<string>>();

  /** Somebody wants one object. */
  intend(intent: string): void {
    this.#intents.add(intent);
  }

  /** An object was seen that carries the mark of an intent. */
  note(intent: string, name: string): void {
    const names = this.#made.get(intent) ?? new Set();
    this.#made.set(intent, names.add(name));
  }

  get intents(): number {
    return this.#intents.size;
  }

  get faults(): Fault[] {
    const faults: Fault[] = [];
    for (const [intent, names] of this.#made) {
      if (!this.#intents.has(intent)) faults.push(`nobody wanted ${[...names].join(', ')}`);
      if (names.size > 1) faults.push(`one wish (${intent}) made ${names.size} objects: ${[...names].join(', ')}`);
    }
    return faults;
  }
}
