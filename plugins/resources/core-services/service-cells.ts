import {labelsText} from '../../../sdk/labels/index.js';
import type {Service, ServicePort} from '../../../sdk/types/unchecked/core/v1.js';

/** Cells of a service's Table row. */
export function serviceCells(service: Service): Record<string, string> {
  const {spec = {}} = service;
  return {
    'Cluster-IP': spec.clusterIPs?.[0] || '<none>',
    'External-IP': externalText(service),
    'Port(s)': portsText(spec.ports ?? []),
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
