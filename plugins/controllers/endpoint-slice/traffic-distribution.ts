import type {FeatureGates} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {Service} from '../../../sdk/types/unchecked/core/v1.js';
import type {Endpoint, EndpointHints} from '../../../sdk/types/unchecked/discovery/v1.js';
import {endpointsOf, isReadyEndpoint} from '../../families/endpoints/slice-content.js';
import {touch, writtenSlices, type SlicePlan} from './slice-plan.js';

/** How near traffic is to stay: in its zone, or on its node where that is possible; undefined if the service does not say. */
export function trafficNearness({spec}: Service, gates: FeatureGates): 'zone' | 'node' | undefined {
  const {trafficDistribution} = spec ?? {};
  if (trafficDistribution === 'PreferClose') return 'zone';
  if (!gates.enabled('PreferSameTrafficDistribution')) return undefined;
  if (trafficDistribution === 'PreferSameZone') return 'zone';
  return trafficDistribution === 'PreferSameNode' ? 'node' : undefined;
}

/** Gives each endpoint that takes traffic the hint that it is for its own zone, and with `node` for its node. */
export function hintByDistance(plan: SlicePlan, nearness: 'zone' | 'node'): void {
  const isRight = (endpoint: Endpoint) => !isReadyEndpoint(endpoint) || sameValue(endpoint.hints, hintsOf(endpoint, nearness));
  for (const slice of plan.unchanged) if (!endpointsOf(slice).every(isRight)) touch(plan, slice);
  for (const slice of writtenSlices(plan)) {
    for (const endpoint of endpointsOf(slice)) {
      if (!isReadyEndpoint(endpoint)) continue;
      const hints = hintsOf(endpoint, nearness);
      if (hints) endpoint.hints = hints;
      else delete endpoint.hints;
    }
  }
}

function hintsOf({zone, nodeName}: Endpoint, nearness: 'zone' | 'node'): EndpointHints | undefined {
  const forZones = zone === undefined ? undefined : [{name: zone}];
  const forNodes = nodeName === undefined || nearness === 'zone' ? undefined : [{name: nodeName}];
  return forZones || forNodes ? {...(forZones ? {forZones} : {}), ...(forNodes ? {forNodes} : {})} : undefined;
}
