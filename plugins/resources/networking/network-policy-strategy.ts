import {
  FieldPath,
  inject,
  strategy,
  Tokens,
  type FeatureGates,
  type FieldError,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {selectorText} from '../../../sdk/labels/index.js';
import {validateConditions} from '../../../sdk/validation/index.js';
import {firstWarnings} from '../../families/pods/first-warnings.js';
import type {NetworkPolicy} from '../../../sdk/types/unchecked/networking/v1.js';
import {blocksOf, networkPolicyWarnings, validateNetworkPolicySpec, type NetworkPolicyRules} from './network-policy-faults.js';

const specPath = FieldPath.of('spec');

/** NetworkPolicy: which traffic is allowed from and to pods. */
@strategy()
export class NetworkPolicyStrategy implements ResourceStrategy<NetworkPolicy> {
  readonly #gates: FeatureGates;

  constructor(@inject(Tokens.FeatureGates) gates: FeatureGates) {
    this.#gates = gates;
  }

  applyDefaults({spec}: NetworkPolicy): void {
    if (!spec || spec.policyTypes?.length) return;
    spec.policyTypes = spec.egress?.length ? ['Ingress', 'Egress'] : ['Ingress'];
  }

  /** While its feature is off, the status is an ordinary part of the object, except at its own endpoint. */
  prepareForCreate(object: NetworkPolicy, context: StrategyContext): void {
    this.#warn(object, context);
    if (this.#gates.enabled('NetworkPolicyStatus')) delete object.status;
  }

  prepareForUpdate(object: NetworkPolicy, old: NetworkPolicy, context: StrategyContext): void {
    if (context.subresource === '') this.#warn(object, context);
    const inUse = this.#gates.enabled('NetworkPolicyStatus') || Boolean(old.status?.conditions?.length);
    if (context.subresource === 'status') {
      if (!inUse) delete object.status?.conditions;
    } else if (inUse) {
      if (old.status === undefined) delete object.status;
      else object.status = old.status;
    }
  }

  validateCreate({spec = {}}: NetworkPolicy): FieldError[] {
    return validateNetworkPolicySpec(spec, specPath, {gates: this.#gates});
  }

  validateUpdate({spec = {}, status}: NetworkPolicy, old: NetworkPolicy, context: StrategyContext): FieldError[] {
    if (context.subresource === 'status') return validateConditions(status?.conditions, FieldPath.of('status', 'conditions'));
    const rules = {gates: this.#gates, stored: blocksOf(old.spec ?? {}, specPath)};
    return validateNetworkPolicySpec(spec, specPath, {...rules, allowInvalidValues: hasFaults(old, rules)});
  }

  #warn({spec = {}}: NetworkPolicy, {warn}: StrategyContext): void {
    if (this.#gates.enabled('AddressForms')) for (const text of firstWarnings(networkPolicyWarnings(spec, specPath))) warn(text);
  }

  tableCells({spec}: NetworkPolicy): Record<string, string> {
    return {'Pod-Selector': selectorText(spec?.podSelector)};
  }
}

/** Whether a stored policy violates rules that were added later; it can then still be updated. */
function hasFaults({spec = {}}: NetworkPolicy, rules: NetworkPolicyRules): boolean {
  return validateNetworkPolicySpec(spec, specPath, rules).length > 0;
}
