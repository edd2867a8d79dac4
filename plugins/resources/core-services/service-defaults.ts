import {needs} from './service.js';
import type {Service} from '../../../sdk/types/unchecked/core/v1.js';

const affinitySeconds = 10800;

/** Fills in defaults that depend on other fields. Modifies `service`. Fixed defaults are in the schema. */
export function applyServiceDefaults({spec}: Service): void {
  if (!spec) return;
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === 'ClientIP') {
    const timeoutSeconds = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? affinitySeconds;
    spec.sessionAffinityConfig = {...spec.sessionAffinityConfig, clientIP: {...spec.sessionAffinityConfig?.clientIP, timeoutSeconds}};
  }
  for (const port of spec.ports ?? []) {
    if ((port.targetPort === undefined || port.targetPort === 0 || port.targetPort === '') && port.port) port.targetPort = port.port;
  }
  if (needs.externalTrafficPolicy(spec) && !spec.externalTrafficPolicy) spec.externalTrafficPolicy = 'Cluster';
  if (needs.clusterIp(spec)) spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true;
}
