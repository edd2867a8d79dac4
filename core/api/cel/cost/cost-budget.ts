import {forbiddenField, type FieldError, type FieldPath} from '../../../../sdk/index.js';
import {add} from './size-range.js';

/** Kubernetes' cost limits: for all evaluations of one rule for one object, and for all rules of a schema. */
const ruleLimit = 10_000_000;
const schemaLimit = 100_000_000;
/**
 * If a schema is too expensive, at most this many of its most expensive rules are named, and none that uses less than a hundredth of the
 * limit.
 */
const blamedRules = 4;

/** Sums the cost of a schema's rules. */
export class CostBudget {
  #total = 0;
  readonly #expensive: {readonly path: FieldPath; readonly cost: number}[] = [];

  /**
   * Counts a rule, and returns an error if that rule alone is too expensive.
   *
   * @param cost of all evaluations for one object
   * @param path of the rule's text
   * @param what is too expensive, in words
   */
  spend(cost: number, path: FieldPath, what = 'estimated rule cost'): FieldError[] {
    this.#total = add(this.#total, cost);
    if (cost >= schemaLimit / 100) this.#expensive.push({path, cost});
    return cost > ruleLimit ? [forbiddenField(path, detailOf(what, cost, ruleLimit))] : [];
  }

  /**
   * The errors if all rules together are too expensive.
   *
   * @param path of the schema
   */
  totalFaults(path: FieldPath): FieldError[] {
    if (this.#total <= schemaLimit) return [];
    const blamed = this.#expensive.toSorted((a, b) => b.cost - a.cost).slice(0, blamedRules);
    return [
      ...blamed.map((rule) =>
        forbiddenField(rule.path, 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema'),
      ),
      forbiddenField(
        path,
        detailOf('x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema', this.#total, schemaLimit),
      ),
    ];
  }
}

function detailOf(what: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const text = factor > 100 ? 'more than 100x' : `${factor.toFixed(factor < 1.5 ? 6 : 1)}x`;
  return `${what} exceeds budget by factor of ${text} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}
