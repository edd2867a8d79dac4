import {isNamespaceTerminating, ifFound, isNotFound, type ApiObject, type Clock, type ResourceClient} from '../../../sdk/index.js';
import type {EventRecorder} from '../../../sdk/controllers/index.js';
import type {DaemonSetStatus} from '../../../sdk/types/unchecked/apps/v1.js';
import type {Expectations} from '../../families/workload-pods/expectations.js';
import {podOfTemplate, type PodControl} from '../../families/workload-pods/pod-control.js';
import {slowStart} from '../../families/workload-pods/slow-start.js';
import type {DaemonNode, DaemonNodes, NodeFit} from './daemon-nodes.js';
import {affinityFor, byAge, daemonTemplate, isUpdated, millisUntilAvailable, type Kept} from './daemon-pod.js';
import {daemonSets, daemonSetType, maxSurge, templateGeneration, type DaemonKeys, type StoredDaemonSet} from './daemon-set-object.js';
import type {FailedPods} from './failed-pods.js';
import type {NodeWork} from './node-work.js';

/** Pods that are created, and deleted, before what has become of them is looked at. As in Kubernetes. */
const burst = 250;

export interface DaemonParts {
  readonly resources: ResourceClient;
  readonly events: EventRecorder;
  readonly control: PodControl;
  readonly clock: Clock;
  readonly expectations: Expectations;
  readonly keys: DaemonKeys;
  readonly nodes: DaemonNodes;
  readonly failures: FailedPods;
}

export interface DaemonLook {
  readonly key: string;
  /** Must not be changed. */
  readonly set: StoredDaemonSet;
  /** The pods of the DaemonSet. */
  readonly pods: readonly Kept[];
  /** The hash of its template. */
  readonly hash: string;
  readonly rule: (node: DaemonNode) => NodeFit;
}

/** One look at a DaemonSet, its pods and the nodes, with what follows from it. */
export class DaemonRound {
  readonly set: StoredDaemonSet;
  readonly hash: string;
  readonly generation: string | undefined;
  readonly maySurge: boolean;
  readonly minReadySeconds: number;
  /** In milliseconds since 1970. */
  readonly now: number;
  /** After how many milliseconds to look again; Infinity for not before something changes. */
  again = Infinity;
  readonly #parts: DaemonParts;
  readonly #look: DaemonLook;
  /** Without those that have ended and are being deleted, which concern nobody any more. */
  readonly #byNode = new Map<string, Kept[]>();
  readonly #fits = new Map<string, NodeFit>();

  constructor(parts: DaemonParts, look: DaemonLook) {
    this.#parts = parts;
    this.#look = look;
    this.set = look.set;
    this.hash = look.hash;
    this.generation = templateGeneration(look.set);
    this.maySurge = maxSurge(look.set, 1) > 0;
    this.minReadySeconds = look.set.spec?.minReadySeconds ?? 0;
    this.now = parts.clock.now();
    for (const pod of look.pods) {
      const {node, phase} = pod.summary;
      if (node === undefined || (pod.isDeleted && (phase === 'Failed' || phase === 'Succeeded'))) continue;
      const others = this.#byNode.get(node);
      if (others) others.push(pod);
      else this.#byNode.set(node, [pod]);
    }
  }

  get nodes(): Iterable<DaemonNode> {
    return this.#parts.nodes.all();
  }

  podsOn(node: string): readonly Kept[] {
    return this.#byNode.get(node) ?? [];
  }

  nodesWithPods(): Iterable<string> {
    return this.#byNode.keys();
  }

  /** Pods that wait for a node that does not exist. */
  *unplaced(): Iterable<Kept> {
    for (const [node, pods] of this.#byNode) if (!this.#parts.nodes.get(node)) yield* pods.filter(({summary}) => !summary.isBound);
  }

  fit(name: string): NodeFit {
    const known = this.#fits.get(name);
    if (known) return known;
    const node = this.#parts.nodes.get(name);
    const fit = node ? this.#look.rule(node) : {shouldRun: false, mayStay: false};
    this.#fits.set(name, fit);
    return fit;
  }

  /** Milliseconds until a failed pod on a node may be deleted; 0 counts as one more failure. */
  failureDelay(node: string): number {
    const {uid = ''} = this.set.metadata;
    return this.#parts.failures.delay({uid, generation: Number(this.set.status?.observedGeneration ?? 0), node}, this.now);
  }

  lookAgainIn(millis: number): void {
    this.again = Math.min(this.again, millis);
  }

  event(type: 'Normal' | 'Warning', reason: string, note: string): void {
    this.#parts.events.record(this.#subject, {type, reason, note});
  }

  get #subject(): ApiObject {
    return {...this.set, apiVersion: daemonSetType.apiVersion, kind: daemonSetType.kind};
  }

