import type {ApiObject, ResourceRef} from '../../../sdk/index.js';
import type {LabelSelector} from '../../../sdk/labels/index.js';
import type {PodTemplateSpec} from '../../../sdk/types/unchecked/core/v1.js';

/** A set of like pods: a ReplicaSet, or a ReplicationController. */
export interface ReplicaSetLike extends ApiObject {
  readonly spec?: ReplicaSetLikeSpec;
  readonly status?: ReplicaCounts;
}

interface ReplicaSetLikeSpec {
  readonly replicas?: number | null;
  readonly minReadySeconds?: number;
  readonly template?: PodTemplateSpec | null;
}

export interface ReplicaCondition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string | null;
}

/** The status of a set. Counts that are 0 are left out, but for `replicas` and `terminatingReplicas`. */
export interface ReplicaCounts {
  readonly replicas?: number;
  readonly fullyLabeledReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly terminatingReplicas?: number;
  readonly observedGeneration?: number | bigint;
  readonly conditions?: readonly ReplicaCondition[];
}

/** What differs between the two kinds. */
export interface ReplicaKind {
  readonly ref: ResourceRef;
  readonly apiVersion: string;
  readonly kind: string;
  /** The source of its events. */
  readonly component: string;
  /** The name of its queue in metrics. */
  readonly queue: string;
  /** Whether its status may have `terminatingReplicas`. */
  readonly countsTerminating: boolean;
  selectorOf(set: ReplicaSetLike): LabelSelector | undefined;
}
