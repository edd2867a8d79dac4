import {
  controller,
  ifFound,
  inject,
  isConflict,
  taskOf,
  Tokens,
  unlessExists,
  type ApiObject,
  type Controller,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ObjectCache,
  type ResourceClient,
} from '../../../sdk/index.js';
import {CacheInformer, done, Reconciler, splitObjectKey, systemClock, type Clock, type WorkResult} from '../../../sdk/controllers/index.js';
import {namespaced} from '../../../sdk/types/resource-handle.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {PersistentVolume, Pod} from '../../../sdk/types/unchecked/core/v1.js';
import {KeyLoop} from '../../families/queues/key-loop.js';
import {simulatedDriverSuffix} from '../../families/volume-binding/binding-keys.js';
import {claimType, driverType, uniqueVolumeName, volumeType} from '../../families/volume-binding/attached-volumes.js';
import {attachmentName, attachmentType, isExclusive, isOfPods, nodeType, type Attachment} from './attachment-object.js';
import {AttachAttempts} from './attach-attempts.js';
import {claimingPod, ClaimingPods, type ClaimingPod} from './pod-claims.js';

const podType = namespaced<Pod & ApiObject>('', 'v1', 'pods', 'Pod');
/** Nodes that are looked at at the same time. */
const concurrency = 10;
/** Before a volume that another node still has is tried again. */
const retryMillis = 10_000;

/** A volume that pods of a node use. */
interface Wanted {
  readonly volume: PersistentVolume;
  readonly pods: ClaimingPod[];
}

