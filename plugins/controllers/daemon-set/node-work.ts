import type {Kept} from './daemon-pod.js';

/** Pods to be made, by node, and to be deleted. */
export interface NodeWork {
  readonly create: string[];
  readonly delete: Kept[];
}
