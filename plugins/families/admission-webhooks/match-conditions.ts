import {forbidden, type AdmissionForm, type AdmissionRequest} from '../../../sdk/index.js';
import type {MatchCondition} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import type {ConditionCounter} from '../admission-policies/condition-metrics.js';
import type {RequestWork} from '../admission-policies/evaluation.js';
import type {MatchConditions} from '../admission-policies/match-conditions.js';
import type {PolicyScopes} from '../admission-policies/policy-scopes.js';
import type {RequestValues} from '../admission-policies/request-values.js';

/** What the match conditions of webhooks need; loaded for the first that has some. */
export interface ConditionParts {
  scopes(): Promise<PolicyScopes>;
}

const withoutParams = {paramKind: undefined};

/** The match conditions of a webhook. */
export class HookConditions {
  readonly isEmpty: boolean;
  readonly #given: readonly MatchCondition[];
  readonly #ignoresFailures: boolean;
  readonly #counter: ConditionCounter;
  readonly #parts: ConditionParts;
  #made: Promise<MatchConditions> | undefined;

  /** @param ignoresFailures whether evaluation errors skip the webhook instead of rejecting the write */
  constructor(given: readonly MatchCondition[], ignoresFailures: boolean, counter: ConditionCounter, parts: ConditionParts) {
    this.isEmpty = given.length === 0;
    this.#given = given;
    this.#ignoresFailures = ignoresFailures;
    this.#counter = counter;
    this.#parts = parts;
  }

  /** @throws StatusError 403 if they cannot be evaluated, unless such webhooks are skipped */
  async hold(request: AdmissionRequest, form: AdmissionForm, values: RequestValues, work: RequestWork): Promise<boolean> {
    const conditions = await (this.#made ??= this.#make());
    const {operation, resource, name, ofCollection} = request;
    const outcome = await conditions.evaluate(() => values.forConditions(form, withoutParams), operation, work);
    if (outcome === true) return true;
    if (outcome === false) this.#counter.excluded(operation);
    else if (!this.#ignoresFailures) throw forbidden({...resource, name: ofCollection ? '' : name}, outcome.message);
    return false;
  }

  async #make(): Promise<MatchConditions> {
    const {MatchConditions} = await import('../admission-policies/match-conditions.js');
    return new MatchConditions(this.#given, await this.#parts.scopes(), false, this.#counter);
  }
}
