import type {FeatureGates, NamingProfile} from '../../../sdk/index.js';
import type {Service} from '../../../sdk/types/unchecked/core/v1.js';
import {isHeadless} from './service.js';

/** Warnings about what a service has in vain, or should have in another form, in Kubernetes' words. */
export function serviceWarnings({metadata, spec = {}}: Service, naming: NamingProfile, gates: FeatureGates): string[] {
  const {type, externalIPs = [], externalName, loadBalancerIP, sessionAffinity, trafficDistribution} = spec;
  const warnings: string[] = [];
  const hints = naming.key('service.orch/topology-aware-hints');
  if (metadata.annotations?.[hints] !== undefined)
    warnings.push(`annotation ${hints} is deprecated, please use ${naming.key('service.orch/topology-mode')} instead`);
  const headless = type === 'ClusterIP' && isHeadless(spec);
  const hasAddresses = externalIPs.length > 0;
  if (headless) {
    if (loadBalancerIP) warnings.push('spec.loadBalancerIP is ignored for headless services');
    if (hasAddresses) warnings.push('spec.externalIPs is ignored for headless services');
    if (sessionAffinity !== 'None') warnings.push('spec.SessionAffinity is ignored for headless services');
  }
  if (type === 'ExternalName') {
    if (hasAddresses) warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  } else if (externalName) warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  if (trafficDistribution === 'PreferClose' && gates.enabled('PreferSameTrafficDistribution'))
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  return warnings;
}
