import type {Pod} from '../../../../sdk/types/unchecked/core/v1.js';
import {podDeviceClaims, type PodClaim} from './pod-claims.js';
import type {PodShape, PodShapes} from './pod-shape.js';

/** A pod as the scheduler knows it. */
export interface KnownPod {
  /** `NAMESPACE/NAME`. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly shape: PodShape;
  /** The node that it has; empty for none. */
  readonly nodeName: string;
  /** The node on which room is being made for it; empty for none. */
  readonly nominatedNode: string;
  readonly isDeleted: boolean;
  /** Whether it is being deleted to make room for another. */
  readonly isPreempted: boolean;
  /** Whether it says that it is placed, or why not: to write only what changes. */
  readonly condition: {readonly status: string; readonly reason: string; readonly message: string} | undefined;
  /** Milliseconds since 1970, when its node has begun with it; undefined before. */
  readonly startedAt: number | undefined;
  readonly resourceVersion: string;
  readonly generation: number | undefined;
  /** Its claims of devices. */
  readonly claims: readonly PodClaim[];
}

const ended = new Set(['Succeeded', 'Failed']);

/** What is kept of a pod; undefined for one that has ended, which takes no room. @param key `NAMESPACE/NAME`, the text that others keep as well */
export function knownPod(key: string, pod: Pod, shapes: PodShapes): KnownPod | undefined {
  const {metadata, spec, status} = pod;
  if (ended.has(status?.phase ?? '')) return undefined;
  const {name = '', namespace = '', uid = '', deletionTimestamp, resourceVersion = '', generation} = metadata;
  const conditions = status?.conditions ?? [];
  const scheduled = conditions.find(({type}) => type === 'PodScheduled');
  const disrupted = conditions.find(({type}) => type === 'DisruptionTarget');
  const isDeleted = Boolean(deletionTimestamp);
  return {
    key,
    namespace,
    name,
    uid,
    shape: shapes.take(pod),
    nodeName: spec?.nodeName ?? '',
    nominatedNode: status?.nominatedNodeName ?? '',
    isDeleted,
    isPreempted: isDeleted && disrupted?.status === 'True' && disrupted.reason === 'PreemptionByScheduler',
    condition: spec?.nodeName
      ? undefined
      : scheduled && {status: scheduled.status ?? '', reason: scheduled.reason ?? '', message: scheduled.message ?? ''},
    startedAt: status?.startTime ? Date.parse(status.startTime) : undefined,
    resourceVersion,
    generation,
    claims: podDeviceClaims(pod),
  };
}
