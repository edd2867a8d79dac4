import test from 'ava';
import {PreparedPod} from '../../../../plugins/controllers/scheduler/decision/prepared-pod.js';
import type {KnownPod} from '../../../../plugins/controllers/scheduler/model/known-pod.js';
import type {PersistentVolume, PersistentVolumeClaim, PodSpec} from '@orch-api/orch/types/unchecked/core/v1';
import {asks, ClusterTable, hostname, zone, type NodeRow, noStorage} from './cluster-table.js';

/** What each node says of a pod: nothing if it fits. */
function verdicts(table: ClusterTable, pod: KnownPod): Record<string, string> {
  const prepared = new PreparedPod(pod, table.profile, table.cluster);
  if (prepared.everywhere) return {'*': prepared.everywhere.refusal.reasons.join()};
  return Object.fromEntries(
    table.cluster.nodes.flatMap((node) => {
      const found = prepared.check(node);
      return found ? [[node.name, found.refusal.reasons.join()]] : [];
    }),
  );
}

const taint = (key: string, effect: string, value = '') => ({taints: [{key, value, effect}]});
const affinity = (...terms: object[]): PodSpec =>
  ({affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: terms}}}}) as PodSpec;
const untolerated = 'node(s) had untolerated taint(s)';
const elsewhere = "node(s) didn't match Pod's node affinity/selector";

const ofNodes: Record<string, {node: NodeRow; pod: PodSpec; said?: string}> = {
  'no room for the processor': {node: {}, pod: asks({cpu: '5'}), said: 'Insufficient cpu'},
  'just enough': {node: {}, pod: asks({cpu: '4', memory: '8Gi'})},
  'several lacks': {
    node: {},
    pod: asks({cpu: '5', memory: '9Gi', 'ephemeral-storage': '1'}),
    said: 'Insufficient cpu,Insufficient memory,Insufficient ephemeral-storage',
  },
  'an extended resource': {
    node: {allocatable: {'example.com/gpu': '1'}},
    pod: asks({'example.com/gpu': '2'}),
    said: 'Insufficient example.com/gpu',
  },
  'no pods at all': {node: {allocatable: {pods: '0'}}, pod: {}, said: 'Too many pods'},
  'overhead counts': {node: {}, pod: asks({cpu: '4'}, {overhead: {cpu: '1m'}}), said: 'Insufficient cpu'},
  'init containers run one by one': {
    node: {},
    pod: {...asks({cpu: '3'}), initContainers: [1, 2].map((index) => ({name: `i${index}`, resources: {requests: {cpu: '4'}}}))},
  },
  'sidecars run beside': {
    node: {},
    pod: {...asks({cpu: '3'}), initContainers: [{name: 's', restartPolicy: 'Always', resources: {requests: {cpu: '1500m'}}}]},
    said: 'Insufficient cpu',
  },
  'a pod as a whole': {node: {}, pod: asks({cpu: '1'}, {resources: {requests: {cpu: '5'}}}), said: 'Insufficient cpu'},
  cordoned: {node: {spec: {unschedulable: true}}, pod: {}, said: 'node(s) were unschedulable'},
  'cordoned and tolerated': {
    node: {spec: {unschedulable: true}},
    pod: {tolerations: [{key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule'}]},
  },
  tainted: {node: {spec: taint('k', 'NoSchedule')}, pod: {}, said: untolerated},
  'tainted for those that run': {node: {spec: taint('k', 'NoExecute')}, pod: {}, said: untolerated},
  'a taint that only advises': {node: {spec: taint('k', 'PreferNoSchedule')}, pod: {}},
  'a tolerated value': {node: {spec: taint('k', 'NoSchedule', 'v')}, pod: {tolerations: [{key: 'k', value: 'v'}]}},
  'another value': {node: {spec: taint('k', 'NoSchedule', 'v')}, pod: {tolerations: [{key: 'k', value: 'w'}]}, said: untolerated},
  'another effect': {
    node: {spec: taint('k', 'NoSchedule')},
    pod: {tolerations: [{operator: 'Exists', effect: 'NoExecute'}]},
    said: untolerated,
  },
  'everything tolerated': {node: {spec: taint('k', 'NoExecute')}, pod: {tolerations: [{operator: 'Exists'}]}},
  'a label of the node': {node: {labels: {disk: 'ssd'}}, pod: {nodeSelector: {disk: 'ssd'}}},
  'no such label': {node: {}, pod: {nodeSelector: {disk: 'ssd'}}, said: elsewhere},
  'a term without requirements': {node: {}, pod: affinity({}), said: elsewhere},
  'one of two terms': {
    node: {labels: {disk: 'ssd'}},
    pod: affinity(
      {matchExpressions: [{key: 'x', operator: 'Exists'}]},
      {matchExpressions: [{key: 'disk', operator: 'In', values: ['hdd', 'ssd']}]},
    ),
  },
  'greater than': {node: {labels: {cores: '16'}}, pod: affinity({matchExpressions: [{key: 'cores', operator: 'Gt', values: ['8']}]})},
  'not less than': {
    node: {labels: {cores: '16'}},
    pod: affinity({matchExpressions: [{key: 'cores', operator: 'Lt', values: ['8']}]}),
    said: elsewhere,
  },
  'not in, without the label': {node: {}, pod: affinity({matchExpressions: [{key: 'x', operator: 'NotIn', values: ['y']}]})},
};

for (const [title, {node, pod, said}] of Object.entries(ofNodes)) {
  test(`a node and a pod: ${title}`, (t) => {
    const table = new ClusterTable({n: node});
    t.deepEqual(verdicts(table, table.pod(pod)), said === undefined ? {} : {n: said});
  });
}

test('names in terms limit where a pod is looked for, and may contradict each other', (t) => {
  const table = new ClusterTable({a: {}, b: {}});
  const named = (...values: string[]) => ({key: 'metadata.name', operator: 'In', values});
  const one = new PreparedPod(table.pod(affinity({matchFields: [named('a')]})), table.profile, table.cluster);
  t.deepEqual([...one.only!.nodes], ['a']);
  t.deepEqual(verdicts(table, table.pod(affinity({matchFields: [named('a'), named('b')]}))), {'*': 'pod affinity terms conflict'});
});

test('a port of a node is taken once for each address and protocol', (t) => {
  const table = new ClusterTable({a: {}});
  const on = (hostPort: number, more: object = {}): PodSpec => ({
    containers: [{name: 'c', ports: [{containerPort: 80, hostPort, ...more}]}],
  });
  const taken = {a: "node(s) didn't have free ports for the requested pod ports"};
  table.place('a', on(80, {hostIP: '10.0.0.1'}));
  t.deepEqual(verdicts(table, table.pod(on(80))), taken);
  t.deepEqual(verdicts(table, table.pod(on(80, {hostIP: '10.0.0.1'}))), taken);
  t.deepEqual(verdicts(table, table.pod(on(80, {hostIP: '10.0.0.2'}))), {});
  t.deepEqual(verdicts(table, table.pod(on(80, {protocol: 'UDP'}))), {});
  t.deepEqual(verdicts(table, table.pod(on(81))), {});
});

const labelSelector = {matchLabels: {app: 'web'}};
const podTerm = (kind: 'podAffinity' | 'podAntiAffinity', topologyKey: string, more: object = {}): PodSpec =>
  ({affinity: {[kind]: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey, labelSelector, ...more}]}}}) as PodSpec;
