import type {Event, Node} from '@orch-api/orch/types/unchecked/core/v1';
import type {VolumeAttachment} from '@orch-api/orch/types/unchecked/storage/v1';
import {testOnCluster, type SimulatedCluster} from '../simulated-nodes/cluster.js';

const clusterTest = testOnCluster(2);

const core = '/api/v1/namespaces/default';
const attachments = '/apis/storage.k8s.io/v1/volumeattachments';

async function claim(cluster: SimulatedCluster, name: string, spec: object = {}): Promise<void> {
  const whole = {accessModes: ['ReadWriteOnce'], storageClassName: 'disk', resources: {requests: {storage: '1Gi'}}, ...spec};
  await cluster.create(`${core}/persistentvolumeclaims`, {metadata: {name}, spec: whole});
}

const using = (claimName: string, nodeName: string) => ({
  nodeName,
  volumes: [{name: 'data', persistentVolumeClaim: {claimName}}],
  containers: [{name: 'main', image: 'registry.example.com/app:1', volumeMounts: [{name: 'data', mountPath: '/data'}]}],
});

/** `NODE ATTACHER ATTACHED` of the attachments. */
async function attached(cluster: SimulatedCluster): Promise<string[]> {
  await cluster.server.settled();
  const {items} = await cluster.get<{items: VolumeAttachment[]}>(attachments);
  return items.map(({spec, status}) => `${spec!.nodeName} ${spec!.attacher} ${status?.attached ?? false}`).toSorted();
}

async function onNode(cluster: SimulatedCluster, name: string): Promise<string[]> {
  const {status} = await cluster.get<Node>(`/api/v1/nodes/${name}`);
  return (status!.volumesAttached ?? []).map((volume) => volume.name!);
}

async function attachEvents(cluster: SimulatedCluster, pod: string): Promise<string[]> {
  await cluster.server.settled();
  const {items} = await cluster.get<{items: (Event & {involvedObject: {name?: string}})[]}>(`${core}/events`);
  const own = items.filter(({involvedObject, source}) => involvedObject.name === pod && source?.component === 'attachdetach-controller');
  return own.map(({type, reason, message}) => `${type} ${reason}: ${message}`);
}

clusterTest('a simulated volume is attached to the node of its pods, and to another one when these are gone', async (t, cluster) => {
  await cluster.create('/apis/storage.k8s.io/v1/storageclasses', {metadata: {name: 'disk'}, provisioner: 'simulate.orch/disk'});
  await claim(cluster, 'data');
  await cluster.server.settled();
  const {spec} = await cluster.get<{spec: {volumeName: string}}>(`${core}/persistentvolumeclaims/data`);
  await cluster.pod('first', {}, using('data', 'node-1'));
  t.deepEqual(await attached(cluster), ['node-1 disk.simulate.orch true']);
  const unique = `kubernetes.io/csi/disk.simulate.orch^${spec.volumeName}`;
  t.deepEqual(await onNode(cluster, 'node-1'), [unique]);
  t.deepEqual(await attachEvents(cluster, 'first'), [
    `Normal SuccessfulAttachVolume: AttachVolume.Attach succeeded for volume "${spec.volumeName}" `,
  ]);
  await cluster.pod('second', {}, using('data', 'node-2'));
  t.deepEqual(await attached(cluster), ['node-1 disk.simulate.orch true']);
  t.deepEqual(await attachEvents(cluster, 'second'), [
    `Warning FailedAttachVolume: Multi-Attach error for volume "${spec.volumeName}" Volume is already used by pod(s) first`,
  ]);
  await cluster.remove(`${core}/pods/first?gracePeriodSeconds=0`);
  await cluster.server.advance(10_000);
  t.deepEqual(await attached(cluster), ['node-2 disk.simulate.orch true']);
  t.deepEqual([await onNode(cluster, 'node-1'), await onNode(cluster, 'node-2')], [[], [unique]]);
  await cluster.remove(`${core}/pods/second?gracePeriodSeconds=0`);
  t.deepEqual(await attached(cluster), []);
});

