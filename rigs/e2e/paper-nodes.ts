import {StatusError, types, type Client} from '../../sdk/client/index.js';
import type {Container, ContainerStatus, Pod, PodStatus} from '../../sdk/types/core/v1.js';
import {until} from '../../test/helpers/eventually.js';
import type {Teardown} from '../../test/helpers/temp-folder.js';

/* Nodes on paper: they say that they are ready, that what is bound to them runs, and that what was told to end has ended. Nothing is started. */

const nodes = ['paper-a', 'paper-b'];
const capacity = {cpu: '32', memory: '128Gi', pods: '500', 'ephemeral-storage': '500Gi'};
/** How often nodes say that they are there; the controller manager waits 40 s for it. */
const beatMillis = 10_000;
/** How long the controller manager may take to let pods onto the nodes, in milliseconds. */
const patience = 120_000;

/** Registers the nodes and speaks for them until the end. Resolves when pods can be bound to them. */
export async function startPaperNodes(t: Teardown, client: Client): Promise<void> {
  const api = client.resource(types.core.v1.Node);
  for (const name of nodes) {
    const labels = {'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64'};
    await api.create({metadata: {name, labels}});
  }
  const beat = () => Promise.all(nodes.map((name, index) => renew(client, name, index)));
  await beat();
  const timer = setInterval(() => void beat().catch(report), beatMillis);
  const pods = new PaperPods(client);
  const informer = client.resource(types.core.v1.Pod).informer({onError: report});
  const act = (pod: Pod) => void pods.act(pod).catch(report);
  informer.on({add: act, update: act, delete: (pod) => pods.forget(pod)});
  informer.start();
  t.teardown(async () => {
    clearInterval(timer);
    await informer[Symbol.asyncDispose]();
  });
  await until('the nodes take pods', async () => (await api.list()).items.every(({spec}) => (spec?.taints ?? []).length === 0), patience);
}

const addressOf = (index: number) => `10.0.0.${index + 1}`;
const now = () => new Date().toISOString().replace(/\.\d+/, '');

async function renew(client: Client, name: string, index: number): Promise<void> {
  const condition = (type: string, status: 'True' | 'False') => ({type, status, lastHeartbeatTime: now(), reason: 'Paper', message: ''});
  const pressures = ['MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) => condition(type, 'False'));
  await client
    .resource(types.core.v1.Node)
    .subresource('status')
    .patch(name, 'strategic', {
      status: {
        capacity,
        allocatable: capacity,
        addresses: [
          {type: 'InternalIP', address: addressOf(index)},
          {type: 'Hostname', address: name},
        ],
        conditions: [condition('Ready', 'True'), ...pressures],
      },
    });
  const spec = {holderIdentity: name, leaseDurationSeconds: 40, renewTime: new Date().toISOString().replace('Z', '000Z')};
  await client.resource(types.coordination.v1.Lease, 'kube-node-lease').apply({metadata: {name}, spec}, {fieldManager: name, force: true});
}

/** What nodes say of pods. */
class PaperPods {
  readonly #client: Client;
  /** By uid: those of which it was said already, before their server has shown it. */
  readonly #running = new Set<string>();
  #addresses = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  async act({metadata, spec, status}: Pod): Promise<void> {
    const {name = '', namespace = '', uid = ''} = metadata;
    const node = nodes.indexOf(spec?.nodeName ?? '');
    if (node < 0) return;
    const pods = this.#client.resource(types.core.v1.Pod, namespace);
    if (metadata.deletionTimestamp) {
      if (metadata.deletionGracePeriodSeconds !== 0) await unlessGone(pods.delete(name, {gracePeriodSeconds: 0, preconditions: {uid}}));
    } else if (status?.phase === 'Pending' && !this.#running.has(uid)) {
      this.#running.add(uid);
      await unlessGone(pods.subresource('status').patch(name, 'strategic', {metadata: {uid}, status: this.#statusOf(spec, uid, node)}));
    }
  }

  forget({metadata}: Pod): void {
    this.#running.delete(metadata.uid ?? '');
  }

  #statusOf(spec: Pod['spec'], uid: string, node: number): PodStatus {
    this.#addresses += 1;
    const hostIP = addressOf(node);
    const podIP = `10.200.${this.#addresses >> 8}.${this.#addresses & 255}`;
    const conditions = ['Initialized', 'Ready', 'ContainersReady', 'PodReadyToStartContainers'];
    return {
      phase: 'Running',
      hostIP,
      hostIPs: [{ip: hostIP}],
      podIP,
      podIPs: [{ip: podIP}],
      startTime: now(),
      conditions: conditions.map((type) => ({type, status: 'True', lastTransitionTime: now()})),
      containerStatuses: (spec?.containers ?? []).map((container) => statusOf(container, uid, {running: {startedAt: now()}})),
      initContainerStatuses: (spec?.initContainers ?? []).map((container) =>
        statusOf(container, uid, {terminated: {exitCode: 0, reason: 'Completed', startedAt: now(), finishedAt: now()}}),
      ),
    };
  }
}

function statusOf({name, image = ''}: Container, uid: string, state: ContainerStatus['state']): ContainerStatus {
  return {name, image, imageID: image, containerID: `paper://${uid}-${name}`, ready: true, started: true, restartCount: 0, state};
}

/** The object may be gone by now, or another one have its name. */
async function unlessGone(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!StatusError.is(error) || ![404, 409].includes(error.code)) throw error;
  }
}

function report(error: unknown): void {
  console.error('paper nodes:', (error as Error).message);
}