const zones = {a: {labels: {[zone]: '1'}}, b: {labels: {[zone]: '1'}}, c: {labels: {[zone]: '2'}}, d: {}};

test('affinity to pods is to the zone that they are in; the first of many starts anywhere', (t) => {
  const table = new ClusterTable(zones);
  const notNear = "node(s) didn't match pod affinity rules";
  const near = podTerm('podAffinity', zone);
  t.deepEqual(verdicts(table, table.pod(near)), {a: notNear, b: notNear, c: notNear, d: notNear});
  t.deepEqual(verdicts(table, table.pod(near, {app: 'web'})), {d: notNear});
  table.place('a', {}, {app: 'web'});
  t.deepEqual(verdicts(table, table.pod(near)), {c: notNear, d: notNear});
  t.deepEqual(verdicts(table, table.pod(podTerm('podAffinity', zone, {namespaces: ['other']}))), {
    a: notNear,
    b: notNear,
    c: notNear,
    d: notNear,
  });
  t.deepEqual(verdicts(table, table.pod(podTerm('podAffinity', zone, {namespaceSelector: {matchLabels: {team: 'a'}}}))), {
    c: notNear,
    d: notNear,
  });
});

test('anti-affinity keeps pods apart from both sides', (t) => {
  const table = new ClusterTable(zones);
  table.place('a', podTerm('podAntiAffinity', hostname), {app: 'web'});
  const far = table.pod(podTerm('podAntiAffinity', zone));
  t.deepEqual(verdicts(table, far), {a: "node(s) didn't match pod anti-affinity rules", b: "node(s) didn't match pod anti-affinity rules"});
  t.deepEqual(verdicts(table, table.pod({}, {app: 'web'})), {a: "node(s) didn't satisfy existing pods anti-affinity rules"});
  t.deepEqual(verdicts(table, table.pod({}, {app: 'db'})), {});
});

