import {FieldPath, type FeatureGates, type NamingProfile} from '../../../sdk/index.js';
import type {Service} from '../../../sdk/types/unchecked/core/v1.js';
import {cidrWarnings, ipWarnings} from '../../families/addresses/address-warnings.js';
import {headlessIp, isHeadless, needs} from './service.js';

const specPath = FieldPath.of('spec');

/** Warnings about addresses of a load balancer that are not in their proper form, in Kubernetes' words. */
export function loadBalancerWarnings(ingress: readonly {ip?: string}[], gates: FeatureGates): string[] {
  const path = FieldPath.of('status', 'loadBalancer', 'ingress');
  return gates.enabled('AddressForms') ? ingress.flatMap(({ip}, index) => ipWarnings(ip, path.index(index))) : [];
}

/** Warnings about what a service has in vain, or should have in another form, in Kubernetes' words. */
export function serviceWarnings({metadata, spec = {}}: Service, naming: NamingProfile, gates: FeatureGates): string[] {
  const {type, externalIPs = [], externalName, loadBalancerIP, sessionAffinity, trafficDistribution} = spec;
  const warnings: string[] = [];
  const hints = naming.key('service.orch/topology-aware-hints');
  if (metadata.annotations?.[hints] !== undefined)
    warnings.push(`annotation ${hints} is deprecated, please use ${naming.key('service.orch/topology-mode')} instead`);
  const hasForms = gates.enabled('AddressForms');
  if (hasForms && needs.clusterIp(spec))
    for (const [index, ip] of (spec.clusterIPs ?? []).entries())
      if (ip !== headlessIp) warnings.push(...ipWarnings(ip, specPath.child('clusterIPs').index(index)));
  const headless = type === 'ClusterIP' && isHeadless(spec);
  const hasAddresses = externalIPs.length > 0;
  if (headless) {
    if (loadBalancerIP) warnings.push('spec.loadBalancerIP is ignored for headless services');
    if (hasAddresses) warnings.push('spec.externalIPs is ignored for headless services');
    if (sessionAffinity !== 'None') warnings.push('spec.SessionAffinity is ignored for headless services');
  }
  if (hasForms)
    for (const [index, ip] of externalIPs.entries()) warnings.push(...ipWarnings(ip, specPath.child('externalIPs').index(index)));
  if (hasAddresses && !headless && type !== 'ExternalName' && gates.enabled('ExternalIPsDeprecated'))
    warnings.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters');
  if (hasForms) {
    warnings.push(...ipWarnings(loadBalancerIP, specPath.child('loadBalancerIP')));
    for (const [index, range] of (spec.loadBalancerSourceRanges ?? []).entries())
      warnings.push(...cidrWarnings(range, specPath.child('loadBalancerSourceRanges').index(index)));
  }
  if (type === 'ExternalName') {
    if (hasAddresses) warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  } else if (externalName) warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  if (trafficDistribution === 'PreferClose' && gates.enabled('PreferSameTrafficDistribution'))
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  return warnings;
}
