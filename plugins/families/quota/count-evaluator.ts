import type {AdmissionOperation} from '../../../sdk/index.js';
import type {Amounts} from './amounts.js';
import {countName, type QuotaEvaluator} from './evaluator.js';

/** Counts the objects of a type, and nothing else. Scopes are not about them. */
export class CountEvaluator implements QuotaEvaluator {
  readonly #names: readonly string[];
  readonly #usage: Amounts;

  /** @param alias the older name of the count (`configmaps`) */
  constructor(
    readonly group: string,
    readonly resource: string,
    alias?: string,
  ) {
    this.#names = [countName(group, resource), ...(alias === undefined ? [] : [alias])];
    this.#usage = Object.fromEntries(this.#names.map((name) => [name, '1']));
  }

  mayUseLess(): boolean {
    return false;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE';
  }

  counts(name: string): boolean {
    return this.#names.includes(name);
  }

  usage(): Amounts {
    return this.#usage;
  }

  missing(): undefined {
    return undefined;
  }

  isInScope(): boolean {
    return false;
  }
}
