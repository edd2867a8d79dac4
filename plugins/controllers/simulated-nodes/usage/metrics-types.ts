import type {ResourceDefinition} from '../../../../sdk/index.js';

const usage = {
  type: 'object',
  description: 'Amounts by resource: `cpu` in processors, `memory` in bytes.',
  additionalProperties: {type: 'string', format: 'quantity'},
};
const time = {
  timestamp: {type: 'string', format: 'date-time', description: 'When it was measured.'},
  window: {type: 'string', description: 'For how long it was measured before that.'},
};
const columns = [
  {name: 'Name', type: 'string', format: 'name', description: 'Name of what was measured.', jsonPath: '.metadata.name'},
  {name: 'cpu', type: 'string', description: 'Processors that are used.'},
  {name: 'memory', type: 'string', description: 'Memory that is used.'},
  {name: 'Window', type: 'string', description: 'For how long it was measured.', jsonPath: '.window'},
] as const;

/** The resource metrics of pods. @param group `metrics.k8s.io`, as the platform spells it */
export function podMetricsType(group: string): ResourceDefinition {
  const containers = {
    type: 'array',
    description: 'The containers that run.',
    items: {
      type: 'object',
      required: ['name', 'usage'],
      properties: {name: {type: 'string', description: 'Name of the container.'}, usage},
    },
  };
  return {
    group,
    names: {plural: 'pods', singular: 'pod', kind: 'PodMetrics', listKind: 'PodMetricsList'},
    scope: 'Namespaced',
    verbs: ['get', 'list'],
    handler: 'pods',
    groupPriority: 100,
    versions: [version('What the containers of a pod use.', {...time, containers}, ['containers'])],
  };
}

/** The resource metrics of nodes. @param group as of pods */
export function nodeMetricsType(group: string): ResourceDefinition {
  return {
    group,
    names: {plural: 'nodes', singular: 'node', kind: 'NodeMetrics', listKind: 'NodeMetricsList'},
    scope: 'Cluster',
    verbs: ['get', 'list'],
    handler: 'nodes',
    groupPriority: 100,
    versions: [version('What a node uses, with all that runs on it.', {...time, usage}, ['usage'])],
  };
}

function version(description: string, properties: object, required: readonly string[]): ResourceDefinition['versions'][number] {
  return {
    name: 'v1beta1',
    served: true,
    storage: true,
    schema: {description, type: 'object', required: ['timestamp', 'window', ...required], properties},
    printerColumns: columns,
  };
}
