import {jsonText, type AdmissionRequest} from '../../../sdk/index.js';

/**
 * Who of those that changed a request in the first round does so again in the second: those that ask for it (`IfNeeded`), if the object has
 * changed since.
 */
export class Reinvocation<Candidate, Key> {
  readonly #called = new Set<Key>();
  readonly #again = new Set<Key>();
  /** The object as the first round left it. */
  #left: string | undefined;

  /** @param candidates of the request, the same in both rounds even if their configurations change meanwhile */
  constructor(readonly candidates: readonly Candidate[]) {}

  /** To be called for those that ask for it. */
  wasCalled(key: Key): void {
    this.#called.add(key);
  }

  /** None of those called so far has seen the current object. */
  objectChanged(): void {
    for (const key of this.#called) this.#again.add(key);
    this.#called.clear();
  }

  endRound({object}: AdmissionRequest): void {
    if (this.#called.size > 0) this.#left = jsonText(object ?? null);
  }

  /** Other controllers may have changed the object since. */
  beginSecondRound({object}: AdmissionRequest): void {
    if (this.#called.size > 0 && this.#left !== jsonText(object ?? null)) this.objectChanged();
  }

  isDue(key: Key): boolean {
    return this.#again.has(key);
  }
}
