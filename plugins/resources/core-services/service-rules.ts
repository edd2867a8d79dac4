import {
  dnsSubdomainFaults,
  FieldPath,
  forbiddenField,
  invalid,
  portNumberFaults,
  qualifiedNameFaults,
  required,
  type FeatureGates,
  type FieldError,
  type NamingProfile,
} from '../../../sdk/index.js';
import {validateLabels} from '../../../sdk/labels/index.js';
import {parseIp, validateNonSpecialIp} from '../../../sdk/net/index.js';
import {invalidFor, validateOneOf, validateOptionalOneOf, validateOptionalText, validateText} from '../../../sdk/validation/index.js';
import type {Service, ServiceSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {cidrFieldFaults, ipFieldFaults} from '../../families/addresses/address-fields.js';
import {clusterIpFaults, clusterIpUpdateFaults, externalNameFaults} from './cluster-ip-rules.js';
import {headlessIp, needs} from './service.js';
import {servicePortFaults} from './service-port-rules.js';

const specPath = FieldPath.of('spec');
const onlyLoadBalancer = "may only be used when `type` is 'LoadBalancer'";
const maximumAffinitySeconds = 86400;

/** Errors that apply to new and changed services. @param old what a changed one was: its addresses may stay as they are */
export function serviceFaults({metadata, spec = {}}: Service, naming: NamingProfile, gates: FeatureGates, old?: Service): FieldError[] {
  const addressFaults = clusterIpFaults(spec, specPath, gates, old?.spec?.clusterIPs);
  if (addressFaults.length > 0) return addressFaults;
  return [
    ...servicePortFaults(spec, specPath.child('ports')),
    ...typeFaults(spec),
    ...validateLabels(spec.selector, specPath.child('selector')),
    ...affinityFaults(spec),
    ...(spec.type === 'ExternalName' ? externalNameFaults(spec, specPath) : []),
    ...(spec.externalIPs ?? []).flatMap((ip, index) => {
      const at = specPath.child('externalIPs').index(index);
      const faults = ipFieldFaults(ip, at, gates, old?.spec?.externalIPs);
      return faults.length > 0 ? faults : validateNonSpecialIp(ip, at);
    }),
    ...validateOneOf(spec.type, ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'], specPath.child('type')),
    ...sourceRangeFaults({metadata, spec}, naming.key('service.beta.orch/load-balancer-source-ranges'), gates, old),
    ...loadBalancerFaults(spec),
    ...trafficFaults(spec),
    ...validateOptionalOneOf(spec.trafficDistribution, distributions(gates), specPath.child('trafficDistribution')),
  ];
}

/** Errors in a change. */
export function serviceUpdateFaults(object: Service, old: Service, naming: NamingProfile, gates: FeatureGates): FieldError[] {
  const {spec = {}} = object;
  const before = old.spec ?? {};
  const addressFaults = clusterIpFaults(spec, specPath, gates, before.clusterIPs);
  if (addressFaults.length > 0) return addressFaults;
  const faults = clusterIpUpdateFaults(spec, before, specPath);
  if (spec.type === 'LoadBalancer' && before.type === 'LoadBalancer' && spec.loadBalancerClass !== before.loadBalancerClass) {
    faults.push(invalid(specPath.child('loadBalancerClass'), spec.loadBalancerClass ?? null, 'may not change once set'));
  }
  if (needs.healthCheckNodePort(spec) && needs.healthCheckNodePort(before) && spec.healthCheckNodePort !== before.healthCheckNodePort) {
    faults.push(invalid(specPath.child('healthCheckNodePort'), spec.healthCheckNodePort ?? 0, 'field is immutable'));
  }
  return [...faults, ...serviceFaults(object, naming, gates, old)];
}

/** Errors in the load balancer status. */
export function serviceStatusFaults({spec, status}: Service, old: Service, gates: FeatureGates): FieldError[] {
  const hasModes = gates.enabled('LoadBalancerIPMode');
  const path = FieldPath.of('status', 'loadBalancer', 'ingress');
  const ingress = status?.loadBalancer?.ingress ?? [];
  const before = (old.status?.loadBalancer?.ingress ?? []).flatMap(({ip}) => ip || []);
  if (ingress.length > 0 && spec?.type !== 'LoadBalancer' && !gates.enabled('AllowServiceLBStatusOnNonLB'))
    return [forbiddenField(path, "may only be used when `spec.type` is 'LoadBalancer'")];
  return ingress.flatMap(({ip, ipMode, hostname}, index) => {
    const at = path.index(index);
    const faults = ip ? ipFieldFaults(ip, at.child('ip'), gates, before) : [];
    if (hasModes) faults.push(...addressModeFaults(ip, ipMode, at.child('ipMode')));
    faults.push(...validateOptionalText(hostname, at.child('hostname'), dnsSubdomainFaults));
    if (hostname && parseIp(hostname)) faults.push(invalid(at.child('hostname'), hostname, 'must be a DNS name, not an IP address'));
    return faults;
  });
}

/** How traffic reaches an address of a load balancer: which mode is always known, by default `VIP`. */
function addressModeFaults(ip: string | undefined, mode: string | null | undefined, path: FieldPath): FieldError[] {
  const isGiven = mode !== undefined && mode !== null;
  if (!ip) return isGiven ? [forbiddenField(path, 'may not be specified when `ip` is not set')] : [];
  return isGiven ? validateOptionalOneOf(mode, ['Proxy', 'VIP'], path) : [required(path, 'must be specified when `ip` is set')];
}

function distributions(gates: FeatureGates): readonly string[] {
  return gates.enabled('PreferSameTrafficDistribution') ? ['PreferClose', 'PreferSameNode', 'PreferSameZone'] : ['PreferClose'];
}

function typeFaults({type, clusterIPs, externalName}: ServiceSpec): FieldError[] {
  if ((type === 'LoadBalancer' || type === 'NodePort') && clusterIPs?.[0] === headlessIp) {
    return [invalid(specPath.child('clusterIPs').index(0), headlessIp, `may not be set to 'None' for ${type} services`)];
  }
  if (type !== 'ExternalName') return [];
  const name = externalName?.endsWith('.') ? externalName.slice(0, -1) : externalName;
  return validateText(name, specPath.child('externalName'), dnsSubdomainFaults);
}

function affinityFaults({sessionAffinity, sessionAffinityConfig: config}: ServiceSpec): FieldError[] {
  const at = specPath.child('sessionAffinityConfig');
  const faults = validateOneOf(sessionAffinity, ['ClientIP', 'None'], specPath.child('sessionAffinity'));
  if (sessionAffinity === 'None' && config) return [...faults, forbiddenField(at, 'must not be set when session affinity is None')];
  if (sessionAffinity !== 'ClientIP') return faults;
  const seconds = config?.clientIP?.timeoutSeconds;
  const place = at.child('clientIP', 'timeoutSeconds');
  if (seconds === undefined) return [...faults, required(place, 'when session affinity type is ClientIP')];
  const isValid = seconds > 0 && seconds <= maximumAffinitySeconds;
  return isValid ? faults : [...faults, invalid(place, seconds, `must be greater than 0 and less than ${maximumAffinitySeconds}`)];
}

/** The annotation is older than the field and applies if the field is empty. */
function sourceRangeFaults({metadata, spec = {}}: Service, key: string, gates: FeatureGates, old?: Service): FieldError[] {
  const {type, loadBalancerSourceRanges: ranges = []} = spec;
  const isField = ranges.length > 0;
  const at = isField ? specPath.child('loadBalancerSourceRanges') : FieldPath.of('metadata', 'annotations').key(key);
  const text = metadata.annotations?.[key]?.trim() ?? '';
  const given = isField ? ranges : text === '' ? [] : text.split(',');
  if (given.length === 0) return [];
  const faults = type === 'LoadBalancer' ? [] : [forbiddenField(at, onlyLoadBalancer)];
  const before = isField ? old?.spec?.loadBalancerSourceRanges : old?.metadata.annotations?.[key]?.split(',');
  const stored = (before ?? []).map((range) => range.trim());
  const malformed = given.flatMap((range, index) => cidrFieldFaults(range.trim(), isField ? at.index(index) : at, gates, stored));
  return [...faults, ...malformed];
}

function loadBalancerFaults({type, allocateLoadBalancerNodePorts: allocate, loadBalancerClass}: ServiceSpec): FieldError[] {
  const faults: FieldError[] = [];
  const isLoadBalancer = type === 'LoadBalancer';
  if (isLoadBalancer && typeof allocate !== 'boolean') faults.push(required(specPath.child('allocateLoadBalancerNodePorts')));
  if (!isLoadBalancer && typeof allocate === 'boolean')
    faults.push(forbiddenField(specPath.child('allocateLoadBalancerNodePorts'), onlyLoadBalancer));
  if (typeof loadBalancerClass !== 'string') return faults;
  const at = specPath.child('loadBalancerClass');
  return [
    ...faults,
    ...(isLoadBalancer
      ? invalidFor(at, loadBalancerClass, qualifiedNameFaults(loadBalancerClass))
      : [forbiddenField(at, onlyLoadBalancer)]),
  ];
}

function trafficFaults(spec: ServiceSpec): FieldError[] {
  const {externalTrafficPolicy: external, internalTrafficPolicy: internal, healthCheckNodePort: port} = spec;
  const policies = ['Cluster', 'Local'];
  const faults: FieldError[] = [];
  if (needs.externalTrafficPolicy(spec)) faults.push(...validateOneOf(external, policies, specPath.child('externalTrafficPolicy')));
  else if (external)
    faults.push(invalid(specPath.child('externalTrafficPolicy'), external, "may only be set when `type` is 'NodePort' or 'LoadBalancer'"));
  const at = specPath.child('healthCheckNodePort');
  if (port && !needs.healthCheckNodePort(spec)) {
    faults.push(invalid(at, port, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"));
  } else if (port) faults.push(...invalidFor(at, port, portNumberFaults(port)));
  if (needs.clusterIp(spec) && !internal) faults.push(required(specPath.child('internalTrafficPolicy')));
  return [...faults, ...validateOptionalOneOf(internal, policies, specPath.child('internalTrafficPolicy'))];
}
