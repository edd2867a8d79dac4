import {sameValue} from '../../../sdk/validation/index.js';
import type {Endpoint, EndpointPort, EndpointSlice} from '../../../sdk/types/unchecked/discovery/v1.js';

/** What is the same in two states of one endpoint: its addresses, its host name and its pod. */
export function endpointKey({addresses, hostname = '', targetRef}: Endpoint): string {
  return JSON.stringify([[...(addresses ?? [])].sort(), hostname, targetRef?.namespace ?? '', targetRef?.name ?? '']);
}

/** Equal for equal lists of ports, in whatever order. */
export function portsKey(ports: readonly EndpointPort[] | undefined | null): string {
  return (ports ?? [])
    .map(({name, protocol, port, appProtocol}) => JSON.stringify([name ?? '', protocol ?? 'TCP', port ?? null, appProtocol ?? null]))
    .sort()
    .join();
}

/** Whether endpoints with the same key are the same in everything else. */
export function isSameState(one: Endpoint, other: Endpoint): boolean {
  const {resourceVersion: _one, ...target} = one.targetRef ?? {};
  const {resourceVersion: _other, ...otherTarget} = other.targetRef ?? {};
  return (
    one.nodeName === other.nodeName &&
    one.zone === other.zone &&
    one.conditions?.ready === other.conditions?.ready &&
    one.conditions?.serving === other.conditions?.serving &&
    one.conditions?.terminating === other.conditions?.terminating &&
    sameValue(target, otherTarget)
  );
}

/** Whether an endpoint takes traffic. */
export function isReadyEndpoint({conditions}: Endpoint): boolean {
  return conditions?.ready === true;
}

/** The longest beginning of generated names: `web-`. */
export function slicePrefix(name: string): string {
  return name.length < 253 ? `${name}-` : name;
}

/** Endpoints of a slice. */
export function endpointsOf({endpoints}: EndpointSlice): readonly Endpoint[] {
  return endpoints ?? [];
}
