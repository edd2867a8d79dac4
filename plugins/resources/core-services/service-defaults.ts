import {needs, type Service} from './service.js';

const affinitySeconds = 10800;

/** Fills in what depends on other fields. Changes `service`; fixed defaults are the schema's. */
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
