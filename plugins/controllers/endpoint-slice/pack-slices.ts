import {endpointKey, endpointsOf, isSameState} from '../../families/endpoints/slice-content.js';
import type {Endpoint, EndpointSlice} from '../../../sdk/types/unchecked/discovery/v1.js';
import {touch, withEndpoints, type SlicePlan} from './slice-plan.js';

export interface PackingRules {
  /** Endpoints that a slice has room for. */
  readonly most: number;
  /** The labels that a slice should have, and whether others than those of the service have changed. */
  readonly labelsFor: (slice: EndpointSlice) => {readonly labels: Record<string, string>; readonly isChanged: boolean};
  /** A new slice without endpoints. */
  readonly make: () => EndpointSlice;
}

/**
 * Puts endpoints with the same ports into slices so that few slices change, as Kubernetes does: slices lose what is not wanted any more; those that change anyway are filled up, the fullest first; what is left goes into one other slice that has room for
 * all of it, or into new ones.
 *
 * @param desired by `endpointKey`; is emptied
 * @param plan to which is added
 */
export function packSlices(existing: readonly EndpointSlice[], desired: Map<string, Endpoint>, rules: PackingRules, plan: SlicePlan): void {
  const {most} = rules;
  const changed: EndpointSlice[] = [];
  const unchanged: EndpointSlice[] = [];
  for (const slice of existing) {
    const {kept, isUpdated} = takeDesired(slice, desired);
    const {labels, isChanged} = rules.labelsFor(slice);
    if (isUpdated && kept.length === 0) plan.remove.push(slice);
    else if (isUpdated || isChanged) {
      const copy = withEndpoints(slice, kept);
      copy.metadata = {...slice.metadata, labels};
      plan.update.set(slice, copy);
      changed.push(copy);
    } else {
      plan.unchanged.add(slice);
      unchanged.push(slice);
    }
  }
  for (const slice of changed.toSorted((one, other) => endpointsOf(other).length - endpointsOf(one).length)) fill(slice, desired, most);
  while (desired.size > 0) {
    const found = desired.size < most ? sliceToFill(unchanged, desired.size, most) : undefined;
    if (found) {
      fill(touch(plan, found), desired, most);
    } else {
      const made = rules.make();
      fill(made, desired, most);
      plan.create.push(made);
    }
  }
}

/** The endpoints of a slice that are still wanted, as they are wanted. They are taken out of `desired`. */
function takeDesired(slice: EndpointSlice, desired: Map<string, Endpoint>): {kept: Endpoint[]; isUpdated: boolean} {
  const kept: Endpoint[] = [];
  let isUpdated = false;
  const before = endpointsOf(slice);
  for (const endpoint of before) {
    const key = endpointKey(endpoint);
    const wanted = desired.get(key);
    if (!wanted) continue;
    desired.delete(key);
    kept.push(wanted);
    if (!isSameState(wanted, endpoint)) isUpdated = true;
  }
  if (isUpdated || kept.length !== before.length) return {kept, isUpdated: true};
  // With their hints, which may stay.
  return {kept: [...before], isUpdated: false};
}

function fill(slice: EndpointSlice, desired: Map<string, Endpoint>, most: number): void {
  const endpoints = slice.endpoints ?? (slice.endpoints = []);
  for (const [key, endpoint] of desired) {
    if (endpoints.length >= most) return;
    endpoints.push(endpoint);
    desired.delete(key);
  }
}

/** The slice that is fullest afterwards, of those that have room for all of them. */
function sliceToFill(slices: readonly EndpointSlice[], count: number, most: number): EndpointSlice | undefined {
  let fullest: EndpointSlice | undefined;
  let leastLeft = most;
  for (const slice of slices) {
    const left = most - count - endpointsOf(slice).length;
    if (left < 0 || left >= leastLeft) continue;
    leastLeft = left;
    fullest = slice;
  }
  return fullest;
}
