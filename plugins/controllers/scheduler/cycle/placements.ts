import {isNotFound, type Logger} from '../../../../sdk/index.js';
import type {ClusterState} from '../cluster/cluster-state.js';
import type {PodRecords} from '../cluster/pod-records.js';
import type {KnownPod} from '../model/known-pod.js';
import type {ReadyNode} from '../model/node-state.js';
import {preempt, type PreemptionParts} from '../preemption/preemption.js';
import type {Candidate} from '../preemption/victims.js';
import type {QueuedPod} from '../queue/queued-pod.js';
import type {SchedulingQueue} from '../queue/scheduling-queue.js';
import {diagnosisText, type Diagnosis} from '../decision/diagnosis.js';
import {DeviceError} from '../devices/device-requests.js';
import type {NodeFinder} from '../decision/node-finder.js';
import type {PodDevicesBinder} from './pod-devices-binder.js';
import type {PodVolumesBinder} from './pod-volumes-binder.js';
import type {PodWriter} from './pod-writer.js';
import type {Reserved} from './reserved.js';
import type {PreparedPod} from '../decision/prepared-pod.js';
import type {Profile} from '../decision/profile.js';

const noNodes = 'no nodes available to schedule pods';
const rejected = 'Unschedulable';
const failedReason = 'SchedulerError';

export interface PlacementParts {
  readonly cluster: ClusterState;
  readonly records: PodRecords;
  readonly queue: SchedulingQueue;
  readonly finder: NodeFinder;
  readonly writer: PodWriter;
  readonly volumes: PodVolumesBinder;
  /** Undefined where pods have no claims of devices. */
  readonly devices: PodDevicesBinder | undefined;
  readonly preemption: PreemptionParts;
  /** Whether a pod says which node it is about to get while it waits for what it needs there. */
  readonly nominatesEarly: boolean;
  readonly logger: Logger;
}

/** Places pods one by one: finds a node, takes the room and binds, or says why there is none and makes some. */
export class Placements {
  /** Keys of pods for which others are leaving now. */
  readonly #preempting = new Set<string>();
  readonly #writing = new Set<Promise<void>>();
  /** Pods that wait for their volumes: they keep no others from being placed. */
  readonly #waiting = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #parts: PlacementParts;
  #isStopped = false;

  constructor(parts: PlacementParts) {
    this.#parts = parts;
  }

  /** How many writes have not ended. */
  get writing(): number {
    return this.#writing.size;
  }

  /** Whether others are just being made to leave for a pod: it waits for that. */
  isPreempting(key: string): boolean {
    return this.#preempting.has(key);
  }

