import {
  FieldPath,
  inject,
  invalid,
  notSupported,
  strategy,
  Tokens,
  type FeatureGates,
  type FieldError,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {selectorOptions, validateLabelSelector, type LabelSelectorOptions} from '../../../sdk/labels/index.js';
import {
  isGiven,
  validateAtMostHundredPercent,
  validateConditions,
  validateIntOrPercent,
  validateNonNegativeMembers,
} from '../../../sdk/validation/index.js';
import type {PodDisruptionBudget, PodDisruptionBudgetSpec} from '../../../sdk/types/unchecked/policy/v1.js';

const specPath = FieldPath.of('spec');
const statusPath = FieldPath.of('status');
const counters = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const;
const evictionPolicies = ['AlwaysAllow', 'IfHealthyBudget'];

/** PodDisruptionBudget: how many of an application's pods may be unavailable at once because of voluntary disruptions. */
@strategy()
export class PodDisruptionBudgetStrategy implements ResourceStrategy<PodDisruptionBudget> {
  readonly #gates: FeatureGates;

  constructor(@inject(Tokens.FeatureGates) gates: FeatureGates) {
    this.#gates = gates;
  }

  prepareForCreate(object: PodDisruptionBudget): void {
    this.#dropDisabledFields(object, undefined);
  }

  prepareForUpdate(object: PodDisruptionBudget, old: PodDisruptionBudget): void {
    this.#dropDisabledFields(object, old);
  }

  validateCreate({spec}: PodDisruptionBudget): FieldError[] {
    return specFaults(spec ?? {}, {});
  }

  validateUpdate(object: PodDisruptionBudget, old: PodDisruptionBudget, context: StrategyContext): FieldError[] {
    if (context.subresource !== 'status') return specFaults(object.spec ?? {}, selectorOptions(old.spec?.selector));
    const {status} = object;
    return [
      ...validateConditions(status?.conditions, statusPath.child('conditions')),
      ...validateNonNegativeMembers(status, counters, statusPath),
    ];
  }

  tableCells({spec, status}: PodDisruptionBudget): Record<string, string | number> {
    return {
      'Min Available': String(spec?.minAvailable ?? 'N/A'),
      'Max Unavailable': String(spec?.maxUnavailable ?? 'N/A'),
      'Allowed Disruptions': status?.disruptionsAllowed ?? 0,
    };
  }

  #dropDisabledFields({spec}: PodDisruptionBudget, old: PodDisruptionBudget | undefined): void {
    if (!spec || this.#gates.enabled('PDBUnhealthyPodEvictionPolicy') || old?.spec?.unhealthyPodEvictionPolicy) return;
    delete spec.unhealthyPodEvictionPolicy;
  }
}

function specFaults(spec: PodDisruptionBudgetSpec, options: LabelSelectorOptions): FieldError[] {
  const {minAvailable, maxUnavailable, unhealthyPodEvictionPolicy: evictionPolicy} = spec;
  const faults: FieldError[] = [];
  if (isGiven(minAvailable) && isGiven(maxUnavailable))
    faults.push(invalid(specPath, spec, 'minAvailable and maxUnavailable cannot be both set'));
  for (const [member, value] of Object.entries({minAvailable, maxUnavailable})) {
    if (!isGiven(value)) continue;
    const path = specPath.child(member);
    faults.push(...validateIntOrPercent(value, path), ...validateAtMostHundredPercent(value, path));
  }
  if (isGiven(evictionPolicy) && !evictionPolicies.includes(evictionPolicy)) {
    faults.push(notSupported(specPath.child('unhealthyPodEvictionPolicy'), evictionPolicy, evictionPolicies));
  }
  return [...faults, ...validateLabelSelector(spec.selector, specPath.child('selector'), options)];
}
