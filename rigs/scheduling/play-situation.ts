import {eventually} from '../../test/helpers/eventually.js';
import type {ResourceClaim} from '../../sdk/types/unchecked/resource/v1.js';
import type {Pod} from '../../sdk/types/unchecked/core/v1.js';
import type {ClusterClient} from '../workloads/cluster.js';
import type {DeviceRows, NodeRow, PodRow, Situation} from './situation.js';
import {podOf} from './situations.js';

const driver = 'disk.example.com';
const devicesApi = '/apis/resource.k8s.io/v1';
const podName = 'x';

/** What has become of the pod of a situation. */
export interface Outcome {
  readonly node?: string;
  readonly nominated?: string;
  /** `TYPE STATUS REASON MESSAGE`. */
  readonly conditions: readonly string[];
  /** Of it, and of pods that leave for it: `TYPE REASON ACTION NOTE`, and who says so of what. */
  readonly events: readonly string[];
  /** Conditions of pods that leave for it. */
  readonly leaving: readonly string[];
  /** What claims of devices have got, and for how many pods; absent without claims. */
  readonly claims?: readonly string[];
  /** `CONTAINER RESOURCE REQUEST` of what it asks for by names of resources and has got by a claim. */
  readonly mappings?: readonly string[];
}

/** The classes of priority that pods of situations name. */
export async function makePriorities(client: ClusterClient): Promise<void> {
  const path = '/apis/scheduling.k8s.io/v1/priorityclasses';
  for (const [name, value, preemptionPolicy] of [
    ['low', -10],
    ['high', 1000],
    ['never', 1000, 'Never'],
  ] as const)
    await must(client.post(path, {metadata: {name}, value, ...(preemptionPolicy ? {preemptionPolicy} : {})}));
}

/** A situation on a server: its nodes and pods are made, and taken away at the end. */
export class PlayedSituation implements AsyncDisposable {
  readonly #client: ClusterClient;
  readonly #situation: Situation;
  readonly #namespace: string;
  #uid = '';

  private constructor(client: ClusterClient, situation: Situation) {
    this.#client = client;
    this.#situation = situation;
    this.#namespace = situation.name.replaceAll(/\W+/g, '-');
  }

  /**
   * Resolves when the pod that is to be decided about has been made.
   *
   * @param seen resolves when the scheduler knows what was made before
   */
  static async open(client: ClusterClient, situation: Situation, seen: () => Promise<unknown>): Promise<PlayedSituation> {
    const played = new PlayedSituation(client, situation);
    await played.#make(seen);
    return played;
  }

