import {groupResourceText, type FeatureGates, type NamingProfile} from '../../../sdk/index.js';
import {ClaimEvaluator} from './claim-evaluator.js';
import {CountEvaluator} from './count-evaluator.js';
import type {QuotaEvaluator} from './evaluator.js';
import {PodEvaluator} from './pod-evaluator.js';
import {ServiceEvaluator} from './service-evaluator.js';

/** Types that had a count before there was `count/…`. */
const legacyCounts = ['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets'];

/** Types that no quota counts: virtual types and events. */
const ignored = [
  'bindings',
  'componentstatuses',
  'events',
  'events.events.orch',
  'tokenreviews.authentication.orch',
  'localsubjectaccessreviews.authorization.orch',
  'selfsubjectaccessreviews.authorization.orch',
  'selfsubjectrulesreviews.authorization.orch',
  'subjectaccessreviews.authorization.orch',
];

/** Finds the evaluator of a type, including types that are added while the server runs. */
export class QuotaEvaluators {
  readonly #special = new Map<string, QuotaEvaluator>();
  readonly #ignored: ReadonlySet<string>;

  /** @param now milliseconds since 1970 */
  constructor(naming: NamingProfile, gates: FeatureGates, now: () => number = Date.now) {
    const special = [new PodEvaluator(naming, gates, now), new ServiceEvaluator(), new ClaimEvaluator(naming, gates)];
    for (const evaluator of [...special, ...legacyCounts.map((resource) => new CountEvaluator('', resource, resource))])
      this.#special.set(groupResourceText(evaluator), evaluator);
    this.#ignored = new Set(
      ignored.map((type) => {
        const dot = type.indexOf('.');
        return dot < 0 ? type : `${type.slice(0, dot)}.${naming.group(type.slice(dot + 1))}`;
      }),
    );
  }

  /** @param type its group in the naming profile's form; undefined for types that are not counted */
  of(type: {readonly group: string; readonly resource: string}): QuotaEvaluator | undefined {
    const name = groupResourceText(type);
    const special = this.#special.get(name);
    if (special || this.#ignored.has(name)) return special;
    // Not kept: types come and go, and making one costs less than remembering it.
    return new CountEvaluator(type.group, type.resource);
  }

  /** The evaluators of the given types that are responsible for any entry of `hard`. */
  counting(hard: readonly string[], types: readonly {readonly group: string; readonly resource: string}[]): QuotaEvaluator[] {
    // One for each type, however many versions it has.
    const found = new Map(types.map((type) => [groupResourceText(type), this.of(type)]));
    return [...found.values()]
      .filter((evaluator) => evaluator !== undefined)
      .filter((evaluator) => hard.some((name) => evaluator.counts(name)));
  }
}