clusterTest('volumes of other drivers wait for these, and those that need no attachment get none', async (t, cluster) => {
  const volume = (name: string, driver: string) =>
    cluster.create('/api/v1/persistentvolumes', {
      metadata: {name},
      spec: {
        accessModes: ['ReadWriteMany'],
        capacity: {storage: '1Gi'},
        storageClassName: '',
        csi: {driver, volumeHandle: name},
        claimRef: {namespace: 'default', name},
      },
    });
  await cluster.create('/apis/storage.k8s.io/v1/csidrivers', {metadata: {name: 'files.example.com'}, spec: {attachRequired: false}});
  await volume('block', 'block.example.com');
  await volume('files', 'files.example.com');
  for (const name of ['block', 'files'])
    await claim(cluster, name, {accessModes: ['ReadWriteMany'], storageClassName: '', volumeName: name});
  await cluster.server.settled();
  await cluster.pod('writer', {}, using('block', 'node-1'));
  await cluster.pod('reader', {}, using('files', 'node-1'));
  t.deepEqual(await attached(cluster), ['node-1 block.example.com false']);
  t.deepEqual(await onNode(cluster, 'node-1'), []);
  const {items} = await cluster.get<{items: VolumeAttachment[]}>(attachments);
  await cluster.patch(`${attachments}/${items[0]!.metadata.name}/status`, {status: {attached: true}});
  await cluster.server.settled();
  t.deepEqual(await onNode(cluster, 'node-1'), ['kubernetes.io/csi/block.example.com^block']);
});

clusterTest('a volume that its driver cannot attach, or does not in time, is told of again and again', async (t, cluster) => {
  await cluster.create('/api/v1/persistentvolumes', {
    metadata: {name: 'stuck'},
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: {storage: '1Gi'},
      storageClassName: '',
      csi: {driver: 'slow.example.com', volumeHandle: 'handle'},
      claimRef: {namespace: 'default', name: 'stuck'},
    },
  });
  await claim(cluster, 'stuck', {storageClassName: '', volumeName: 'stuck'});
  await cluster.server.settled();
  await cluster.pod('stuck', {}, using('stuck', 'node-1'));
  const told = async () => {
    await cluster.server.settled();
    const {items} = await cluster.get<{items: {reason: string; message: string; count: number; involvedObject: {name: string}}[]}>(
      `${core}/events`,
    );
    const own = items.filter(({reason, involvedObject}) => reason === 'FailedAttachVolume' && involvedObject.name === 'stuck');
    return Object.fromEntries(own.map(({message, count}) => [message, count]));
  };
  await cluster.server.settled();
  await cluster.server.advance(100_000);
  t.deepEqual(await told(), {});
  await cluster.server.advance(25_000);
  const start = 'AttachVolume.Attach failed for volume "stuck" :';
  const late = `${start} timed out waiting for external-attacher of slow.example.com CSI driver to attach volume handle`;
  t.deepEqual(await told(), {[late]: 1});
  const {items} = await cluster.get<{items: VolumeAttachment[]}>(attachments);
  const {name: attachment} = items.find(({spec}) => spec!.source?.persistentVolumeName === 'stuck')!.metadata;
  const status = {attached: false, attachError: {time: '2026-01-01T00:00:00Z', message: 'no slot is free'}};
  await cluster.patch(`${attachments}/${attachment}/status`, {status});
  await cluster.server.settled();
  await cluster.server.advance(8000);
  // At once, and after 1, 2 and 4 seconds.
  t.deepEqual(await told(), {[late]: 1, [`${start} no slot is free`]: 4});
  await cluster.patch(`${attachments}/${attachment}/status`, {status: {attached: true, attachError: null}});
  t.is((await cluster.settledPod('stuck')).status!.phase, 'Running');
  await cluster.remove(`${core}/pods/stuck?gracePeriodSeconds=0`);
});