  /** How things are now. */
  async look(): Promise<Outcome> {
    const pod = await this.#pod(podName);
    const {items} = (await this.#client.get(`/apis/events.k8s.io/v1/namespaces/${this.#namespace}/events`)).json<{items: StoredEvent[]}>();
    const said = items
      .filter(({reason, regarding}) => regarding?.name === podName || reason === 'Preempted')
      .map(({type, reason, action, note, reportingController, regarding, related}) =>
        [
          type,
          reason,
          action,
          note?.replaceAll(this.#uid, 'UID'),
          `(${reportingController} of ${regarding?.name} ${related?.name ?? ''})`,
        ].join(' '),
      );
    const others = await Promise.all(Object.keys(this.#situation.before ?? {}).map((name) => this.#pod(name)));
    const {nodeName} = pod.spec ?? {};
    const {nominatedNodeName, extendedResourceClaimStatus} = pod.status ?? {};
    return {
      ...(nodeName ? {node: nodeName} : {}),
      ...(nominatedNodeName ? {nominated: nominatedNodeName} : {}),
      conditions: conditionsOf(pod),
      events: [...new Set(said)].toSorted(),
      leaving: others.flatMap((other) => conditionsOf(other).filter((text) => text.startsWith('DisruptionTarget'))),
      ...(this.#situation.devices ? {claims: await this.#claims()} : {}),
      ...(extendedResourceClaimStatus
        ? {
            mappings: extendedResourceClaimStatus.requestMappings?.map(({containerName, resourceName, requestName}) =>
              [containerName, resourceName, requestName].join(' '),
            ),
          }
        : {}),
    };
  }

  async #claims(): Promise<string[]> {
    return (await this.#allClaims()).map(({metadata, spec, status}) => {
      const {devices, nodeSelector} = status?.allocation ?? {};
      const results = (devices?.results ?? []).map(({request, pool, device, shareID, consumedCapacity, bindingConditions}) =>
        [
          `${request} ${pool}/${device}`,
          ...(shareID ? [`shared ${JSON.stringify(sorted(consumedCapacity ?? {}))}`] : []),
          ...(bindingConditions?.length ? [`when ${bindingConditions.join('+')}`] : []),
        ].join(' '),
      );
      // Names and uids that are made at random are left out.
      const made = metadata.generateName && {
        ...metadata.annotations,
        of: metadata.ownerReferences?.map(({kind, name, controller, blockOwnerDeletion}) => [kind, name, controller, blockOwnerDeletion]),
        requests: spec?.devices?.requests,
      };
      const name = made ? `${metadata.generateName}* ${JSON.stringify(sorted(made))}` : metadata.name;
      return `${name}: ${results.join(', ')} for ${status?.reservedFor?.length ?? 0} ${JSON.stringify(nodeSelector ?? {})}`;
    });
  }

  async #allClaims(): Promise<ResourceClaim[]> {
    const {items} = (await this.#client.get(`${devicesApi}/namespaces/${this.#namespace}/resourceclaims`)).json<{items: ResourceClaim[]}>();
    return items;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const {nodes, volumes = {}, before = {}, devices} = this.#situation;
    for (const name of [podName, ...Object.keys(before)]) await this.#client.delete(`${this.#path('pods')}/${name}?gracePeriodSeconds=0`);
    for (const name of Object.keys(nodes)) {
      await this.#client.delete(`/api/v1/nodes/${name}`);
      await this.#client.delete(`/apis/storage.k8s.io/v1/csinodes/${name}`);
    }
    for (const name of Object.keys(volumes)) await this.#client.delete(`/api/v1/persistentvolumes/${this.#volume(name)}`);
    for (const {metadata} of devices ? await this.#allClaims() : []) {
      const path = `${devicesApi}/namespaces/${this.#namespace}/resourceclaims/${metadata.name}`;
      await this.#client.patch(path, {metadata: {finalizers: null}});
      await this.#client.delete(path);
    }
    for (const name of Object.keys(devices?.pools ?? {})) await this.#client.delete(`${devicesApi}/resourceslices/${name}`);
    for (const name of Object.keys(devices?.classes ?? {})) await this.#client.delete(`${devicesApi}/deviceclasses/${name}`);
    await this.#client.delete(`/api/v1/namespaces/${this.#namespace}`);
  }

  async #make(seen: () => Promise<unknown>): Promise<void> {
    const {nodes, volumes = {}, unbound = [], before = {}, devices, pod} = this.#situation;
    await must(this.#client.post('/api/v1/namespaces', {metadata: {name: this.#namespace}}));
    for (const [name, row] of Object.entries(nodes)) await this.#makeNode(name, row);
    for (const [name, row] of Object.entries(volumes)) await this.#makeVolume(name, row);
    for (const name of unbound) await this.#makeClaim(name, {});
    if (devices) await this.#makeDevices(devices);
    for (const [name, row] of Object.entries(before)) {
      await this.#makePod(name, row);
      await eventually(
        () => this.#pod(name),
        ({spec}) => spec?.nodeName !== undefined,
      );
    }
    await seen();
    this.#uid = (await this.#makePod(podName, pod)).metadata.uid!;
  }

  async #makeNode(name: string, {allocatable = {}, labels = {}, taints, unschedulable = false, volumes}: NodeRow): Promise<void> {
    const path = '/api/v1/nodes';
    const amounts = {cpu: '4', memory: '8Gi', pods: '10', 'ephemeral-storage': '10Gi', ...allocatable};
    if (volumes !== undefined) {
      const drivers = [{name: driver, nodeID: name, allocatable: {count: volumes}}];
      await must(this.#client.post('/apis/storage.k8s.io/v1/csinodes', {metadata: {name}, spec: {drivers}}));
    }
    // Nothing is placed there before all is said.
    await must(
      this.#client.post(path, {metadata: {name, labels: {'kubernetes.io/hostname': name, ...labels}}, spec: {unschedulable: true}}),
    );
    await must(this.#client.patch(`${path}/${name}/status`, {status: {allocatable: amounts, capacity: amounts}}));
    await must(this.#client.patch(`${path}/${name}`, {spec: {taints: taints ?? null, unschedulable: unschedulable || null}}));
  }

  async #makeVolume(name: string, {accessMode = 'ReadWriteOnce', node}: {accessMode?: string; node?: string}): Promise<void> {
    const terms = [{matchExpressions: [{key: 'kubernetes.io/hostname', operator: 'In', values: [node]}]}];
    await must(
      this.#client.post('/api/v1/persistentvolumes', {
        metadata: {name: this.#volume(name)},
        spec: {
          capacity: {storage: '1Gi'},
          accessModes: [accessMode],
          csi: {driver, volumeHandle: this.#volume(name)},
          claimRef: {namespace: this.#namespace, name},
          ...(node === undefined ? {} : {nodeAffinity: {required: {nodeSelectorTerms: terms}}}),
        },
      }),
    );
    await this.#makeClaim(name, {accessModes: [accessMode], volumeName: this.#volume(name)});
  }

  async #makeClaim(name: string, spec: object): Promise<void> {
    const annotations = {'pv.kubernetes.io/bind-completed': 'yes'};
    await must(
      this.#client.post(this.#path('persistentvolumeclaims'), {
        metadata: {name, ...('volumeName' in spec ? {annotations} : {})},
        spec: {accessModes: ['ReadWriteOnce'], storageClassName: '', resources: {requests: {storage: '1Gi'}}, ...spec},
      }),
    );
  }

  async #makeDevices({classes, resources = {}, pools, claims}: DeviceRows): Promise<void> {
    for (const [name, expression] of Object.entries(classes)) {
      const extendedResourceName = resources[name];
      const spec = {selectors: [{cel: {expression}}], ...(extendedResourceName ? {extendedResourceName} : {})};
      await must(this.#client.post(`${devicesApi}/deviceclasses`, {metadata: {name}, spec}));
    }
    for (const [name, {isShared = false, devices}] of Object.entries(pools)) {
      const pool = {name, generation: 1, resourceSliceCount: 1};
      const place = isShared ? {allNodes: true} : {nodeName: name};
      await must(
        this.#client.post(`${devicesApi}/resourceslices`, {metadata: {name}, spec: {driver: 'gpu.example.com', pool, devices, ...place}}),
      );
    }
    for (const [name, asked] of Object.entries(claims))
      await must(
        this.#client.post(`${devicesApi}/namespaces/${this.#namespace}/resourceclaims`, {metadata: {name}, spec: {devices: asked}}),
      );
  }

  async #makePod(name: string, row: PodRow): Promise<Pod> {
    // A namespace that is new may have no account yet.
    const made = await eventually(
      () => this.#client.post(this.#path('pods'), podOf(name, row)),
      ({status}) => status !== 403,
    );
    return (await must(Promise.resolve(made))).json<Pod>();
  }

  async #pod(name: string): Promise<Pod> {
    return (await this.#client.get(`${this.#path('pods')}/${name}`)).json<Pod>();
  }

  #path(resource: string): string {
    return `/api/v1/namespaces/${this.#namespace}/${resource}`;
  }

  #volume(name: string): string {
    return `${this.#namespace}-${name}`;
  }
}

interface StoredEvent {
  readonly type?: string;
  readonly reason?: string;
  readonly action?: string;
  readonly note?: string;
  readonly reportingController?: string;
  readonly regarding?: {readonly name?: string};
  readonly related?: {readonly name?: string};
}

function sorted(members: object): object {
  return Object.fromEntries(Object.entries(members).toSorted());
}

function conditionsOf({status}: Pod): string[] {
  return (status?.conditions ?? [])
    .map(({type, status: is, reason = '', message = ''}) => [type, is, reason, message].join(' ').trim())
    .toSorted();
}

async function must<A extends {readonly status: number; json<T>(): T}>(answer: Promise<A>): Promise<A> {
  const got = await answer;
  if (got.status >= 300) throw new Error(JSON.stringify(got.json()));
  return got;
}
