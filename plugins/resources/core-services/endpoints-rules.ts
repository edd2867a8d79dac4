import {
  dnsLabelFaults,
  dnsSubdomainFaults,
  FieldPath,
  portNumberFaults,
  qualifiedNameFaults,
  required,
  tooMany,
  type FeatureGates,
  type FieldError,
} from '../../../sdk/index.js';
import {validateNonSpecialIp} from '../../../sdk/net/index.js';
import {invalidFor, validateGivenText, validateOneOf, validateOptionalText, validateText} from '../../../sdk/validation/index.js';
import type {EndpointAddress, EndpointPort, Endpoints} from '../../../sdk/types/unchecked/core/v1.js';
import {ipFieldFaults} from '../../families/addresses/address-fields.js';
import {ipWarnings} from '../../families/addresses/address-warnings.js';
import {canonicalSize} from '../../families/endpoints/canonical-endpoints.js';

/** Errors in an address that traffic is sent to. */
type IpFaults = (ip: string, path: FieldPath) => FieldError[];

const subsetsPath = FieldPath.of('subsets');
/** Maximum number of addresses in the form that controllers bring an object into: more than fit into one object unless they are repeated. */
const maximumAddresses = 100_000;

/** Errors in the addresses of a service. */
export function endpointsFaults({subsets}: Endpoints, gates: FeatureGates, ipFaults: IpFaults = validateNonSpecialIp): FieldError[] {
  const size = canonicalSize(subsets ?? []);
  if (size > maximumAddresses) return [tooMany(subsetsPath, size, maximumAddresses)];
  const rules = {gates, ipFaults};
  return (subsets ?? []).flatMap(({addresses = [], notReadyAddresses = [], ports = []}, index) => {
    const at = subsetsPath.index(index);
    const faults =
      addresses.length + notReadyAddresses.length === 0 ? [required(at, 'must specify `addresses` or `notReadyAddresses`')] : [];
    return [
      ...faults,
      ...addresses.flatMap((address, place) => addressFaults(address, rules, at.child('addresses').index(place))),
      ...notReadyAddresses.flatMap((address, place) => addressFaults(address, rules, at.child('notReadyAddresses').index(place))),
      ...ports.flatMap((port, place) => portFaults(port, at.child('ports').index(place), ports.length > 1)),
    ];
  });
}

/** What addresses of endpoints are held against. */
interface AddressRules {
  readonly gates: FeatureGates;
  readonly ipFaults: IpFaults;
}

function addressFaults({ip = '', hostname, nodeName}: EndpointAddress, {gates, ipFaults}: AddressRules, path: FieldPath): FieldError[] {
  return [
    ...ipFieldFaults(ip, path.child('ip'), gates),
    ...validateOptionalText(hostname, path.child('hostname'), dnsLabelFaults),
    ...validateGivenText(nodeName, path.child('nodeName'), dnsSubdomainFaults),
    ...ipFaults(ip, path.child('ip')),
  ];
}

/** Warnings about addresses that are not in their proper form, in Kubernetes' words. */
export function* endpointsWarnings({subsets = []}: Endpoints): Generator<string> {
  for (const [index, {addresses = [], notReadyAddresses = []}] of subsets.entries()) {
    const at = subsetsPath.index(index);
    for (const [place, {ip}] of addresses.entries()) yield* ipWarnings(ip, at.child('addresses').index(place).child('ip'));
    for (const [place, {ip}] of notReadyAddresses.entries()) yield* ipWarnings(ip, at.child('notReadyAddresses').index(place).child('ip'));
  }
}

function portFaults({name, port = 0, protocol, appProtocol}: EndpointPort, path: FieldPath, needsName: boolean): FieldError[] {
  return [
    ...(needsName
      ? validateText(name, path.child('name'), dnsLabelFaults)
      : validateOptionalText(name, path.child('name'), dnsLabelFaults)),
    ...invalidFor(path.child('port'), port, portNumberFaults(port)),
    ...validateOneOf(protocol, ['SCTP', 'TCP', 'UDP'], path.child('protocol')),
    ...validateGivenText(appProtocol, path.child('appProtocol'), qualifiedNameFaults),
  ];
}
