import {jsonText, type AdmissionRequest} from '../../../sdk/index.js';
import type {Candidate} from '../../families/admission-webhooks/followed-hooks.js';
import type {Hook} from '../../families/admission-webhooks/hook.js';

/** Which webhooks of a request are to be called once more in the second round: those with `IfNeeded` behind whose back the object changed. */
export class Reinvocation {
  readonly #called = new Set<Hook>();
  readonly #again = new Set<Hook>();
  /** The object as the webhooks of the first round left it. */
  #left: string | undefined;

  /** @param candidates the webhooks of the request, the same in both rounds whatever becomes of their configurations meanwhile */
  constructor(readonly candidates: readonly Candidate[]) {}

  wasCalled(hook: Hook): void {
    if (hook.isReinvoked) this.#called.add(hook);
  }

  /** All that were called so far have not seen the object as it is now. */
  objectChanged(): void {
    for (const hook of this.#called) this.#again.add(hook);
    this.#called.clear();
  }

  endRound({object}: AdmissionRequest): void {
    if (this.#called.size > 0) this.#left = jsonText(object ?? null);
  }

  /** Other controllers may have changed the object since. */
  beginSecondRound({object}: AdmissionRequest): void {
    if (this.#called.size > 0 && this.#left !== jsonText(object ?? null)) this.objectChanged();
  }

  isDue(hook: Hook): boolean {
    return this.#again.has(hook);
  }
}
