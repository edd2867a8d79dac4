import {FieldPath, invalid, type FieldError} from '../../../sdk/index.js';
import {ipFamily, type IpFamily} from '../../../sdk/net/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {ServiceSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {isHeadless} from './service.js';

const specPath = FieldPath.of('spec');

/**
 * Determines a service's IP families. Modifies `spec`. Returns errors for families that the server does not have.
 *
 * @param families for which the server has addresses, the default one first
 */
export function settleIpFamilies(spec: ServiceSpec, old: ServiceSpec | undefined, families: readonly IpFamily[]): FieldError[] {
  if (spec.type === 'ExternalName') return [];
  // An earlier decision stays, even if the server's own families change.
  if (old && isUnchangedPreference(spec, old)) return [];
  const ips = spec.clusterIPs ?? [];
  const wanted = [...(spec.ipFamilies ?? [])];
  if (spec.ipFamilyPolicy === undefined && (ips.length === 2 || wanted.length === 2)) spec.ipFamilyPolicy = 'RequireDualStack';
  if (!isHeadless(spec)) for (const ip of ips.slice(wanted.length)) wanted.push(ipFamily(ip) ?? families[0]!);

  if (isHeadless(spec) && Object.keys(spec.selector ?? {}).length === 0) {
    // The creator of the endpoints of such a service decides, so all families are allowed.
    spec.ipFamilyPolicy ??= 'RequireDualStack';
    const first = wanted[0] ?? families[0]!;
    spec.ipFamilies =
      spec.ipFamilyPolicy === 'SingleStack' || wanted.length > 1 ? (wanted.length > 0 ? wanted : [first]) : [first, otherFamily(first)];
    return [];
  }
  const faults = unavailable(spec, wanted, families);
  if (faults.length > 0) return faults;
  spec.ipFamilyPolicy ??= 'SingleStack';
  if (wanted.length === 0) wanted.push(families[0]!);
  if (spec.ipFamilyPolicy !== 'SingleStack' && wanted.length === 1 && families.length === 2) wanted.push(otherFamily(wanted[0]!));
  spec.ipFamilies = wanted;
  return [];
}

function unavailable({ipFamilyPolicy}: ServiceSpec, wanted: readonly string[], families: readonly string[]): FieldError[] {
  const faults: FieldError[] = [];
  if (ipFamilyPolicy === 'RequireDualStack' && families.length < 2) {
    faults.push(invalid(specPath.child('ipFamilyPolicy'), ipFamilyPolicy, 'this cluster is not configured for dual-stack services'));
  }
  for (const [index, family] of wanted.entries()) {
    if (!families.includes(family))
      faults.push(invalid(specPath.child('ipFamilies').index(index), family, 'not configured on this cluster'));
  }
  return faults;
}

function isUnchangedPreference(spec: ServiceSpec, old: ServiceSpec): boolean {
  return (
    old.type !== 'ExternalName' &&
    spec.ipFamilyPolicy === 'PreferDualStack' &&
    old.ipFamilyPolicy === 'PreferDualStack' &&
    sameValue(spec.clusterIPs, old.clusterIPs) &&
    sameValue(spec.ipFamilies, old.ipFamilies)
  );
}

function otherFamily(family: string): IpFamily {
  return family === 'IPv4' ? 'IPv6' : 'IPv4';
}
