import {
  FieldPath,
  inject,
  invalid,
  required,
  strategy,
  Tokens,
  type FeatureGates,
  type FieldError,
  type ResourceStrategy,
  type StrategyContext,
} from '../../../sdk/index.js';
import {parseCidr} from '../../../sdk/net/index.js';
import {invalidFor, validateImmutable} from '../../../sdk/validation/index.js';
import type {ServiceCIDR as ServiceCidr} from '../../../sdk/types/unchecked/networking/v1.js';
import {strictCidrFaults} from '../../families/addresses/strict-addresses.js';

const cidrsPath = FieldPath.of('spec', 'cidrs');
const oneOfEachFamily = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';

/** ServiceCIDR: blocks from which services may get addresses, at most one of each family. */
@strategy()
export class ServiceCidrStrategy implements ResourceStrategy<ServiceCidr> {
  /** The second block may be added later. */
  readonly #mayGrow: boolean;

  constructor(@inject(Tokens.FeatureGates) gates: FeatureGates) {
    this.#mayGrow = gates.enabled('GrowingServiceCIDRs');
  }

  validateCreate(object: ServiceCidr): FieldError[] {
    const cidrs = cidrsOf(object);
    if (cidrs.length === 0) return [required(cidrsPath, 'at least one CIDR required')];
    if (cidrs.length > 2) return [invalid(cidrsPath, {CIDRs: cidrs}, 'may only hold up to 2 values')];
    const faults = cidrs.flatMap((cidr, index) => invalidFor(cidrsPath.index(index), cidr, strictCidrFaults(cidr)));
    const [first, second] = cidrs.map((cidr) => parseCidr(cidr)?.family);
    return first !== undefined && first === second ? [...faults, invalid(cidrsPath, cidrs, oneOfEachFamily)] : faults;
  }

  validateUpdate(object: ServiceCidr, old: ServiceCidr, {subresource}: StrategyContext): FieldError[] {
    if (subresource === 'status') return [];
    const [cidrs, before] = [cidrsOf(object), cidrsOf(old)];
    if (!this.#mayGrow) return [...this.validateCreate(object), ...validateImmutable(cidrs, before, cidrsPath)];
    const kept = before.flatMap((cidr, index) => validateImmutable(cidrs[index], cidr, cidrsPath.index(index)));
    if (cidrs.length === before.length) return kept;
    if (before.length === 1 && cidrs.length === 2) return [...kept, ...this.validateCreate(object)];
    return validateImmutable(cidrs, before, cidrsPath);
  }

  tableCells(object: ServiceCidr): Record<string, string> {
    return {CIDRs: cidrsOf(object).join(',')};
  }
}

function cidrsOf({spec}: ServiceCidr): readonly string[] {
  return spec?.cidrs ?? [];
}