  /** Resolves when one of the writes has ended. */
  async someWritten(): Promise<void> {
    await Promise.race(this.#writing);
  }

  /** Resolves when no write is left. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopping.abort();
    await Promise.all(this.#waiting);
    await Promise.all(this.#writing);
  }

  /** Decides about a pod; what follows is written later. */
  place(queued: QueuedPod, profile: Profile): void {
    const {pod} = queued;
    const {finder, writer, queue} = this.#parts;
    if (pod.isDeleted) return writer.recordFailure(pod, `skip schedule deleting pod: ${pod.namespace}/${pod.name}`);
    let found: ReturnType<NodeFinder['find']>;
    try {
      found = finder.find(pod, profile);
    } catch (error) {
      if (!(error instanceof DeviceError)) throw error;
      // What a claim says is wrong, whatever the nodes are: it is tried again after a pause, as in Kubernetes.
      const {message} = error;
      queue.failed(queued);
      return this.#write(pod, () => this.#report(pod, failedReason, `running "DynamicResources" filter plugin: ${message}`, ''));
    }
    if (!found) {
      queue.refused(queued, new Set());
      this.#write(pod, () => this.#report(pod, rejected, noNodes, ''));
    } else if ('node' in found) {
      this.#bind(queued, found.node);
    } else {
      this.#refuse(queued, profile, found.prepared, found.diagnosis);
    }
  }

  #bind(queued: QueuedPod, node: ReadyNode): void {
    const {pod} = queued;
    const {records, writer, volumes, devices} = this.#parts;
    const reserved = [
      {plugin: 'VolumeBinding', parts: volumes.reserve(pod, node)},
      {plugin: 'DynamicResources', parts: devices?.reserve(pod, node)},
    ].flatMap(({plugin, parts}) => (parts ? [{plugin, parts}] : []));
    records.assume(pod, node.name);
    const bind = () =>
      this.#write(pod, async () => {
        try {
          await writer.bind(pod, node.name);
        } catch (error) {
          await this.#undo(reserved);
          const message = `binding rejected: running Bind plugin "DefaultBinder": ${(error as Error).message}`;
          await this.#giveBack(queued, message, isNotFound(error));
        }
      });
    if (reserved.length === 0) return bind();
    const waiting = this.#bindReserved(pod, node.name, reserved)
      .then(bind, (error: unknown) =>
        this.#write(pod, async () => {
          await this.#undo(reserved);
          await this.#giveBack(queued, (error as Error).message, false);
        }),
      )
      .finally(() => {
        for (const {parts} of reserved) parts.release();
        this.#waiting.delete(waiting);
      });
    this.#waiting.add(waiting);
  }

  async #undo(reserved: readonly {readonly parts: Reserved}[]): Promise<void> {
    for (const {parts} of reserved)
      await parts.undo?.().catch((err: unknown) => this.#parts.logger.debug({err}, 'what was made for a pod could not be taken back'));
  }

  /** @throws Error that names the plugin */
  async #bindReserved(
    pod: KnownPod,
    node: string,
    reserved: readonly {readonly plugin: string; readonly parts: Reserved}[],
  ): Promise<void> {
    if (this.#parts.nominatesEarly) await this.#parts.writer.nominate(pod, node);
    for (const {plugin, parts} of reserved) {
      try {
        await parts.bind(this.#stopping.signal);
      } catch (error) {
        throw new Error(`running PreBind plugin ${JSON.stringify(plugin)}: ${(error as Error).message}`, {cause: error});
      }
    }
  }

  /** A pod could not be bound. @param isGone whether it is not there any more */
  async #giveBack(queued: QueuedPod, message: string, isGone: boolean): Promise<void> {
    const {pod} = queued;
    const {records, queue} = this.#parts;
    if (!records.isAssumed(pod.key)) return;
    records.forget(pod.key);
    const now = records.get(pod.key);
    if (!now || now.uid !== pod.uid || isGone || this.#isStopped) return;
    queue.failed({...queued, pod: now});
    await this.#report(now, failedReason, message, '');
  }

  #refuse(queued: QueuedPod, profile: Profile, prepared: PreparedPod, diagnosis: Diagnosis): void {
    const {pod} = queued;
    const {cluster, queue, preemption, devices} = this.#parts;
    const hasClaims = (pod.claims.length > 0 || devices?.isAskedBy(pod) === true) && diagnosis.everywhere === undefined;
    // Kubernetes asks for claims to deallocate first, and that ends with an error where a pod was refused before nodes were looked at.
    const isByClaims = diagnosis.refusedBy.has('DynamicResources');
    const deallocation = hasClaims && isByClaims ? devices?.deallocation(pod) : undefined;
    const ofClaims = hasClaims ? 'still not schedulable' : 'no new claims to deallocate';
    const beforePreemption = devices ? (deallocation?.text ?? ofClaims) : '';
    const endsBefore = devices !== undefined && diagnosis.everywhere !== undefined && !isByClaims;
    const outcome = profile.preempts && !endsBefore ? preempt(prepared, diagnosis, preemption) : undefined;
    let afterwards = endsBefore ? 'not found' : '';
    let nominated: string | undefined = outcome || endsBefore ? undefined : '';
    if (outcome && 'candidate' in outcome) nominated = outcome.candidate.node.name;
    else if (outcome) {
      afterwards = [beforePreemption, `preemption: ${outcome.text}`].filter((text) => text !== '').join(', ');
      if (outcome.givesBack) nominated = '';
    }
    if (nominated !== undefined) cluster.nominate(pod, nominated);
    const candidate = outcome && 'candidate' in outcome ? outcome.candidate : undefined;
    const leaving = candidate?.victims.filter(({isDeleted}) => !isDeleted) ?? [];
    if (leaving.length > 0) this.#preempting.add(pod.key);
    queue.refused(queued, diagnosis.refusedBy);
    this.#write(pod, () => this.#report(pod, rejected, diagnosisText(diagnosis, afterwards), nominated));
    if (deallocation) this.#write(pod, deallocation.run);
    if (candidate && leaving.length > 0) this.#write(pod, () => this.#makeRoom(pod, candidate, leaving));
  }

  async #makeRoom(pod: KnownPod, {node}: Candidate, leaving: readonly KnownPod[]): Promise<void> {
    const {cluster, records, writer, queue} = this.#parts;
    let isTriedAgain = false;
    try {
      // They may not fit any more: they look for another place.
      const lower = [...cluster.nominatedOn(node.name)].filter(({shape}) => shape.priority < pod.shape.priority);
      for (const other of lower) {
        cluster.nominate(other, '');
        await writer.clearNomination(other);
        queue.activate(other.key);
      }
      for (const victim of leaving) await writer.evict(victim, pod, node.name);
      // Nobody is left whose going could still be noticed.
      isTriedAgain = leaving.every(({key, uid}) => records.get(key)?.uid !== uid);
    } catch (error) {
      isTriedAgain = true;
      throw error;
    } finally {
      this.#preempting.delete(pod.key);
      if (isTriedAgain) queue.activate(pod.key);
    }
  }

  async #report(pod: KnownPod, reason: string, message: string, nominated: string | undefined): Promise<void> {
    const {writer} = this.#parts;
    writer.recordFailure(pod, message);
    await writer.setUnplaced(pod, reason, message, nominated);
  }

  #write(pod: KnownPod, work: () => Promise<void>): void {
    const writing = work()
      .catch((err: unknown) => {
        // It may have gone, or have become another one.
        if (!this.#isStopped && !isNotFound(err)) this.#parts.logger.debug({pod: pod.key, err}, 'a pod could not be written');
      })
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }
}
