import type {PodSpec} from '../../../../sdk/types/unchecked/core/v1.js';
import {isSidecar} from '../../../families/pods/restart-policy.js';

const anyAddress = '0.0.0.0';

/** A port of a node that a pod takes. */
export interface HostPort {
  readonly address: string;
  readonly protocol: string;
  readonly port: number;
}

/** The ports of its node that a pod takes, while it runs. */
export function hostPorts({containers, initContainers}: PodSpec): HostPort[] {
  return [...(containers ?? []), ...(initContainers ?? []).filter(isSidecar)].flatMap(({ports}) =>
    (ports ?? [])
      .filter(({hostPort}) => (hostPort ?? 0) > 0)
      .map(({hostIP, protocol, hostPort = 0}) => ({address: hostIP || anyAddress, protocol: protocol || 'TCP', port: hostPort})),
  );
}

/** Whether both cannot be taken on one node. */
export function collide(left: HostPort, right: HostPort): boolean {
  if (left.port !== right.port || left.protocol !== right.protocol) return false;
  return left.address === right.address || left.address === anyAddress || right.address === anyAddress;
}