clusterTest('a pod waits until its volume is bound, and is attached to its node', async (t, cluster) => {
  const cores = '/apis/storage.k8s.io/v1';
  await cluster.create(`${cores}/storageclasses`, {metadata: {name: 'other'}, provisioner: 'other.example.com'});
  await claim(cluster, 'late', {storageClassName: 'other'});
  await cluster.pod('waiting', {}, using('late', 'node-1'));
  const waits = async (text: string) => {
    const {status = {}} = await cluster.settledPod('waiting');
    t.is(status.phase, 'Pending', text);
    t.is(status.podIP, undefined, text);
    t.is(status.containerStatuses![0]!.state!.waiting!.reason, 'ContainerCreating', text);
    const conditions = Object.fromEntries(status.conditions!.map((condition) => [condition.type, condition.status]));
    t.like(conditions, {PodReadyToStartContainers: 'False', Ready: 'False', Initialized: 'True'}, text);
  };
  await waits('a claim without a volume');
  const csi = {driver: 'other.example.com', volumeHandle: 'one'};
  await cluster.create('/api/v1/persistentvolumes', {
    metadata: {name: 'one'},
    spec: {capacity: {storage: '1Gi'}, accessModes: ['ReadWriteOnce'], storageClassName: 'other', csi},
  });
  await waits('a volume that nobody attaches');
  const {items} = await cluster.get<{items: VolumeAttachment[]}>(attachments);
  const {name: attachment} = items.find(({spec}) => spec!.source?.persistentVolumeName === 'one')!.metadata;
  await cluster.patch(`${attachments}/${attachment}/status`, {status: {attached: true}});
  t.is((await cluster.settledPod('waiting')).status!.phase, 'Running');
  await cluster.patch(`${attachments}/${attachment}/status`, {status: {attached: false}});
  t.is((await cluster.settledPod('waiting')).status!.phase, 'Running', 'it has begun');
  await cluster.remove(`${core}/pods/waiting?gracePeriodSeconds=0`);
});

clusterTest('volumes of drivers that attach none are not waited for', async (t, cluster) => {
  await cluster.create('/apis/storage.k8s.io/v1/csidrivers', {metadata: {name: 'shared.example.com'}, spec: {attachRequired: false}});
  await cluster.create('/api/v1/persistentvolumes', {
    metadata: {name: 'shared'},
    spec: {
      capacity: {storage: '1Gi'},
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'shared',
      csi: {driver: 'shared.example.com', volumeHandle: 'shared'},
    },
  });
  await claim(cluster, 'shared', {storageClassName: 'shared'});
  await cluster.pod('sharing', {}, using('shared', 'node-1'));
  t.is((await cluster.settledPod('sharing')).status!.phase, 'Running');
});

clusterTest('attachments that others make are left alone', async (t, cluster) => {
  await cluster.create('/api/v1/persistentvolumes', {
    metadata: {name: 'by-hand'},
    spec: {capacity: {storage: '1Gi'}, accessModes: ['ReadWriteOnce'], csi: {driver: 'other.example.com', volumeHandle: 'by-hand'}},
  });
  const spec = {attacher: 'other.example.com', nodeName: 'node-1', source: {persistentVolumeName: 'by-hand'}};
  await cluster.create(attachments, {metadata: {name: 'by-hand'}, spec});
  await cluster.server.settled();
  await cluster.patch(`${attachments}/by-hand/status`, {status: {attached: true}});
  await cluster.server.settled();
  t.like(await cluster.get<VolumeAttachment>(`${attachments}/by-hand`), {status: {attached: true}});
  t.false((await onNode(cluster, 'node-1')).some((name) => name.includes('by-hand')));
});

clusterTest('a pod whose claim or volume somebody else has just changed gets its volume at once', async (t, cluster) => {
  const late = {volumeBindingMode: 'WaitForFirstConsumer'};
  const node = {required: {nodeSelectorTerms: [{matchExpressions: [{key: 'kubernetes.io/hostname', operator: 'Exists'}]}]}};
  await cluster.create('/apis/storage.k8s.io/v1/storageclasses', {metadata: {name: 'chosen'}, provisioner: 'simulate.orch/disk', ...late});
  await cluster.create('/apis/storage.k8s.io/v1/storageclasses', {
    metadata: {name: 'found'},
    provisioner: 'kubernetes.io/no-provisioner',
    ...late,
  });
  await cluster.create('/api/v1/persistentvolumes', {
    metadata: {name: 'found'},
    spec: {
      capacity: {storage: '1Gi'},
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'found',
      local: {path: '/data'},
      nodeAffinity: node,
    },
  });
  for (const [name, resource] of [
    ['chosen', 'persistentvolumeclaims'],
    ['found', 'persistentvolumes'],
  ] as const) {
    await claim(cluster, name, {storageClassName: name});
    await cluster.server.settled();
    using _conflict = cluster.server.faults.conflict({resource});
    await cluster.pod(name, {}, {...using(name, ''), nodeName: undefined});
    t.is((await cluster.settledPod(name)).status!.phase, 'Running', name);
    await cluster.remove(`${core}/pods/${name}?gracePeriodSeconds=0`);
  }
});
