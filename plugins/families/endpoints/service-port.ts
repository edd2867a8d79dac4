import type {Service} from '../../../sdk/types/unchecked/core/v1.js';
import type {EndpointPod} from './endpoint-pod.js';

export type ServicePort = NonNullable<NonNullable<Service['spec']>['ports']>[number];

/** The port of a pod that a port of a service leads to; undefined if the pod has none of that name. */
export function targetPortOf({form}: EndpointPod, {targetPort, port, protocol = 'TCP'}: ServicePort): number | undefined {
  if (typeof targetPort === 'string') return form.ports.find((named) => named.name === targetPort && named.protocol === protocol)?.port;
  return targetPort ?? port;
}

/** Whether clients reach a service by the addresses of its pods alone. */
export function isHeadless({spec}: Service): boolean {
  const {clusterIP = ''} = spec ?? {};
  return clusterIP === '' || clusterIP === 'None';
}
