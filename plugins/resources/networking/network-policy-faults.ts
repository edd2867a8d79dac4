import {
  forbiddenField,
  invalid,
  notSupported,
  portNameFaults,
  portNumberFaults,
  required,
  type FieldError,
  type FieldPath,
} from '../../../sdk/index.js';
import {validateLabelSelector, type LabelSelectorOptions} from '../../../sdk/labels/index.js';
import {cidrContains, parseCidr} from '../../../sdk/net/index.js';
import {isGiven} from '../../../sdk/validation/index.js';
import type {NetworkPolicyPeer, NetworkPolicyPort, NetworkPolicySpec} from '../../../sdk/types/unchecked/networking/v1.js';

const protocols = ['TCP', 'UDP', 'SCTP'];
const policyTypes = ['Ingress', 'Egress'];

/** Errors in the specification of a network policy. */
export function validateNetworkPolicySpec(spec: NetworkPolicySpec, path: FieldPath, options: LabelSelectorOptions = {}): FieldError[] {
  const faults = validateLabelSelector(spec.podSelector, path.child('podSelector'), options);
  const rules = (ports: NetworkPolicyPort[] = [], peers: NetworkPolicyPeer[] = [], at: FieldPath, peersName: string) => [
    ...ports.flatMap((port, index) => validatePort(port, at.child('ports').index(index))),
    ...peers.flatMap((peer, index) => validatePeer(peer, at.child(peersName).index(index), options)),
  ];
  for (const [index, {ports, from}] of (spec.ingress ?? []).entries())
    faults.push(...rules(ports, from, path.child('ingress').index(index), 'from'));
  for (const [index, {ports, to}] of (spec.egress ?? []).entries())
    faults.push(...rules(ports, to, path.child('egress').index(index), 'to'));
  return [...faults, ...validatePolicyTypes(spec.policyTypes ?? [], path.child('policyTypes'))];
}

function validatePolicyTypes(types: readonly string[], path: FieldPath): FieldError[] {
  if (types.length > policyTypes.length) return [invalid(path, types, 'may not specify more than two policyTypes')];
  return types.flatMap((type, index) => (policyTypes.includes(type) ? [] : [notSupported(path.index(index), type, policyTypes)]));
}

function validatePort({protocol, port, endPort}: NetworkPolicyPort, path: FieldPath): FieldError[] {
  const faults: FieldError[] = [];
  const endPath = path.child('endPort');
  if (isGiven(protocol) && !protocols.includes(protocol)) faults.push(notSupported(path.child('protocol'), protocol, protocols));
  if (typeof port === 'number') {
    faults.push(...portNumberFaults(port).map((detail) => invalid(path.child('port'), port, detail)));
    if (!isGiven(endPort)) return faults;
    if (endPort < port) faults.push(invalid(endPath, endPort, 'must be greater than or equal to `port`'));
    return [...faults, ...portNumberFaults(endPort).map((detail) => invalid(endPath, endPort, detail))];
  }
  if (isGiven(endPort)) {
    const state = isGiven(port) ? 'non-numeric' : 'not specified';
    faults.push(invalid(endPath, endPort, `may not be specified when \`port\` is ${state}`));
  }
  if (isGiven(port)) faults.push(...portNameFaults(port).map((detail) => invalid(path.child('port'), port, detail)));
  return faults;
}

function validatePeer(
  {podSelector, namespaceSelector, ipBlock}: NetworkPolicyPeer,
  path: FieldPath,
  options: LabelSelectorOptions,
): FieldError[] {
  const faults = [
    ...validateLabelSelector(podSelector, path.child('podSelector'), options),
    ...validateLabelSelector(namespaceSelector, path.child('namespaceSelector'), options),
    ...(ipBlock ? validateIpBlock(ipBlock, path.child('ipBlock')) : []),
  ];
  if (!podSelector && !namespaceSelector && !ipBlock) faults.push(required(path, 'must specify a peer'));
  else if (ipBlock && (podSelector || namespaceSelector))
    faults.push(forbiddenField(path, 'may not specify both ipBlock and another peer'));
  return faults;
}

function validateIpBlock({cidr = '', except = []}: NonNullable<NetworkPolicyPeer['ipBlock']>, path: FieldPath): FieldError[] {
  if (cidr === '') return [required(path.child('cidr'))];
  const block = parseCidr(cidr);
  if (!block) return [invalid(path.child('cidr'), cidr, 'not a valid CIDR')];
  return except.flatMap((text, index) => {
    const at = path.child('except').index(index);
    const part = parseCidr(text);
    if (!part) return [invalid(at, text, 'not a valid CIDR')];
    const inside = cidrContains(block, {family: part.family, value: part.base}) && part.prefixLength > block.prefixLength;
    return inside ? [] : [invalid(at, text, 'must be a strict subset of `cidr`')];
  });
}
