import type {ApiObject, ObjectMeta} from '../../../sdk/index.js';
import type {IntOrPercent} from '../../shared/fields/int-or-percent.js';
import type {LabelSelector} from '../../shared/labels/label-selector.js';
import type {PodTemplateSpec} from '../../shared/pod/pod-types.js';
import type {PersistentVolumeClaimSpec} from '../../shared/volumes/persistent-volume-claim-spec.js';
import type {ReplicaStatus} from '../../shared/workloads/replica-status.js';

/** Fields of the group's types as far as their behaviour looks at them; the schema file has them all. */
export interface Deployment extends ApiObject {
  spec?: DeploymentSpec;
  status?: DeploymentStatus;
}

export interface DeploymentSpec {
  replicas?: number | null;
  selector?: LabelSelector | null;
  template?: PodTemplateSpec;
  strategy?: DeploymentStrategySpec;
  minReadySeconds?: number;
  revisionHistoryLimit?: number | null;
  progressDeadlineSeconds?: number | null;
}

export interface DeploymentStrategySpec {
  /** `RollingUpdate` or `Recreate`. */
  type?: string;
  rollingUpdate?: RollingUpdate | null;
}

/** How many pods may be away, and how many there may be above the wanted number, while they are replaced. */
export interface RollingUpdate {
  maxUnavailable?: IntOrPercent | null;
  maxSurge?: IntOrPercent | null;
}

export interface DeploymentStatus extends ReplicaStatus {
  updatedReplicas?: number;
  unavailableReplicas?: number;
}

export interface ReplicaSet extends ApiObject {
  spec?: {replicas?: number | null; minReadySeconds?: number; selector?: LabelSelector | null; template?: PodTemplateSpec};
  status?: ReplicaStatus & {fullyLabeledReplicas?: number};
}

export interface DaemonSet extends ApiObject {
  spec?: DaemonSetSpec;
  status?: DaemonSetStatus;
}

export interface DaemonSetSpec {
  selector?: LabelSelector | null;
  template?: PodTemplateSpec;
  updateStrategy?: {type?: string; rollingUpdate?: RollingUpdate | null};
  minReadySeconds?: number;
  revisionHistoryLimit?: number | null;
}

export interface DaemonSetStatus {
  currentNumberScheduled?: number;
  numberMisscheduled?: number;
  desiredNumberScheduled?: number;
  numberReady?: number;
  observedGeneration?: number | bigint;
  updatedNumberScheduled?: number;
  numberAvailable?: number;
  numberUnavailable?: number;
  collisionCount?: number | null;
}

export interface StatefulSet extends ApiObject {
  spec?: StatefulSetSpec;
  status?: StatefulSetStatus;
}

export interface StatefulSetSpec {
  replicas?: number | null;
  selector?: LabelSelector | null;
  template?: PodTemplateSpec;
  volumeClaimTemplates?: {apiVersion?: string; kind?: string; metadata?: ObjectMeta; spec?: PersistentVolumeClaimSpec}[];
  serviceName?: string;
  podManagementPolicy?: string;
  updateStrategy?: StatefulSetUpdateStrategy;
  revisionHistoryLimit?: number | null;
  minReadySeconds?: number;
  persistentVolumeClaimRetentionPolicy?: ClaimRetentionPolicy | null;
  ordinals?: {start?: number} | null;
}

export interface StatefulSetUpdateStrategy {
  /** `RollingUpdate` or `OnDelete`. */
  type?: string;
  rollingUpdate?: {partition?: number | null; maxUnavailable?: IntOrPercent | null} | null;
}

/** What becomes of the claims of pods that go: `Retain` or `Delete`. */
export interface ClaimRetentionPolicy {
  whenDeleted?: string;
  whenScaled?: string;
}

export interface StatefulSetStatus extends ReplicaStatus {
  currentReplicas?: number;
  updatedReplicas?: number;
  conditions?: {type?: string; status?: string}[];
}

/** A state of a StatefulSet's or DaemonSet's specification, kept so that one can go back to it. */
export interface ControllerRevision extends ApiObject {
  /** Any object. */
  data?: unknown;
  revision?: number | bigint;
}