/** Has volumes be attached to the nodes of the pods that use them, by VolumeAttachments, and says in the status of nodes which are. Volumes go from a node when no pod there uses them any more. */
@controller()
export class AttachDetach implements Controller {
  readonly #resources: ResourceClient;
  readonly #csiPlugin: string;
  readonly #pods = new ClaimingPods();
  /** By the names of nodes. */
  readonly #loop: KeyLoop;
  /** Whether there have been claims: before that nothing is read of pods. */
  #hasClaims = false;
  readonly #podInformer: CacheInformer<Pod & ApiObject>;
  readonly #claims: CacheInformer<ApiObject & {spec?: {volumeName?: string}}>;
  readonly #volumes: CacheInformer<PersistentVolume & ApiObject>;
  readonly #drivers: CacheInformer<ApiObject & {spec?: {attachRequired?: boolean}}>;
  readonly #attachments: CacheInformer<Attachment>;
  /** Nodes of attachments, which are gone when it is said that these are. */
  readonly #nodeOf = new Map<string, string>();
  readonly #attempts = new AttachAttempts();
  readonly #clock: Clock;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
  ) {
    this.#resources = resources;
    this.#clock = resources.clock ?? systemClock;
    this.#csiPlugin = naming.key('orch/csi');
    this.#loop = new KeyLoop(
      {resources, logger, metrics, concurrency},
      {
        component: 'attachdetach-controller',
        queue: 'attach_detach',
        failure: 'the volumes of a node could not be attached',
        reconcile: (node) => this.#sync(node),
      },
    );
    const {failed} = this.#loop;
    this.#podInformer = new CacheInformer(cache, podType, {
      changed: (key) => this.#look(key),
      deleted: (key) => this.#add(this.#pods.put(key, undefined)),
      failed,
    });
    const claimChanged = (key: string) => this.#claimChanged(key);
    this.#claims = new CacheInformer(cache, claimType, {changed: claimChanged, deleted: claimChanged, failed});
    this.#volumes = new CacheInformer(cache, volumeType, {changed: (key) => this.#volumeChanged(splitObjectKey(key)[1]), failed});
    this.#drivers = new CacheInformer(cache, driverType, {failed});
    this.#attachments = new CacheInformer<Attachment>(cache, attachmentType, {
      indexes: {node: ({spec}) => [spec?.nodeName ?? ''], volume: ({spec}) => [spec?.source?.persistentVolumeName ?? '']},
      changed: (key) => this.#attachmentChanged(key),
      deleted: (key) => {
        this.#add([this.#nodeOf.get(key)]);
        this.#nodeOf.delete(key);
        this.#attempts.forget(splitObjectKey(key)[1]);
      },
      failed,
    });
  }

  start(signal: AbortSignal): Promise<void> {
    return this.#loop.start(signal, this.#claims, this.#volumes, this.#drivers, this.#attachments, this.#podInformer);
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  #add(nodes: readonly (string | undefined)[]): void {
    for (const node of nodes) if (node) this.#loop.add(node);
  }

  #look(key: string): void {
    if (!this.#hasClaims) return;
    const [namespace, name] = splitObjectKey(key);
    const pod = this.#podInformer.getNow(name, namespace);
    if (!pod) return;
    this.#add(this.#pods.put(key, claimingPod(key, pod)));
  }

  /** With the first claim all pods are looked at. */
  async #lookAtAll(): Promise<void> {
    const task = taskOf(this.#resources, 'background', 'pods with claims');
    for (const {key} of this.#podInformer.list()) {
      this.#look(key);
      await task.yieldIfDue();
    }
  }

  /** A claim may be seen to be bound before its volume is seen. */
  #volumeChanged(name: string): void {
    const volume = this.#volumes.getNow(name);
    if (!volume) return;
    const {namespace = '', name: claim = ''} = volume.spec?.claimRef ?? {};
    this.#add([...this.#pods.using(namespace, claim)].map(({node}) => node));
  }

  #claimChanged(key: string): void {
    if (!this.#hasClaims) {
      this.#hasClaims = true;
      this.#loop.waitFor(this.#lookAtAll());
    }
    const [namespace, name] = splitObjectKey(key);
    this.#add([...this.#pods.using(namespace, name)].map(({node}) => node));
  }

  #attachmentChanged(key: string): void {
    const found = this.#attachments.getNow(splitObjectKey(key)[1]);
    if (!found) return;
    this.#nodeOf.set(key, found.spec?.nodeName ?? '');
    this.#add([found.spec?.nodeName]);
  }

  async #sync(node: string): Promise<WorkResult> {
    const wanted = await this.#wanted(node);
    const there = await this.#attachmentsBy('node', node);
    let again = Infinity;
    for (const [name, {volume, pods}] of wanted) {
      if (there.some(({metadata}) => metadata.name === name)) continue;
      const users = await this.#otherUsers(volume, node);
      if (users) {
        this.#say(pods, 'Warning', 'FailedAttachVolume', `Multi-Attach error for volume "${volume.metadata.name}" ${users}`);
        again = retryMillis;
      } else await this.#attach(name, node, volume);
    }
    for (const attachment of there) {
      const {name = '', uid, deletionTimestamp} = attachment.metadata;
      if (wanted.has(name) || deletionTimestamp || !isOfPods(attachment)) continue;
      await ifFound(this.#resources.delete(attachmentType, '', name, {uid: uid!}));
    }
    again = Math.min(again, this.#waitFor(there, wanted));
    try {
      await this.#report(node, there, wanted);
    } catch (error) {
      if (isConflict(error)) return {again: 0};
      throw error;
    }
    return again === Infinity ? done : {again};
  }

  /** Says which volumes could not be attached. Answers after how many milliseconds to look again. */
  #waitFor(there: readonly Attachment[], wanted: ReadonlyMap<string, Wanted>): number {
    const now = this.#clock.now();
    let next = Infinity;
    for (const attachment of there) {
      const {name = '', deletionTimestamp} = attachment.metadata;
      const use = wanted.get(name);
      if (!use || deletionTimestamp || attachment.status?.attached === true) {
        this.#attempts.forget(name);
        continue;
      }
      const {at, failure} = this.#attempts.look(attachment, use.volume, now);
      if (failure !== undefined) this.#say(use.pods, 'Warning', 'FailedAttachVolume', failure);
      next = Math.min(next, at - now);
    }
    return next;
  }

  /** The volumes that pods of a node use, by the names of their attachments. */
  async #wanted(node: string): Promise<Map<string, Wanted>> {
    const wanted = new Map<string, Wanted>();
    for (const pod of this.#pods.on(node)) {
      for (const claim of pod.claims) {
        const bound = await this.#claims.get(claim, pod.namespace);
        const volume = bound?.spec?.volumeName ? await this.#volumes.get(bound.spec.volumeName) : undefined;
        const driver = volume?.spec?.csi?.driver;
        if (!volume || !driver || (await this.#drivers.get(driver))?.spec?.attachRequired === false) continue;
        const name = attachmentName(volume, node);
        const known = wanted.get(name);
        if (known) known.pods.push(pod);
        else wanted.set(name, {volume, pods: [pod]});
      }
    }
    return wanted;
  }

  async #attachmentsBy(index: 'node' | 'volume', value: string): Promise<Attachment[]> {
    const found: Attachment[] = [];
    for (const key of this.#attachments.by(index, value)) {
      const attachment = await this.#attachments.get(splitObjectKey(key)[1]);
      if (attachment) found.push(attachment);
    }
    return found;
  }

  /** Who keeps a volume from being attached; undefined if nobody does. */
  async #otherUsers(volume: PersistentVolume, node: string): Promise<string | undefined> {
    if (!isExclusive(volume)) return undefined;
    const others = (await this.#attachmentsBy('volume', volume.metadata.name!)).filter(({spec}) => spec?.nodeName !== node);
    if (others.length === 0) return undefined;
    const {namespace = '', name = ''} = volume.spec?.claimRef ?? {};
    const nodes = new Set(others.map(({spec}) => spec?.nodeName));
    const users = [...this.#pods.using(namespace, name)].filter((pod) => nodes.has(pod.node)).map((pod) => pod.name);
    if (users.length === 0) return "Volume is already exclusively attached to one node and can't be attached to another";
    return `Volume is already used by pod(s) ${users.toSorted().join(', ')}`;
  }

  async #attach(name: string, node: string, volume: PersistentVolume): Promise<void> {
    const spec = {attacher: volume.spec!.csi!.driver!, nodeName: node, source: {persistentVolumeName: volume.metadata.name!}};
    await unlessExists(this.#resources.create(attachmentType, '', {metadata: {name}, spec} as ApiObject));
  }

  /** Writes which volumes a node has. @throws StatusError 409 if it has changed meanwhile */
  async #report(name: string, there: readonly Attachment[], wanted: ReadonlyMap<string, Wanted>): Promise<void> {
    const node = await ifFound(this.#resources.get(nodeType, '', name, {resourceVersion: '0'}));
    if (!node) return;
    const before = (node as {status?: {volumesAttached?: {name?: string}[]}}).status?.volumesAttached ?? [];
    const attached = there.filter(({status, metadata}) => status?.attached === true && wanted.has(metadata.name!));
    const names = attached.map(({metadata}) => uniqueVolumeName(wanted.get(metadata.name!)!.volume, this.#csiPlugin)).toSorted();
    if (
      sameValue(
        before.map((one) => one.name),
        names,
      )
    )
      return;
    const volumesAttached = names.length === 0 ? null : names.map((one) => ({name: one, devicePath: ''}));
    const {resourceVersion} = node.metadata;
    await this.#resources.patch(nodeType, '', name, {metadata: {resourceVersion}, status: {volumesAttached}}, 'status');
    const had = new Set(before.map((one) => one.name));
    for (const {volume, pods} of wanted.values()) {
      const own = uniqueVolumeName(volume, this.#csiPlugin);
      if (names.includes(own) && !had.has(own))
        this.#say(pods, 'Normal', 'SuccessfulAttachVolume', `AttachVolume.Attach succeeded for volume "${volume.metadata.name}" `);
    }
  }

  #say(pods: readonly ClaimingPod[], type: 'Normal' | 'Warning', reason: string, note: string): void {
    for (const {namespace, name, uid} of pods)
      this.#loop.events.record({apiVersion: 'v1', kind: 'Pod', metadata: {namespace, name, uid}}, {type, reason, note});
  }
}

/** Attaches simulated volumes, as the drivers of others do. */
@controller()
export class SimulatedAttacher extends Reconciler {
  readonly #resources: ResourceClient;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.ObjectCache) cache: ObjectCache,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Metrics) metrics: Metrics,
  ) {
    super({
      resources,
      cache,
      naming,
      logger,
      concurrency,
      figures: {metrics, name: 'simulated_attacher'},
      types: [{ref: attachmentType, changed: (object) => waiting(object as Attachment), deleted: () => []}],
      reconcile: (name) => this.#attach(name),
    });
    this.#resources = resources;
  }

  async #attach(name: string): Promise<WorkResult> {
    await ifFound(this.#resources.patch(attachmentType, '', name, {status: {attached: true}}, 'status'));
    return done;
  }
}

function waiting({metadata, spec, status}: Attachment): string[] {
  return spec?.attacher?.endsWith(simulatedDriverSuffix) && status?.attached !== true && !metadata.deletionTimestamp
    ? [metadata.name!]
    : [];
}
