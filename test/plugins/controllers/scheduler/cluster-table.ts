import {ClusterState} from '../../../../plugins/controllers/scheduler/cluster/cluster-state.js';
import {profilesOf, type Profile} from '../../../../plugins/controllers/scheduler/decision/profile.js';
import {knownPod, type KnownPod} from '../../../../plugins/controllers/scheduler/model/known-pod.js';
import {nodeFacts} from '../../../../plugins/controllers/scheduler/model/node-facts.js';
import {PodShapes} from '../../../../plugins/controllers/scheduler/model/pod-shape.js';
import type {StorageView} from '../../../../plugins/controllers/scheduler/model/storage-view.js';
import {noDevices} from '../../../../plugins/controllers/scheduler/model/device-view.js';
import {rulesOf} from '../../../../plugins/controllers/scheduler/rules.js';
import type {Node, Pod, PodSpec} from '@orch-api/orch/types/unchecked/core/v1';

export const zone = 'topology.kubernetes.io/zone';
export const hostname = 'kubernetes.io/hostname';

const naming = {key: (neutral: string) => neutral.replace(/(^|\.)orch\//, '$1kubernetes.io/')};
/** A cluster without claims and volumes. */
export const noStorage: StorageView = {
  claim: () => undefined,
  volume: () => undefined,
  storageClass: () => undefined,
  driver: () => undefined,
  csiNode: () => undefined,
  attachments: () => [],
  freeVolumes: () => [],
  reservedFor: () => undefined,
  reservedNode: () => undefined,
};

export interface NodeRow {
  readonly labels?: Record<string, string>;
  readonly spec?: Node['spec'];
  readonly allocatable?: Record<string, string>;
  readonly images?: Record<string, number>;
}

/** A cluster in memory, without a server, for tables of cases. */
export class ClusterTable {
  readonly cluster: ClusterState;
  readonly profile: Profile;
  #pods = 0;

  constructor(nodes: Readonly<Record<string, NodeRow>>, storage: StorageView = noStorage) {
    const shapes = new PodShapes({enabled: () => true});
    this.cluster = new ClusterState(shapes, () => ({team: 'a'}), {zone, region: 'topology.kubernetes.io/region'});
    for (const [name, {labels = {}, spec = {}, allocatable = {}, images = {}}] of Object.entries(nodes)) {
      this.cluster.setNode(
        nodeFacts({
          metadata: {name, labels: {[hostname]: name, ...labels}},
          spec,
          status: {
            allocatable: {cpu: '4', memory: '8Gi', pods: '10', ...allocatable},
            images: Object.entries(images).map(([image, sizeBytes]) => ({names: [image], sizeBytes})),
          },
        } as Node),
      );
    }
    const settings = [{schedulerName: 'default-scheduler'}];
    this.profile = profilesOf(settings, rulesOf(naming, {enabled: () => true}, {constraintsFor: () => undefined}, storage, noDevices)).get(
      'default-scheduler',
    )!;
  }

  pod(spec: PodSpec = {}, labels: Record<string, string> = {}, more: Partial<Pod> = {}): KnownPod {
    const name = `p${(this.#pods += 1)}`;
    const whole = {containers: [{name: 'c', image: 'i:1'}], schedulerName: 'default-scheduler', ...spec};
    return knownPod(
      `default/${name}`,
      {metadata: {name, namespace: 'default', uid: name, labels}, spec: whole, ...more},
      this.cluster.shapes,
    )!;
  }

  place(node: string, spec?: PodSpec, labels?: Record<string, string>, more?: Partial<Pod>): KnownPod {
    const pod = this.pod(spec, labels, more);
    this.cluster.place(pod, node);
    return pod;
  }
}

/** A spec of one container that asks for some resources. */
export function asks(requests: Record<string, string>, more: PodSpec = {}): PodSpec {
  return {containers: [{name: 'c', image: 'i:1', resources: {requests}}], ...more};
}
