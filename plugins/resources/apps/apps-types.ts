import type {Unchecked} from '../../../sdk/index.js';
import type * as apps from '../../../sdk/types/apps/v1.js';

/** The group's types before validation. */
export type ControllerRevision = Unchecked<apps.ControllerRevision>;
export type DaemonSet = Unchecked<apps.DaemonSet>;
export type DaemonSetSpec = Unchecked<apps.DaemonSetSpec>;
export type DaemonSetStatus = Unchecked<apps.DaemonSetStatus>;
export type Deployment = Unchecked<apps.Deployment>;
export type DeploymentSpec = Unchecked<apps.DeploymentSpec>;
export type DeploymentStatus = Unchecked<apps.DeploymentStatus>;
export type DeploymentStrategySpec = Unchecked<apps.DeploymentStrategy>;
export type ReplicaSet = Unchecked<apps.ReplicaSet>;
export type StatefulSet = Unchecked<apps.StatefulSet>;
export type StatefulSetSpec = Unchecked<apps.StatefulSetSpec>;
export type StatefulSetStatus = Unchecked<apps.StatefulSetStatus>;
export type StatefulSetUpdateStrategy = Unchecked<apps.StatefulSetUpdateStrategy>;
export type RollingUpdate = Unchecked<apps.RollingUpdateDeployment>;
