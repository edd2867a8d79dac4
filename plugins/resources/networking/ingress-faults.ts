import {
  dns1035LabelFaults,
  dnsLabelFaults,
  dnsSubdomainFaults,
  invalid,
  notSupported,
  portNameFaults,
  portNumberFaults,
  required,
  type FeatureGates,
  type FieldError,
  type FieldPath,
} from '../../../sdk/index.js';
import {parseIp} from '../../../sdk/net/index.js';
import {isGiven} from '../../../sdk/validation/index.js';
import type {HTTPIngressPath, Ingress, IngressBackend, IngressRule, IngressSpec} from '../../../sdk/types/unchecked/networking/v1.js';
import {ipFieldFaults} from '../../families/addresses/address-fields.js';
import {ipWarnings} from '../../families/addresses/address-warnings.js';
import {validateLocalReference} from './local-reference-faults.js';

const pathTypes = ['Exact', 'Prefix', 'ImplementationSpecific'];
const forbiddenSequences = ['//', '/./', '/../', '%2f', '%2F'];
const forbiddenEndings = ['/..', '/.'];

export interface IngressFaultOptions {
  /** Stored ingresses may keep invalid secret names. */
  readonly allowInvalidSecretName?: boolean;
  /** Names of services may begin with a digit. */
  readonly relaxedServiceNames?: boolean;
}

/** Errors in the specification of an ingress. */
export function validateIngressSpec(spec: IngressSpec, path: FieldPath, options: IngressFaultOptions = {}): FieldError[] {
  const {rules = [], defaultBackend, tls = [], ingressClassName} = spec;
  const faults: FieldError[] = [];
  if (rules.length === 0 && !defaultBackend) faults.push(invalid(path, rules, 'either `defaultBackend` or `rules` must be specified'));
  if (defaultBackend) faults.push(...validateBackend(defaultBackend, path.child('defaultBackend'), options));
  for (const [index, rule] of rules.entries()) faults.push(...validateRule(rule, path.child('rules').index(index), options));
  for (const [index, {hosts = [], secretName = ''}] of tls.entries()) {
    const at = path.child('tls').index(index);
    for (const [number, host] of hosts.entries()) faults.push(...validateHost(host, at.child('hosts').index(number)));
    if (secretName !== '' && !options.allowInvalidSecretName) {
      faults.push(...dnsSubdomainFaults(secretName).map((detail) => invalid(at.child('secretName'), secretName, detail)));
    }
  }
  if (isGiven(ingressClassName)) {
    faults.push(...dnsSubdomainFaults(ingressClassName).map((detail) => invalid(path.child('ingressClassName'), ingressClassName, detail)));
  }
  return faults;
}

/** Whether a service is named as only the relaxed rule allows. */
export function hasRelaxedServiceNames({defaultBackend, rules = []}: IngressSpec): boolean {
  const backends = [defaultBackend, ...rules.flatMap(({http}) => (http?.paths ?? []).map(({backend}) => backend))];
  return backends.some((backend) => {
    const name = backend?.service?.name ?? '';
    return name !== '' && dnsLabelFaults(name).length === 0 && dns1035LabelFaults(name).length > 0;
  });
}

/** Whether all secret names of an ingress are valid. */
export function hasValidSecretNames({tls = []}: IngressSpec): boolean {
  return tls.every(({secretName = ''}) => secretName === '' || dnsSubdomainFaults(secretName).length === 0);
}

function validateRule({host = '', http}: IngressRule, path: FieldPath, options: IngressFaultOptions): FieldError[] {
  const faults: FieldError[] = [];
  if (host !== '') {
    if (parseIp(host)) faults.push(invalid(path.child('host'), host, 'must be a DNS name, not an IP address'));
    faults.push(...validateHost(host, path.child('host')));
  }
  if (!http) return faults;
  const pathsPath = path.child('http', 'paths');
  const paths = http.paths ?? [];
  if (paths.length === 0) faults.push(required(pathsPath));
  return [...faults, ...paths.flatMap((entry, index) => validatePath(entry, pathsPath.index(index), options))];
}

/** A host whose first segment may be `*`. */
function validateHost(host: string, path: FieldPath): FieldError[] {
  const details = host.includes('*') ? wildcardFaults(host) : dnsSubdomainFaults(host);
  return details.map((detail) => invalid(path, host, detail));
}

