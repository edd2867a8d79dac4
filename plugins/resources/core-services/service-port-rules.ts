import {
  dnsLabelFaults,
  duplicate,
  forbiddenField,
  invalid,
  portNumberFaults,
  qualifiedNameFaults,
  required,
  type FieldError,
  type FieldPath,
} from '../../../sdk/index.js';
import {invalidFor, validateGivenText, validateOneOf, validatePortNumberOrName, validateText} from '../../../sdk/validation/index.js';
import type {ServicePort, ServiceSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {isHeadless} from './service.js';

const kubeletPort = 10250;

/** Errors in the ports of a service. */
export function servicePortFaults(spec: ServiceSpec, path: FieldPath): FieldError[] {
  const {ports = [], type} = spec;
  if (ports.length === 0) return isHeadless(spec) || type === 'ExternalName' ? [] : [required(path)];
  const names = new Set<string>();
  return [
    ...ports.flatMap((port, index) => [
      ...portFaults(port, path.index(index), ports.length > 1, names),
      ...typeFaults(port, path.index(index), type),
    ]),
    ...pairFaults(ports, path),
  ];
}

function portFaults(spec: ServicePort, path: FieldPath, needsName: boolean, names: Set<string>): FieldError[] {
  const {name = '', port = 0, protocol, targetPort, appProtocol} = spec;
  const faults = needsName || name !== '' ? validateText(name, path.child('name'), dnsLabelFaults) : [];
  if (name !== '' && names.has(name)) faults.push(duplicate(path.child('name'), name));
  names.add(name);
  return [
    ...faults,
    ...invalidFor(path.child('port'), port, portNumberFaults(port)),
    ...validateOneOf(protocol, ['SCTP', 'TCP', 'UDP'], path.child('protocol')),
    ...validatePortNumberOrName(targetPort, path.child('targetPort')),
    ...validateGivenText(appProtocol, path.child('appProtocol'), qualifiedNameFaults),
  ];
}

function typeFaults({port, nodePort}: ServicePort, path: FieldPath, type: string | undefined): FieldError[] {
  const faults: FieldError[] = [];
  if (type === 'LoadBalancer' && port === kubeletPort) {
    faults.push(invalid(path.child('port'), port, `may not expose port ${kubeletPort} externally since it is used by kubelet`));
  }
  if (type === 'ClusterIP' && nodePort) faults.push(forbiddenField(path.child('nodePort'), "may not be used when `type` is 'ClusterIP'"));
  return faults;
}

/** No two ports may be the same for clients, inside or outside the cluster. */
function pairFaults(ports: readonly ServicePort[], path: FieldPath): FieldError[] {
  const inside = new Set<string>();
  const outside = new Set<string>();
  return ports.flatMap(({protocol = '', port = 0, nodePort = 0}, index) => {
    const faults: FieldError[] = [];
    if (nodePort !== 0) {
      if (outside.has(`${protocol}/${nodePort}`)) faults.push(duplicate(path.index(index).child('nodePort'), nodePort));
      outside.add(`${protocol}/${nodePort}`);
    }
    if (inside.has(`${protocol}/${port}`)) faults.push(duplicate(path.index(index), {protocol, port}));
    inside.add(`${protocol}/${port}`);
    return faults;
  });
}
