import {age} from '../../../sdk/index.js';
import {labelsText} from '../../../sdk/labels/index.js';
import type {Service, ServicePort} from './service.js';

/** Cells of a service's Table row. */
export function serviceCells(service: Service, now: Date): Record<string, string> {
  const {spec = {}, metadata} = service;
  return {
    'Cluster-IP': spec.clusterIPs?.[0] || '<none>',
    'External-IP': externalText(service),
    'Port(s)': portsText(spec.ports ?? []),
    Age: age(metadata.creationTimestamp, now),
    Selector: labelsText(spec.selector),
  };
}

function externalText({spec = {}, status}: Service): string {
  const own = spec.externalIPs ?? [];
  switch (spec.type) {
    case 'ClusterIP':
    case 'NodePort':
      return own.join(',') || '<none>';
    case 'LoadBalancer': {
      const places = new Set((status?.loadBalancer?.ingress ?? []).map(({ip, hostname}) => ip || hostname || '').filter(Boolean));
      return [...[...places].sort(), ...own].join(',') || '<pending>';
    }
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

function portsText(ports: readonly ServicePort[]): string {
  const texts = ports.map(({port = 0, nodePort = 0, protocol = ''}) =>
    nodePort > 0 ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
  );
  return texts.join(',') || '<none>';
}