test('spread allows a skew between the parts of the cluster, and needs their label', (t) => {
  const table = new ClusterTable(zones);
  const skewed = "node(s) didn't match pod topology spread constraints";
  const spread = (more: object = {}): PodSpec => ({
    topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: 'DoNotSchedule', labelSelector, ...more}],
  });
  const unlabelled = {d: `${skewed} (missing required label)`};
  const web = {app: 'web'};
  t.deepEqual(verdicts(table, table.pod(spread(), web)), unlabelled);
  table.place('b', {}, web);
  t.deepEqual(verdicts(table, table.pod(spread(), web)), {a: skewed, b: skewed, ...unlabelled});
  t.deepEqual(verdicts(table, table.pod(spread({maxSkew: 2}), web)), unlabelled);
  t.deepEqual(verdicts(table, table.pod(spread(), {app: 'other'})), unlabelled);
  t.deepEqual(verdicts(table, table.pod(spread({minDomains: 3, maxSkew: 1}), web)), {a: skewed, b: skewed, ...unlabelled});
  table.place('c', {}, web);
  t.deepEqual(verdicts(table, table.pod(spread(), web)), unlabelled);
  t.deepEqual(verdicts(table, table.pod(spread({minDomains: 3}), web)), {a: skewed, b: skewed, c: skewed, ...unlabelled});
});

test('claims must be there and bound, their volumes within reach', (t) => {
  const claims: Record<string, PersistentVolumeClaim> = {
    bound: {metadata: {name: 'bound', annotations: {'pv.kubernetes.io/bind-completed': 'yes'}}, spec: {volumeName: 'v'}},
    lost: {metadata: {name: 'lost'}, spec: {volumeName: 'gone'}, status: {phase: 'Lost'}},
    open: {metadata: {name: 'open'}, spec: {}},
  };
  const terms = [{matchExpressions: [{key: hostname, operator: 'In', values: ['a']}]}];
  const volume: PersistentVolume = {metadata: {name: 'v', labels: {}}, spec: {nodeAffinity: {required: {nodeSelectorTerms: terms}}}};
  const table = new ClusterTable(
    {a: {}, b: {}},
    {...noStorage, claim: (_namespace, name) => claims[name], volume: (name) => (name === 'v' ? volume : undefined)},
  );
  const using = (claimName: string) => table.pod({volumes: [{name: 'v', persistentVolumeClaim: {claimName}}]});
  t.deepEqual(verdicts(table, using('bound')), {b: "node(s) didn't match PersistentVolume's node affinity"});
  t.deepEqual(verdicts(table, using('none')), {'*': 'persistentvolumeclaim "none" not found'});
  t.deepEqual(verdicts(table, using('lost')), {'*': 'persistentvolumeclaim "lost" bound to non-existent persistentvolume "gone"'});
  t.deepEqual(verdicts(table, using('open')), {'*': 'pod has unbound immediate PersistentVolumeClaims'});
});

