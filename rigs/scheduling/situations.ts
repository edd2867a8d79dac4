import type {Pod, PodSpec} from '../../sdk/types/unchecked/core/v1.js';
import {deviceSituations} from './device-situations.js';
import {resourceSituations} from './resource-situations.js';
import type {PodRow, Situation} from './situation.js';

const hostname = 'kubernetes.io/hostname';
const zone = 'topology.kubernetes.io/zone';
const kept = [{key: 'k', effect: 'NoSchedule'}];
const labels = {app: 'db'};

const container = (requests: Record<string, string> = {}, more: object = {}) => ({
  name: 'c',
  image: 'registry.example.com/app:1',
  resources: {requests},
  ...more,
});
const asks = (requests: Record<string, string>, more: PodSpec = {}): PodRow => ({spec: {containers: [container(requests)], ...more}});
const limited = (limits: Record<string, string>): PodRow => ({spec: {containers: [container({}, {resources: {limits}})]}});
const onPort: PodRow = {spec: {containers: [container({}, {ports: [{containerPort: 80, hostPort: 80}]})]}};
const term = (topologyKey: string, app: string) => ({
  requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey, labelSelector: {matchLabels: {app}}}],
});
const anti: PodSpec = {affinity: {podAntiAffinity: term(hostname, 'db')}};
const near: PodSpec = {affinity: {podAffinity: term(zone, 'web')}};
const named = (...values: readonly string[]): PodSpec => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{matchFields: values.map((value) => ({key: 'metadata.name', operator: 'In', values: [value]}))}],
      },
    },
  },
});
const using = (...claims: readonly string[]): PodSpec => ({
  volumes: claims.map((claimName) => ({name: claimName, persistentVolumeClaim: {claimName}})),
});
const ephemeral: PodSpec = {
  volumes: [
    {
      name: 'v',
      ephemeral: {volumeClaimTemplate: {spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}}}},
    },
  ],
};

