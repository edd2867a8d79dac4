import {
  FieldPath,
  inject,
  invalid,
  strategy,
  Tokens,
  type FeatureGates,
  type FieldError,
  type NamingProfile,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {isGiven} from '../../../sdk/validation/index.js';
import type {Ingress, IngressRule} from '../../../sdk/types/unchecked/networking/v1.js';
import {
  hasRelaxedServiceNames,
  hasValidSecretNames,
  ingressStatusWarnings,
  validateIngressSpec,
  validateIngressStatus,
} from './ingress-faults.js';

const specPath = FieldPath.of('spec');
const statusPath = FieldPath.of('status');
/** Maximum number of hosts in a cell. */
const shownHosts = 3;

/** Ingress: routes external requests to services. */
const relaxedNames = 'RelaxedServiceNameValidation';

@strategy()
export class IngressStrategy implements ResourceStrategy<Ingress> {
  /** The annotation that named the class before the field existed. */
  readonly #classAnnotation: string;
  readonly #gates: FeatureGates;

  constructor(@inject(Tokens.Naming) naming: NamingProfile, @inject(Tokens.FeatureGates) gates: FeatureGates) {
    this.#gates = gates;
    this.#classAnnotation = naming.key('orch/ingress.class');
  }

  prepareForCreate({metadata, spec}: Ingress, {warn}: StrategyContext): void {
    if (metadata.annotations?.[this.#classAnnotation] !== undefined && !isGiven(spec?.ingressClassName))
      warn(`annotation "${this.#classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`);
  }

  prepareForUpdate({status}: Ingress, _old: Ingress, {subresource, warn}: StrategyContext): void {
    if (subresource === 'status' && this.#gates.enabled('AddressForms'))
      for (const text of ingressStatusWarnings(status, statusPath)) warn(text);
  }

  validateCreate({metadata, spec = {}}: Ingress): FieldError[] {
    const faults = validateIngressSpec(spec, specPath, {relaxedServiceNames: this.#gates.enabled(relaxedNames)});
    const annotation = metadata.annotations?.[this.#classAnnotation];
    if (annotation !== undefined && isGiven(spec.ingressClassName)) {
      faults.push(
        invalid(FieldPath.of('annotations', this.#classAnnotation), annotation, 'can not be set when the class field is also set'),
      );
    }
    return faults;
  }

  validateUpdate({spec = {}, status}: Ingress, old: Ingress, context: StrategyContext): FieldError[] {
    if (context.subresource === 'status') return validateIngressStatus(status, old.status, statusPath, this.#gates);
    const before = old.spec ?? {};
    return validateIngressSpec(spec, specPath, {
      allowInvalidSecretName: !hasValidSecretNames(before),
      relaxedServiceNames: this.#gates.enabled(relaxedNames) || hasRelaxedServiceNames(before),
    });
  }

  tableCells({spec, status}: Ingress): Record<string, string> {
    const addresses = (status?.loadBalancer?.ingress ?? []).map(({ip, hostname}) => ip || hostname || '').filter((text) => text !== '');
    return {
      Class: spec?.ingressClassName ?? '<none>',
      Hosts: hostsText(spec?.rules ?? []),
      Address: [...new Set(addresses)].sort().join(','),
      Ports: spec?.tls?.length ? '80, 443' : '80',
    };
  }
}

function hostsText(rules: readonly IngressRule[]): string {
  const hosts = rules.map(({host}) => host ?? '').filter((host) => host !== '');
  if (hosts.length === 0) return '*';
  const shown = hosts.slice(0, shownHosts).join(',');
  return hosts.length > shownHosts ? `${shown} + ${rules.length - shownHosts} more...` : shown;
}