test('a claim that waits for its pod is bound on nodes from which a free volume can be reached, or where one can be made', (t) => {
  const claim = (name: string, storageClassName: string): PersistentVolumeClaim => ({
    metadata: {name, namespace: 'default'},
    spec: {storageClassName, accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}},
  });
  const claims: Record<string, PersistentVolumeClaim> = {
    local: claim('local', 'local'),
    made: claim('made', 'made'),
    small: claim('small', 'local'),
  };
  claims['small']!.spec!.resources!.requests!['storage'] = '9Gi';
  const on = (name: string, node: string): PersistentVolume => ({
    metadata: {name},
    spec: {
      storageClassName: 'local',
      accessModes: ['ReadWriteOnce'],
      capacity: {storage: '5Gi'},
      nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: hostname, operator: 'In', values: [node]}]}]}},
    },
    status: {phase: 'Available'},
  });
  const reserved = new Map([['on-b', 'default/other']]);
  const nodes = new Map<string, string>();
  const table = new ClusterTable(
    {a: {labels: {rack: 'one'}}, b: {labels: {rack: 'two'}}, c: {labels: {rack: 'two'}}},
    {
      ...noStorage,
      claim: (_namespace, name) => claims[name],
      freeVolumes: () => [on('on-a', 'a'), on('on-b', 'b')],
      reservedFor: (name) => reserved.get(name),
      reservedNode: (key) => nodes.get(key),
      storageClass: (name) => ({
        metadata: {name},
        volumeBindingMode: 'WaitForFirstConsumer',
        provisioner: name === 'local' ? 'kubernetes.io/no-provisioner' : 'simulate.orch/disk',
        allowedTopologies: [{matchLabelExpressions: [{key: 'rack', values: ['two']}]}],
      }),
    },
  );
  const using = (claimName: string) => table.pod({volumes: [{name: 'v', persistentVolumeClaim: {claimName}}]});
  const none = "node(s) didn't find available persistent volumes to bind";
  t.deepEqual(verdicts(table, using('local')), {b: none, c: none});
  reserved.clear();
  t.deepEqual(verdicts(table, using('local')), {c: none});
  t.deepEqual(verdicts(table, using('small')), {a: none, b: none, c: none});
  t.deepEqual(verdicts(table, using('made')), {a: none});
  nodes.set('default/made', 'c');
  t.deepEqual(verdicts(table, using('made')), {a: none, b: none});
});

test('a node attaches no more volumes of a driver than the driver says, each counted once, also those that are attached besides', (t) => {
  const volume = (name: string, driver: string): PersistentVolume => ({
    metadata: {name},
    spec: {csi: {driver, volumeHandle: name}},
  });
  const volumes = new Map(
    [volume('one', 'disk'), volume('two', 'disk'), volume('three', 'disk'), volume('tape', 'tape')].map((each) => [
      each.metadata.name!,
      each,
    ]),
  );
  const claim = (name: string, volumeName: string): PersistentVolumeClaim => {
    const annotations: Record<string, string> = volumeName === '' ? {} : {'pv.kubernetes.io/bind-completed': 'yes'};
    return {metadata: {name, namespace: 'default', annotations}, spec: {storageClassName: 'waits', volumeName}};
  };
  const claims = new Map([...[...volumes.keys()].map((name) => [name, claim(name, name)] as const), ['open', claim('open', '')] as const]);
  const attached: string[] = [];
  let isRequired = false;
  const table = new ClusterTable(
    {a: {}, b: {}},
    {
      ...noStorage,
      claim: (_namespace, name) => claims.get(name),
      volume: (name) => volumes.get(name),
      storageClass: (name) => ({metadata: {name}, provisioner: 'disk', volumeBindingMode: 'WaitForFirstConsumer'}),
      driver: (name) => ({metadata: {name}, spec: {preventPodSchedulingIfMissing: isRequired}}),
      csiNode: (node) =>
        node === 'a'
          ? {
              metadata: {name: node},
              spec: {
                drivers: [
                  {name: 'disk', nodeID: node, allocatable: {count: 2}},
                  {name: 'tape', nodeID: node},
                ],
              },
            }
          : undefined,
      attachments: () =>
        attached.map((name) => ({
          metadata: {name},
          spec: {attacher: 'disk', nodeName: 'a', source: {persistentVolumeName: name}},
          status: {attached: true},
        })),
    },
  );
  const spec = (...names: string[]): PodSpec => ({
    volumes: names.map((claimName) => ({name: claimName, persistentVolumeClaim: {claimName}})),
  });
  const using = (...names: string[]) => table.pod(spec(...names));
  const most = 'node(s) exceed max volume count';
  t.deepEqual(verdicts(table, using('one', 'two')), {});
  t.deepEqual(verdicts(table, using('one', 'two', 'three')), {a: most});
  t.deepEqual(verdicts(table, using('one', 'two', 'open')), {a: most}, 'one that is still to be made counts');
  table.place('a', spec('one'));
  t.deepEqual(verdicts(table, using('one', 'two')), {}, 'used twice, attached once');
  t.deepEqual(verdicts(table, using('two', 'three')), {a: most});
  attached.push('one');
  t.deepEqual(verdicts(table, using('two')), {});
  attached.push('three');
  t.deepEqual(verdicts(table, using('two')), {a: most});
  t.deepEqual(verdicts(table, using('tape')), {}, 'without a limit');
  isRequired = true;
  t.deepEqual(verdicts(table, using('tape')), {b: 'tape CSI driver is not installed on the node'});
});
