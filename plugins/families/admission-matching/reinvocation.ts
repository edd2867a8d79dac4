import {jsonText, type AdmissionRequest} from '../../../sdk/index.js';
import type {Candidate} from '../../families/admission-webhooks/followed-hooks.js';
import type {Hook} from '../../families/admission-webhooks/hook.js';

/** Which webhooks of a request are called again in the second round: those with `IfNeeded`, if the object has changed since their call. */
export class Reinvocation {
  readonly #called = new Set<Hook>();
  readonly #again = new Set<Hook>();
  /** The object as the webhooks of the first round left it. */
  #left: string | undefined;

  /** @param candidates the webhooks of the request, the same in both rounds even if their configurations change meanwhile */
  constructor(readonly candidates: readonly Candidate[]) {}

  wasCalled(hook: Hook): void {
    if (hook.isReinvoked) this.#called.add(hook);
  }

  /** None of the webhooks called so far has seen the current object. */
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