  /** Makes and deletes pods. Answers whether there were any. @throws the first failure, after all have been tried */
  async carryOut({create, delete: unwanted}: NodeWork): Promise<boolean> {
    const {expectations} = this.#parts;
    const {key} = this.#look;
    const nodes = create.slice(0, burst);
    const gone = unwanted.slice(0, burst);
    if (nodes.length === 0 && gone.length === 0) return false;
    expectations.expect(
      key,
      nodes.length,
      gone.map(({uid}) => uid),
    );
    const failures = [await this.#create(nodes), await this.#delete(gone)].filter((error) => error !== undefined);
    if (failures.length > 0) throw failures[0] as Error;
    return true;
  }

  /** Answers the first failure. */
  async #create(nodes: readonly string[]): Promise<unknown> {
    const {control, expectations, keys} = this.#parts;
    const owner = {object: this.#subject, apiVersion: daemonSetType.apiVersion, kind: daemonSetType.kind};
    const template = daemonTemplate(this.set.spec?.template ?? {}, keys, this.hash, this.generation);
    const {succeeded, error} = await slowStart(nodes.length, async (index) => {
      const pod = podOfTemplate(template, owner);
      pod.spec!.affinity = affinityFor(nodes[index]!, pod.spec!.affinity ?? undefined);
      try {
        await control.create(pod, owner);
      } catch (failure) {
        if (!isNamespaceTerminating(failure)) throw failure;
      }
    });
    expectations.created(this.#look.key, nodes.length - succeeded);
    return error;
  }

  async #delete(pods: readonly Kept[]): Promise<unknown> {
    const {control, expectations} = this.#parts;
    const owner = {object: this.#subject, apiVersion: daemonSetType.apiVersion, kind: daemonSetType.kind};
    const results = await Promise.allSettled(
      pods.map(async ({name, uid}) => {
        try {
          await control.delete(name, owner);
        } catch (error) {
          expectations.deleted(this.#look.key, uid);
          if (!isNotFound(error)) throw error;
        }
      }),
    );
    return results.find((result) => result.status === 'rejected')?.reason;
  }

  /** Writes the counts. @param isObserved whether the present generation has been worked on */
  async report(isObserved: boolean): Promise<void> {
    const counts = this.#count();
    const {status = {}, metadata} = this.set;
    const {generation = 0, namespace = '', name = ''} = metadata;
    const isSame = Object.entries(counts).every(([member, count]) => (status[member as keyof typeof counts] ?? 0) === count);
    if (isSame && Number(status.observedGeneration ?? 0) >= Number(generation)) return;
    const write = (object: ApiObject) => {
      const present = (object as StoredDaemonSet).status;
      const changed: DaemonSetStatus = {...present, ...counts, ...(isObserved ? {observedGeneration: generation} : {})};
      for (const member of ['updatedNumberScheduled', 'numberAvailable', 'numberUnavailable'] as const)
        if (changed[member] === 0) delete changed[member];
      const {apiVersion, kind} = daemonSetType;
      return this.#parts.resources.update(daemonSets, namespace, {...object, apiVersion, kind, status: changed} as ApiObject, 'status');
    };
    try {
      await write(this.set);
    } catch (error) {
      if (isNotFound(error)) return;
      // What was read may have been older than what is there.
      const fresh = await ifFound(this.#parts.resources.get(daemonSets, namespace, name));
      if (fresh) await write(fresh);
    }
  }

  #count() {
    const counts = {
      desiredNumberScheduled: 0,
      currentNumberScheduled: 0,
      numberMisscheduled: 0,
      numberReady: 0,
      updatedNumberScheduled: 0,
      numberAvailable: 0,
      numberUnavailable: 0,
    };
    for (const {name} of this.nodes) {
      const [pod] = this.podsOn(name).toSorted(byAge);
      if (!this.fit(name).shouldRun) {
        if (pod) counts.numberMisscheduled += 1;
        continue;
      }
      counts.desiredNumberScheduled += 1;
      if (!pod) continue;
      counts.currentNumberScheduled += 1;
      const wait = millisUntilAvailable(pod, this.minReadySeconds, this.now);
      if (pod.summary.isReady) counts.numberReady += 1;
      if (wait === 0) counts.numberAvailable += 1;
      else if (wait < Infinity) this.lookAgainIn(wait);
      if (isUpdated(pod, this.hash, this.generation)) counts.updatedNumberScheduled += 1;
    }
    counts.numberUnavailable = counts.desiredNumberScheduled - counts.numberAvailable;
    return counts;
  }
}
