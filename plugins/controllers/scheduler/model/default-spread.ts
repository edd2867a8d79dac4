import type {PodShape} from './pod-shape.js';
import type {SpreadConstraint} from './spread-constraints.js';

/** What pods of services and workloads are spread by that have no constraints of their own. */
export interface DefaultSpread {
  /** @returns undefined for a pod that belongs to none */
  constraintsFor(shape: PodShape): readonly SpreadConstraint[] | undefined;
}
