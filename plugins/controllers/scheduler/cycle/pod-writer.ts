import {ifFound, isNotFound, type ApiObject, type ResourceClient, type ResourceRef, secondTime} from '../../../../sdk/index.js';
import {TokenBucket, type EventRecorder} from '../../../../sdk/controllers/index.js';
import type {RequestMappings} from '../filters/extended-claim.js';
import type {KnownPod} from '../model/known-pod.js';

const pods: ResourceRef = {group: '', version: 'v1', resource: 'pods'};
/** Longest note of an Event, in bytes. */
const longestNote = 1024;
/** Events of pods that have got a node: kube-scheduler writes no more in a second. What is beyond that is not written later either. */
const placedPerSecond = 50;
const placedBurst = 1000;

export interface PodWriterOptions {
  readonly resources: ResourceClient;
  readonly events: EventRecorder;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Whether conditions say of which generation they are. */
  readonly writesGeneration: boolean;
}

/** Writes decisions: bindings, conditions, Events, deletions. */
export class PodWriter {
  readonly #options: PodWriterOptions;
  readonly #placed: TokenBucket;

  constructor(options: PodWriterOptions) {
    this.#options = options;
    this.#placed = new TokenBucket(placedPerSecond, placedBurst, options.now);
  }

  /** Gives a pod its node. @throws StatusError 409 if it has one already, or is being deleted */
  async bind(pod: KnownPod, node: string): Promise<void> {
    const {resources, events} = this.#options;
    const {namespace, name, uid} = pod;
    const binding = {apiVersion: 'v1', kind: 'Binding', metadata: {name, namespace, uid}, target: {kind: 'Node', name: node}};
    await resources.create(pods, namespace, binding, {on: {name, subresource: 'binding'}});
    if (this.#placed.take() > 0) return;
    const note = `Successfully assigned ${namespace}/${name} to ${node}`;
    events.record(subjectOf(pod), {type: 'Normal', reason: 'Scheduled', action: 'Binding', note});
  }

  /** Says that a pod could not be placed. */
  recordFailure(pod: KnownPod, message: string): void {
    const note = shortened(message);
    this.#options.events.record(subjectOf(pod), {type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', note});
  }

  /**
   * Writes why a pod has no node, if it does not say so already.
   *
   * @param nominated the node that it is promised; empty to take that back, undefined to leave it
   */
  async setUnplaced(pod: KnownPod, reason: string, message: string, nominated: string | undefined): Promise<void> {
    const {condition} = pod;
    const isSame = condition?.status === 'False' && condition.reason === reason && condition.message === message;
    const isNominated = nominated === undefined || nominated === pod.nominatedNode;
    if (isSame && isNominated) return;
    const changed = {
      type: 'PodScheduled',
      status: 'False',
      reason,
      message,
      ...(condition?.status === 'False' ? {} : {lastTransitionTime: this.#time()}),
      ...this.#generationOf(pod),
    };
    await this.#patchStatus(pod, {
      ...(isSame ? {} : {conditions: [changed]}),
      ...(isNominated ? {} : {nominatedNodeName: nominated === '' ? null : nominated}),
    });
  }

  /** A pod is about to get a node. It may be gone by now. */
  async nominate(pod: KnownPod, node: string): Promise<void> {
    if (pod.nominatedNode !== node) await ifFound(this.#patchStatus(pod, {nominatedNodeName: node}));
  }

  /** A pod says which of its containers uses what of the claim that was made for it. */
  async setExtendedClaim(pod: KnownPod, resourceClaimName: string, requestMappings: RequestMappings): Promise<void> {
    await this.#patchStatus(pod, {extendedResourceClaimStatus: {resourceClaimName, requestMappings}});
  }

  /** Takes back what a pod was promised. */
  async clearNomination(pod: KnownPod): Promise<void> {
    if (pod.nominatedNode !== '') await this.#patchStatus(pod, {nominatedNodeName: null});
  }

  /** A pod leaves its node for a more important one. One that is gone already has left. */
  async evict(victim: KnownPod, preemptor: KnownPod, node: string): Promise<void> {
    const {resources, events} = this.#options;
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'PreemptionByScheduler',
      message: `${preemptor.shape.schedulerName}: preempting to accommodate a higher priority pod`,
      lastTransitionTime: this.#time(),
      ...this.#generationOf(victim),
    };
    try {
      await this.#patchStatus(victim, {conditions: [condition]});
      await resources.delete(pods, victim.namespace, victim.name, {uid: victim.uid});
    } catch (error) {
      if (isNotFound(error)) return;
      throw error;
    }
    const note = `Preempted by pod ${preemptor.uid} on node ${node}`;
    events.record(subjectOf(victim), {type: 'Normal', reason: 'Preempted', action: 'Preempting', note});
  }

  async #patchStatus({namespace, name, uid}: KnownPod, status: object): Promise<void> {
    // The uid keeps a pod untouched that has taken its place.
    const patch = {metadata: {uid}, status};
    await this.#options.resources.patch(pods, namespace, name, patch, 'status', {form: 'strategic'});
  }

  #generationOf({generation}: KnownPod): {observedGeneration?: number} {
    return this.#options.writesGeneration && generation !== undefined ? {observedGeneration: generation} : {};
  }

  #time(): string {
    return secondTime(this.#options.now());
  }
}

/** A pod as events are about it. */
export function subjectOf({namespace, name, uid, resourceVersion}: KnownPod): Pick<ApiObject, 'apiVersion' | 'kind' | 'metadata'> {
  return {apiVersion: 'v1', kind: 'Pod', metadata: {namespace, name, uid, resourceVersion}};
}

function shortened(message: string): string {
  const suffix = ' ...';
  return message.length <= longestNote ? message : message.slice(0, longestNote - suffix.length) + suffix;
}
