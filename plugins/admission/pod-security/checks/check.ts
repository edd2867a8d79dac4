import type {PodSpec} from '../../../../sdk/types/unchecked/core/v1.js';

/** What is checked: a pod or a pod template. */
export interface CheckedPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

/** Annotations that are checked, as the naming profile spells them. */
export interface CheckedKeys {
  /** Before the name of a container. */
  readonly appArmorContainer: string;
  readonly seccompPod: string;
  /** Before the name of a container. */
  readonly seccompContainer: string;
}

/** A violation of a level by a pod. */
export interface Violation {
  /** The same for all pods that violate the check in the same way. */
  readonly reason: string;
  /** Where in this pod. */
  readonly detail: string;
}

/** A control as of a policy version. */
export interface Revision {
  /** The minor version: 19 for `v1.19`. */
  readonly since: number;
  /** Ids of baseline checks that this one includes, so that they are skipped at the level `restricted`. */
  readonly replaces?: readonly string[];
  check(pod: CheckedPod, keys: CheckedKeys): Violation | undefined;
}

/** A control of the Pod Security Standards. */
export interface Check {
  /** Checks run in the order of their ids, those of the level `baseline` first. */
  readonly id: string;
  readonly level: 'baseline' | 'restricted';
  /** In the order of their versions. */
  readonly revisions: readonly Revision[];
}
