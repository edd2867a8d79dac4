import type {ApiObject, ObjectCache, ResourceClient} from '../../../sdk/index.js';
import {compileSelector, type LabelSelector} from '../../../sdk/labels/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {Pod} from '../../../sdk/types/unchecked/core/v1.js';
import {claimDependents} from './claim-dependents.js';
import {ControlledPods, type KeptPod} from './controlled-pods.js';
import {podType} from './pod-control.js';
import type {KnownWorkload, WorkloadLoop, WorkloadType} from './workload-loop.js';

export interface OwnedPodsOptions<T, W extends ApiObject, K extends KnownWorkload> {
  readonly resources: ResourceClient;
  readonly cache: ObjectCache;
  readonly type: WorkloadType;
  readonly loop: WorkloadLoop<W, K>;
  readonly summarize: (pod: Pod) => T;
  /** A pod has come, changed or gone, after its owners have been queued. */
  readonly changed?: (pod: KeptPod<T> | undefined, before: KeptPod<T> | undefined) => void;
  /** Pods that are adopted get it, and lose it when they are released. */
  readonly finalizer?: string;
}

/** The pods of the workloads of a loop: a change of a pod has its owner be looked at, or those that would adopt it, and meets what was expected. */
export class OwnedPods<T, W extends ApiObject, K extends KnownWorkload = KnownWorkload> {
  readonly #options: OwnedPodsOptions<T, W, K>;
  readonly #pods: ControlledPods<T>;

  constructor(options: OwnedPodsOptions<T, W, K>) {
    this.#options = options;
    const {cache, type, summarize, loop} = options;
    this.#pods = new ControlledPods({
      cache,
      kind: type.kind,
      summarize,
      changed: (pod, before) => this.#changed(pod, before),
      failed: loop.failed,
    });
  }

  /** Follows pods; the loop waits until all are known. */
  start(signal: AbortSignal): void {
    this.#options.loop.waitFor(this.#pods.start(signal));
  }

  /** One that is kept, by its key. */
  get(key: string): KeptPod<T> | undefined {
    return this.#pods.get(key);
  }

  /** Those that the workload with a uid controls. */
  controlledBy(uid: string): KeptPod<T>[] {
    return this.#pods.controlledBy(uid);
  }

  /**
   * The pods of a workload, after it has adopted those that its selector matches and released those that it no longer matches.
   *
   * @param isCandidate which pods may be its own
   * @throws the first failure
   */
  claim(owner: ApiObject, selector: LabelSelector | undefined, isCandidate?: (pod: KeptPod<T>) => boolean): Promise<KeptPod<T>[]> {
    const {resources, type, finalizer} = this.#options;
    const {namespace = '', uid = ''} = owner.metadata;
    const pods = [...this.#pods.controlledBy(uid), ...this.#pods.orphans(namespace)];
    const claim = {
      resources,
      owner,
      ownerRef: type.ref,
      apiVersion: type.apiVersion,
      kind: type.kind,
      dependents: podType,
      dependentKind: 'Pod',
      ...(finalizer === undefined ? {} : {finalizer}),
      selects: compileSelector(selector),
    };
    return claimDependents(claim, isCandidate ? pods.filter(isCandidate) : pods);
  }

  #changed(pod: KeptPod<T> | undefined, before: KeptPod<T> | undefined): void {
    const {loop, changed} = this.#options;
    const {expectations} = loop;
    const owner = pod && loop.ownerOf(pod);
    const ownerBefore = before && loop.ownerOf(before);
    if (owner !== undefined && !before) expectations.created(owner);
    if (owner !== undefined && pod!.isDeleted) expectations.deleted(owner, pod!.uid);
    if (ownerBefore !== undefined && !pod) expectations.deleted(ownerBefore, before!.uid);
    if (ownerBefore !== undefined && ownerBefore !== owner) loop.add(ownerBefore);
    if (owner !== undefined) loop.add(owner);
    else if (pod && mayBeAdopted(pod, before)) loop.orphaned(pod.namespace, pod.labels);
    changed?.(pod, before);
  }
}

/** Whether a pod has become one that somebody may want. */
function mayBeAdopted(pod: KeptPod<unknown>, before: KeptPod<unknown> | undefined): boolean {
  if (pod.controller || pod.isDeleted) return false;
  return !before || before.controller !== undefined || !sameValue(pod.labels, before.labels);
}
