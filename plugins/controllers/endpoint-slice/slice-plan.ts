import {endpointsOf, isReadyEndpoint} from '../../families/endpoints/slice-content.js';
import type {Endpoint, EndpointSlice} from '../../../sdk/types/unchecked/discovery/v1.js';

/** What is to become of the slices of a service in one family of addresses. New slices have no name. */
export interface SlicePlan {
  readonly create: EndpointSlice[];
  /** What slices become, by what they are. */
  readonly update: Map<EndpointSlice, EndpointSlice>;
  readonly remove: EndpointSlice[];
  readonly unchanged: Set<EndpointSlice>;
}

/** A plan without anything in it. */
export function emptyPlan(): SlicePlan {
  return {create: [], update: new Map(), remove: [], unchanged: new Set()};
}

/** A copy of a slice with other endpoints. */
export function withEndpoints(slice: EndpointSlice, endpoints: readonly Endpoint[]): EndpointSlice {
  return {...slice, endpoints: endpoints.map((endpoint) => ({...endpoint}))};
}

/** The slices that will be there, new ones first: those that are written, and those that are left as they are. */
export function* writtenSlices({create, update}: SlicePlan): Iterable<EndpointSlice> {
  yield* create;
  yield* update.values();
}

/** How many endpoints take traffic when the plan is carried out. */
export function countReady(plan: SlicePlan): number {
  let count = 0;
  for (const slice of [...writtenSlices(plan), ...plan.unchanged]) count += endpointsOf(slice).filter(isReadyEndpoint).length;
  return count;
}

/** A slice that would be left as it is will be written. @returns what is written, to be changed */
export function touch({update, unchanged}: SlicePlan, slice: EndpointSlice): EndpointSlice {
  const copy = withEndpoints(slice, endpointsOf(slice));
  unchanged.delete(slice);
  update.set(slice, copy);
  return copy;
}

/** Takes the hints out of all slices. */
export function dropHints(plan: SlicePlan): void {
  for (const slice of plan.unchanged) if (endpointsOf(slice).some(({hints}) => hints)) touch(plan, slice);
  for (const slice of writtenSlices(plan)) for (const endpoint of endpointsOf(slice)) delete endpoint.hints;
}
