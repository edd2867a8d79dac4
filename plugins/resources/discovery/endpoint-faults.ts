import {
  dnsLabelFaults,
  dnsSubdomainFaults,
  duplicate,
  FieldPath,
  invalid,
  labelValueFaults,
  qualifiedNameFaults,
  required,
  tooMany,
  type FeatureGates,
  type FieldError,
} from '../../../sdk/index.js';
import {validateLabels} from '../../../sdk/labels/index.js';
import {ipFamily} from '../../../sdk/net/index.js';
import {invalidFor, isGiven, validateOneOf, type TextRule} from '../../../sdk/validation/index.js';
import type {Endpoint, EndpointPort, EndpointSlice} from '../../../sdk/types/unchecked/discovery/v1.js';
import {ipFieldFaults} from '../../families/addresses/address-fields.js';
import {ipWarnings} from '../../families/addresses/address-warnings.js';
import {strictIpFaults} from '../../families/addresses/strict-addresses.js';

/** Errors in an address that traffic is sent to. */
type IpFaults = (ip: string, path: FieldPath) => FieldError[];

/** What addresses are held against. */
export interface AddressRules {
  readonly gates: FeatureGates;
  readonly ipFaults: IpFaults;
}

const maximumEndpoints = 1000;
const maximumAddresses = 100;
const maximumPorts = 20_000;
const maximumTopologyLabels = 16;
/** Of zones, and of nodes. */
const maximumHints = 8;
const protocols = ['TCP', 'UDP', 'SCTP'];

/** Errors in the endpoints of a slice. If there are too many, only that is reported. */
export function validateEndpoints(endpoints: readonly Endpoint[], addressType: string, rules: AddressRules, path: FieldPath): FieldError[] {
  if (endpoints.length > maximumEndpoints) return [tooMany(path, endpoints.length, maximumEndpoints)];
  return endpoints.flatMap((endpoint, index) => validateEndpoint(endpoint, addressType, rules, path.index(index)));
}

function validateEndpoint(endpoint: Endpoint, addressType: string, rules: AddressRules, path: FieldPath): FieldError[] {
  const {addresses, nodeName, deprecatedTopology = {}, hostname, hints} = endpoint;
  const faults = validateAddresses(addresses ?? [], addressType, rules, path.child('addresses'));
  if (isGiven(nodeName)) faults.push(...dnsSubdomainFaults(nodeName).map((detail) => invalid(path.child('nodeName'), nodeName, detail)));
  const topologyPath = path.child('deprecatedTopology');
  const labels = Object.keys(deprecatedTopology).length;
  if (labels > maximumTopologyLabels) faults.push(tooMany(topologyPath, labels, maximumTopologyLabels));
  faults.push(...validateLabels(deprecatedTopology, topologyPath));
  if (isGiven(hostname)) faults.push(...dnsLabelFaults(hostname).map((detail) => invalid(path.child('hostname'), hostname, detail)));
  return [
    ...faults,
    ...validateHints(hints?.forZones ?? [], labelValueFaults, path.child('hints', 'forZones')),
    ...validateHints(hints?.forNodes ?? [], dnsSubdomainFaults, path.child('hints', 'forNodes')),
  ];
}

function validateAddresses(addresses: readonly string[], addressType: string, rules: AddressRules, path: FieldPath): FieldError[] {
  if (addresses.length === 0) return [required(path, 'must contain at least 1 address')];
  const faults = addresses.length > maximumAddresses ? [tooMany(path, addresses.length, maximumAddresses)] : [];
  return [...faults, ...addresses.flatMap((address, index) => validateAddress(address, addressType, rules, path, index))];
}

/** Addresses of an unknown type pass, because the type itself is reported. */
function validateAddress(
  address: string,
  addressType: string,
  {gates, ipFaults}: AddressRules,
  list: FieldPath,
  index: number,
): FieldError[] {
  const path = list.index(index);
  switch (addressType) {
    case 'IPv4':
    case 'IPv6': {
      const isOfFamily = ipFamily(address) === addressType;
      if (!gates.enabled('AddressForms')) {
        const faults = isOfFamily ? [] : [invalid(path, address, `must be a valid ${addressType} address`)];
        return [...faults, ...ipFaults(address, path)];
      }
      const malformed = addressType === 'IPv4' ? ipFieldFaults(address, path, gates) : invalidFor(path, address, strictIpFaults(address));
      if (malformed.length > 0) return malformed;
      const faults = isOfFamily ? [] : [invalid(list, address, `must be an ${addressType} address`)];
      return [...faults, ...ipFaults(address, path)];
    }
    case 'FQDN':
      return validateFullName(address, path);
    default:
      return [];
  }
}

function validateFullName(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [required(path)];
  const bare = name.endsWith('.') ? name.slice(0, -1) : name;
  const faults = dnsSubdomainFaults(bare);
  if (faults.length > 0) return faults.map((detail) => invalid(path, bare, detail));
  const labels = bare.split('.');
  if (labels.length < 2) return [invalid(path, bare, 'should be a domain with at least two segments separated by dots')];
  return labels.flatMap((label) => dnsLabelFaults(label).map((detail) => invalid(path, label, detail)));
}

function validateHints(places: readonly {name?: string}[], nameFaults: TextRule, path: FieldPath): FieldError[] {
  if (places.length > maximumHints) return [tooMany(path, places.length, maximumHints)];
  const seen = new Set<string>();
  return places.flatMap(({name = ''}, index) => {
    const at = path.index(index).child('name');
    const faults = seen.has(name) ? [duplicate(at, name)] : [];
    seen.add(name);
    return [...faults, ...nameFaults(name).map((detail) => invalid(at, name, detail))];
  });
}

/** Warnings about addresses that are not in their proper form, in Kubernetes' words. */
export function* endpointWarnings({endpoints}: EndpointSlice): Generator<string> {
  const path = FieldPath.of('endpoints');
  for (const [index, {addresses}] of (endpoints ?? []).entries()) {
    const at = path.index(index).child('addresses');
    for (const [place, address] of (addresses ?? []).entries()) yield* ipWarnings(address, at.index(place));
  }
}

/** Errors in the ports of a slice. */
export function validateEndpointPorts(ports: readonly EndpointPort[], path: FieldPath): FieldError[] {
  if (ports.length > maximumPorts) return [tooMany(path, ports.length, maximumPorts)];
  const seen = new Set<string>();
  return ports.flatMap(({name, protocol, appProtocol}, index) => {
    const at = path.index(index);
    const text = name ?? '';
    const faults = text === '' ? [] : dnsLabelFaults(text).map((detail) => invalid(at.child('name'), text, detail));
    if (seen.has(text)) faults.push(duplicate(at.child('name'), text));
    seen.add(text);
    faults.push(...validateOneOf(protocol, protocols, at.child('protocol')));
    if (isGiven(appProtocol))
      faults.push(...qualifiedNameFaults(appProtocol).map((detail) => invalid(at.child('appProtocol'), appProtocol, detail)));
    return faults;
  });
}