/** The situations in which our scheduler is held against kube-scheduler. Each has one answer only: where several nodes are as good, either may choose. */
export const situations: readonly Situation[] = [
  {name: 'no nodes', nodes: {}, pod: {}},
  ...deviceSituations,
  ...resourceSituations,
  {name: 'too little processor', nodes: {a: {allocatable: {cpu: '1'}}}, pod: asks({cpu: '2'})},
  {name: 'processor in use', nodes: {a: {allocatable: {cpu: '2'}}}, before: {y: asks({cpu: '1500m'})}, pod: asks({cpu: '1'})},
  {
    name: 'each node for another reason',
    nodes: {
      a: {allocatable: {cpu: '1', memory: '1Gi'}},
      b: {taints: kept},
      c: {unschedulable: true},
      d: {allocatable: {cpu: '1'}, labels: {disk: 'ssd'}},
    },
    pod: asks({cpu: '2', memory: '2Gi', 'ephemeral-storage': '20Gi'}),
  },
  {name: 'too few devices', nodes: {a: {allocatable: {'example.com/gpu': '1'}}}, pod: limited({'example.com/gpu': '2'})},
  {name: 'no huge pages', nodes: {a: {}}, pod: limited({'hugepages-2Mi': '4Mi', memory: '1Gi', cpu: '1'})},
  {name: 'as many pods as there may be', nodes: {a: {allocatable: {pods: '1'}}}, before: {y: {}}, pod: {}},
  {name: 'a label that no node has', nodes: {a: {}}, pod: {spec: {nodeSelector: {disk: 'ssd'}}}},
  {
    name: 'a node by name that is too small',
    nodes: {a: {}, b: {allocatable: {cpu: '1'}}, c: {}},
    pod: asks({cpu: '3'}, named('b')),
  },
  {name: 'a node by name that is not there', nodes: {a: {}}, pod: {spec: named('z')}},
  {name: 'two names for one node', nodes: {a: {}}, pod: {spec: named('a', 'b')}},
  {name: 'a port in use', nodes: {a: {}}, before: {y: onPort}, pod: onPort},
  {name: 'away from others', nodes: {a: {}}, before: {y: {labels}}, pod: {spec: anti}},
  {name: 'others that keep away', nodes: {a: {}}, before: {y: {spec: anti}}, pod: {labels}},
  {name: 'near others that are not there', nodes: {a: {}, b: {labels: {[zone]: 'z'}}}, pod: {spec: near}},
  {name: 'near itself', nodes: {b: {labels: {[zone]: 'z'}}}, pod: {spec: near, labels: {app: 'web'}}},
  {
    name: 'spread over zones',
    nodes: {a: {labels: {[zone]: 'one'}}, b: {labels: {[zone]: 'two'}, taints: kept}, c: {}},
    before: {y: {spec: {nodeSelector: {[zone]: 'one'}}, labels}},
    pod: {
      spec: {
        topologySpreadConstraints: [
          {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: 'DoNotSchedule', labelSelector: {matchLabels: labels}},
        ],
      },
      labels,
    },
  },
  {name: 'a claim that is not there', nodes: {a: {}}, pod: {spec: using('nope')}},
  {name: 'a claim without a volume', nodes: {a: {}}, unbound: ['open'], pod: {spec: using('open')}},
  {name: 'an ephemeral claim that nobody makes', nodes: {a: {}}, pod: {spec: ephemeral}},
  {
    name: 'a volume of another node',
    nodes: {a: {}, b: {allocatable: {cpu: '1'}}},
    volumes: {one: {node: 'b'}},
    pod: asks({cpu: '2'}, using('one')),
  },
  {
    name: 'a claim for one pod',
    nodes: {a: {}},
    volumes: {one: {accessMode: 'ReadWriteOncePod'}},
    before: {y: {spec: using('one')}},
    pod: {spec: using('one')},
  },
  {
    name: 'as many volumes as a driver attaches',
    nodes: {a: {volumes: 2}, b: {taints: kept}},
    volumes: {one: {}, two: {}, three: {}},
    before: {y: {spec: using('one', 'two')}},
    pod: {spec: using('two', 'three')},
  },
  {
    name: 'volumes that are attached once for two pods',
    nodes: {a: {volumes: 2}},
    volumes: {one: {}, two: {}},
    before: {y: {spec: using('one', 'two')}},
    pod: {spec: using('one', 'two')},
  },
  {
    name: 'others leave if they are less important',
    nodes: {a: {allocatable: {cpu: '2'}}, b: {taints: kept}},
    before: {y: asks({cpu: '2'}, {priorityClassName: 'low'})},
    pod: asks({cpu: '1'}, {priorityClassName: 'high'}),
  },
  {
    name: 'nobody has to leave',
    nodes: {a: {allocatable: {cpu: '2'}}},
    before: {y: asks({cpu: '2'}, {priorityClassName: 'low'})},
    pod: asks({cpu: '1'}, {priorityClassName: 'never'}),
  },
  {
    name: 'others that leave are not enough',
    nodes: {a: {}},
    before: {y: asks({cpu: '1'}, {priorityClassName: 'low'}), z: asks({cpu: '2'}, {priorityClassName: 'high'})},
    pod: asks({cpu: '3'}, {priorityClassName: 'high'}),
  },
  {name: 'a gate', nodes: {a: {}}, pod: {spec: {schedulingGates: [{name: 'example.com/gate'}]}}},
  {
    name: 'what a pod asks for as a whole',
    nodes: {a: {allocatable: {cpu: '2'}}},
    pod: asks({cpu: '1'}, {resources: {requests: {cpu: '3'}}}),
  },
  {
    name: 'sidecars beside containers',
    nodes: {a: {allocatable: {cpu: '2'}}},
    pod: asks({cpu: '1'}, {initContainers: [{...container({cpu: '1500m'}), name: 's', restartPolicy: 'Always'}]}),
  },
];

/** The pod of a row. */
export function podOf(name: string, {spec = {}, labels: own = {}}: PodRow): Pod {
  return {metadata: {name, labels: {...own}}, spec: {containers: [container()], ...spec}};
}
