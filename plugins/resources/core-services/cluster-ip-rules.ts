import {duplicate, forbiddenField, invalid, notSupported, type FeatureGates, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {ipFamily} from '../../../sdk/net/index.js';
import {sameValue, validateOptionalOneOf} from '../../../sdk/validation/index.js';
import {ipFieldFaults} from '../../families/addresses/address-fields.js';
import type {ServiceSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {headlessIp, isHeadless, needs} from './service.js';

const families = ['IPv4', 'IPv6'];
const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

/** Errors in a service's cluster IPs and IP families. As long as there are any, nothing else is checked. @param stored the addresses that it had before: they may stay as they are */
export function clusterIpFaults(spec: ServiceSpec, path: FieldPath, gates: FeatureGates, stored: readonly string[] = []): FieldError[] {
  return needs.clusterIp(spec) ? [...familyFaults(spec, path), ...addressFaults(spec, path, gates, stored)] : [];
}

/** Errors of a service that is only a name: it has no addresses. */
export function externalNameFaults({clusterIPs, ipFamilies, ipFamilyPolicy}: ServiceSpec, path: FieldPath): FieldError[] {
  const detail = 'may not be set for ExternalName services';
  return [
    ...(clusterIPs?.length ? [forbiddenField(path.child('clusterIPs'), detail)] : []),
    ...(ipFamilies?.length ? [forbiddenField(path.child('ipFamilies'), detail)] : []),
    ...(ipFamilyPolicy ? [forbiddenField(path.child('ipFamilyPolicy'), detail)] : []),
  ];
}

function familyFaults({ipFamilies = [], ipFamilyPolicy, clusterIPs = []}: ServiceSpec, path: FieldPath): FieldError[] {
  const at = path.child('ipFamilies');
  const seen = new Set<string>();
  const faults = ipFamilies.flatMap((family, index) => {
    if (!families.includes(family)) return [notSupported(at.index(index), family, families)];
    if (seen.has(family)) return [duplicate(at.index(index), family)];
    seen.add(family);
    return [];
  });
  faults.push(...validateOptionalOneOf(ipFamilyPolicy, policies, path.child('ipFamilyPolicy')));
  if (ipFamilyPolicy !== 'SingleStack') return faults;
  for (const [member, values] of [
    ['clusterIPs', clusterIPs],
    ['ipFamilies', ipFamilies],
  ] as const) {
    if (values.length > 1) {
      faults.push(
        invalid(
          path.child('ipFamilyPolicy'),
          ipFamilyPolicy,
          `must be RequireDualStack or PreferDualStack when multiple \`${member}\` are specified`,
        ),
      );
    }
  }
  return faults;
}

function addressFaults(spec: ServiceSpec, path: FieldPath, gates: FeatureGates, stored: readonly string[]): FieldError[] {
  const {clusterIP = '', clusterIPs = [], ipFamilies = []} = spec;
  const at = path.child('clusterIPs');
  const unlinked =
    clusterIP === (clusterIPs[0] ?? '')
      ? []
      : [
          invalid(
            at,
            clusterIPs,
            clusterIP === '' ? 'must be empty when `clusterIP` is not specified' : 'first value must match `clusterIP`',
          ),
        ];
  if (isHeadless(spec)) return unlinked;
  const malformed = clusterIPs.flatMap((ip, index) => {
    if (ip === headlessIp && index === 0) return [invalid(at, clusterIPs, "'None' must be the first and only value")];
    return ipFieldFaults(ip, at.index(index), gates, stored);
  });
  const faults = [...unlinked, ...malformed];
  if (clusterIPs.length > 2) faults.push(invalid(at, clusterIPs, 'may only hold up to 2 values'));
  // The following checks need valid addresses.
  if (faults.length > 0) return faults;
  const found = clusterIPs.map((ip) => ipFamily(ip));
  if (new Set(found).size < found.length) return [invalid(at, clusterIPs, 'may specify no more than one IP for each IP family')];
  return clusterIPs.flatMap((ip, index) => {
    const family = ipFamilies[index];
    return family === undefined || !families.includes(family) || family === found[index]
      ? []
      : [invalid(at.index(index), ip, `expected an ${family} value as indicated by \`ipFamilies[${index}]\``)];
  });
}

/** Errors in a change of the cluster IPs: a secondary one can be added and removed, the primary one stays. */
export function clusterIpUpdateFaults(spec: ServiceSpec, old: ServiceSpec, path: FieldPath): FieldError[] {
  if (spec.type === 'ExternalName' || old.type === 'ExternalName') return [];
  const single = spec.ipFamilyPolicy === 'SingleStack';
  const faults = listUpdateFaults(spec.clusterIPs ?? [], old.clusterIPs ?? [], path.child('clusterIPs'), 'clusterIP', single);
  if (isHeadless(spec) && isHeadless(old)) return faults;
  return [...faults, ...listUpdateFaults(spec.ipFamilies ?? [], old.ipFamilies ?? [], path.child('ipFamilies'), 'ipFamily', single)];
}

function listUpdateFaults(now: readonly string[], before: readonly string[], path: FieldPath, what: string, single: boolean): FieldError[] {
  if (before.length === 0 || sameValue(now, before)) return [];
  if (now.length === 0) return [invalid(path.index(0), now, `primary ${what} can not be unset`)];
  const faults: FieldError[] = [];
  for (const [index, value] of before.slice(0, now.length).entries()) {
    if (now[index] !== value) faults.push(invalid(path.index(index), now, 'may not change once set'));
  }
  if (before.length === 2 && now.length === 1 && !single) {
    faults.push(invalid(path.index(0), now, `\`ipFamilyPolicy\` must be set to 'SingleStack' when releasing the secondary ${what}`));
  }
  return faults;
}
