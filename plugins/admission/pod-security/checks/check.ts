import type {PodSpec} from '../../../families/pods/types.js';

/** What a check looks at: a pod, or the template of one. */
export interface CheckedPod {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

/** Annotations that checks look at, as the naming profile spells them. */
export interface CheckedKeys {
  /** Before the name of a container. */
  readonly appArmorContainer: string;
  readonly seccompPod: string;
  /** Before the name of a container. */
  readonly seccompContainer: string;
}

/** What a pod does that a level does not allow. */
export interface Violation {
  /** The same for all pods that violate the check in the same way. */
  readonly reason: string;
  /** Where in this pod. */
  readonly detail: string;
}

/** A control in the form that it has from a policy version on. */
export interface Revision {
  /** The minor version: 19 for `v1.19`. */
  readonly since: number;
  /** Ids of baseline checks that this one covers too, so that they are not made at the level `restricted`. */
  readonly replaces?: readonly string[];
  check(pod: CheckedPod, keys: CheckedKeys): Violation | undefined;
}

/** A control of the Pod Security Standards. */
export interface Check {
  /** Checks are made in the order of their ids, those of the level `baseline` first. */
  readonly id: string;
  readonly level: 'baseline' | 'restricted';
  /** In the order of their versions. */
  readonly revisions: readonly Revision[];
}
