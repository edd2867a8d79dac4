import {
  forbiddenField,
  invalid,
  notSupported,
  portNameFaults,
  portNumberFaults,
  required,
  type FeatureGates,
  type FieldError,
  type FieldPath,
} from '../../../sdk/index.js';
import {validateLabelSelector, type LabelSelectorOptions} from '../../../sdk/labels/index.js';
import {cidrContains, parseCidr} from '../../../sdk/net/index.js';
import {isGiven} from '../../../sdk/validation/index.js';
import {cidrFieldFaults} from '../../families/addresses/address-fields.js';
import {cidrWarnings} from '../../families/addresses/address-warnings.js';
import type {NetworkPolicyPeer, NetworkPolicyPort, NetworkPolicySpec} from '../../../sdk/types/unchecked/networking/v1.js';

const protocols = ['TCP', 'UDP', 'SCTP'];
const policyTypes = ['Ingress', 'Egress'];

/** What a policy is held against. */
export interface NetworkPolicyRules extends LabelSelectorOptions {
  readonly gates: FeatureGates;
  /** Blocks of addresses that it had before: they may stay as they are. */
  readonly stored?: readonly string[];
}

/** Errors in the specification of a network policy. */
export function validateNetworkPolicySpec(spec: NetworkPolicySpec, path: FieldPath, options: NetworkPolicyRules): FieldError[] {
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
  options: NetworkPolicyRules,
): FieldError[] {
  const faults = [
    ...validateLabelSelector(podSelector, path.child('podSelector'), options),
    ...validateLabelSelector(namespaceSelector, path.child('namespaceSelector'), options),
    ...(ipBlock ? validateIpBlock(ipBlock, path.child('ipBlock'), options) : []),
  ];
  if (!podSelector && !namespaceSelector && !ipBlock) faults.push(required(path, 'must specify a peer'));
  else if (ipBlock && (podSelector || namespaceSelector))
    faults.push(forbiddenField(path, 'may not specify both ipBlock and another peer'));
  return faults;
}

type IpBlock = NonNullable<NetworkPolicyPeer['ipBlock']>;

function validateIpBlock({cidr = '', except = []}: IpBlock, path: FieldPath, {gates, stored}: NetworkPolicyRules): FieldError[] {
  if (cidr === '') return [required(path.child('cidr'))];
  const faultsOf = (text: string, at: FieldPath) => {
    if (gates.enabled('AddressForms')) return cidrFieldFaults(text, at, gates, stored);
    return parseCidr(text) ? [] : [invalid(at, text, 'not a valid CIDR')];
  };
  const faults = faultsOf(cidr, path.child('cidr'));
  const block = parseCidr(cidr);
  if (!block) return faults;
  for (const [index, text] of except.entries()) {
    const at = path.child('except').index(index);
    faults.push(...faultsOf(text, at));
    const part = parseCidr(text);
    if (!part) continue;
    const isInside = cidrContains(block, {family: part.family, value: part.base}) && part.prefixLength > block.prefixLength;
    if (!isInside) faults.push(invalid(at, text, 'must be a strict subset of `cidr`'));
  }
  return faults;
}

/** Where the blocks of addresses of a policy are. */
function* ipBlocks({ingress, egress}: NetworkPolicySpec, path: FieldPath): Generator<{block: IpBlock; at: FieldPath}> {
  const rules = [
    {name: 'ingress', peersName: 'from', lists: (ingress ?? []).map(({from}) => from)},
    {name: 'egress', peersName: 'to', lists: (egress ?? []).map(({to}) => to)},
  ];
  for (const {name, peersName, lists} of rules)
    for (const [index, peers] of lists.entries())
      for (const [place, {ipBlock}] of (peers ?? []).entries())
        if (ipBlock) yield {block: ipBlock, at: path.child(name).index(index).child(peersName).index(place).child('ipBlock')};
}

/** All blocks of addresses that a policy names. */
export function blocksOf(spec: NetworkPolicySpec, path: FieldPath): string[] {
  return [...ipBlocks(spec, path)].flatMap(({block: {cidr = '', except = []}}) => [cidr, ...except]);
}

/** Warnings about blocks of addresses that could mean something else, in Kubernetes' words. */
export function* networkPolicyWarnings(spec: NetworkPolicySpec, path: FieldPath): Generator<string> {
  for (const {block, at} of ipBlocks(spec, path)) {
    yield* cidrWarnings(block.cidr, at.child('cidr'));
    for (const [index, text] of (block.except ?? []).entries()) yield* cidrWarnings(text, at.child('except').index(index));
  }
}