function wildcardFaults(host: string): string[] {
  if (host.startsWith('*.') && dnsSubdomainFaults(host.slice(2)).length === 0) return [];
  return [
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, " +
      "'-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is " +
      "'\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ];
}

function validatePath(
  {path: text = '', pathType, backend = {}}: HTTPIngressPath,
  at: FieldPath,
  options: IngressFaultOptions,
): FieldError[] {
  if (!isGiven(pathType)) return [required(at.child('pathType'), 'pathType must be specified')];
  const faults: FieldError[] = [];
  const fault = (detail: string) => faults.push(invalid(at.child('path'), text, detail));
  if (pathType === 'Exact' || pathType === 'Prefix') {
    if (!text.startsWith('/')) fault('must be an absolute path');
    for (const sequence of forbiddenSequences) if (text.includes(sequence)) fault(`must not contain '${sequence}'`);
    for (const ending of forbiddenEndings) if (text.endsWith(ending)) fault(`cannot end with '${ending}'`);
  } else if (pathType === 'ImplementationSpecific') {
    if (text !== '' && !text.startsWith('/')) fault('must be an absolute path');
  } else {
    faults.push(notSupported(at.child('pathType'), pathType, pathTypes));
  }
  return [...faults, ...validateBackend(backend, at.child('backend'), options)];
}

function validateBackend({service, resource}: IngressBackend, path: FieldPath, options: IngressFaultOptions): FieldError[] {
  if (service && resource) return [invalid(path, '', 'cannot set both resource and service backends')];
  if (resource) return validateLocalReference(resource, path.child('resource'));
  if (!service) return [invalid(path, '', 'resource or service backend is required')];
  const {name = '', port: {name: portName = '', number: portNumber = 0} = {}} = service;
  const at = path.child('service');
  const nameFaults = options.relaxedServiceNames ? dnsLabelFaults : dns1035LabelFaults;
  const faults = name === '' ? [required(at.child('name'))] : nameFaults(name).map((detail) => invalid(at.child('name'), name, detail));
  if (portName !== '' && portNumber !== 0) faults.push(invalid(path, '', 'cannot set both port name & port number'));
  else if (portName !== '') faults.push(...portNameFaults(portName).map((detail) => invalid(at.child('port', 'name'), portName, detail)));
  else if (portNumber !== 0)
    faults.push(...portNumberFaults(portNumber).map((detail) => invalid(at.child('port', 'number'), portNumber, detail)));
  else faults.push(required(path, 'port name or number is required'));
  return faults;
}

/** Errors in the status of an ingress. */
export function validateIngressStatus(
  status: Ingress['status'],
  old: Ingress['status'],
  path: FieldPath,
  gates: FeatureGates,
): FieldError[] {
  const before = (old?.loadBalancer?.ingress ?? []).flatMap(({ip}) => ip || []);
  return (status?.loadBalancer?.ingress ?? []).flatMap(({ip = '', hostname = ''}, index) => {
    const at = path.child('loadBalancer', 'ingress').index(index);
    const faults = ip === '' ? [] : addressFaults(ip, at.child('ip'), gates, before);
    if (hostname === '') return faults;
    faults.push(...dnsSubdomainFaults(hostname).map((detail) => invalid(at.child('hostname'), hostname, detail)));
    if (parseIp(hostname)) faults.push(invalid(at.child('hostname'), hostname, 'must be a DNS name, not an IP address'));
    return faults;
  });
}

function addressFaults(ip: string, path: FieldPath, gates: FeatureGates, before: readonly string[]): FieldError[] {
  if (gates.enabled('AddressForms')) return ipFieldFaults(ip, path, gates, before);
  return parseIp(ip) ? [] : [invalid(path, ip, 'must be a valid IP address')];
}

/** Warnings about addresses in the status of an ingress that are not in their proper form, in Kubernetes' words. */
export function ingressStatusWarnings(status: Ingress['status'], path: FieldPath): string[] {
  return (status?.loadBalancer?.ingress ?? []).flatMap(({ip}, index) => ipWarnings(ip, path.child('loadBalancer', 'ingress').index(index)));
}
