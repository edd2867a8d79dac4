import type {StepMemory} from '../stage/step-run.js';
import type {PodMemory} from './pod-run.js';

/** What is kept of a pod that has a node. */
export interface PodRecord {
  readonly uid: string;
  readonly node: string;
  readonly memory: PodMemory;
  /** Of steps of Stages; shared and empty without any. */
  steps: Map<string, StepMemory>;
  /** When something is due, in milliseconds since 1970. */
  due: number | undefined;
  /** The resource version of the last write. */
  written: string | undefined;
  /** Something else than the pod has changed since the last look began: it is looked at again, also if the pod is as it was written. */
  isStale: boolean;
  isDeleted: boolean;
  /** Whether the kubelet has taken it. */
  isAdmitted: boolean;
}
