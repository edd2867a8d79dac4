import {age, strategy, type FieldError, type ResourceStrategy} from '../../../sdk/index.js';
import {canonicalSubsets} from './canonical-endpoints.js';
import type {Endpoints} from './endpoints.js';
import {endpointsFaults} from './endpoints-rules.js';

const shownEndpoints = 3;

/** Endpoints: the addresses behind a service, kept in one normal form. */
@strategy()
export class EndpointsStrategy implements ResourceStrategy<Endpoints> {
  validateCreate(object: Endpoints): FieldError[] {
    return endpointsFaults(object);
  }

  validateUpdate(object: Endpoints): FieldError[] {
    return endpointsFaults(object);
  }

  canonicalize(object: Endpoints): void {
    if (object.subsets) object.subsets = canonicalSubsets(object.subsets);
  }

  tableCells(object: Endpoints, now: Date): Record<string, string> {
    return {Endpoints: endpointsText(object), Age: age(object.metadata.creationTimestamp, now)};
  }
}

function endpointsText({subsets = []}: Endpoints): string {
  const all = subsets.flatMap(({addresses = [], ports = []}) => {
    if (ports.length === 0) return addresses.map(({ip = ''}) => ip);
    return ports.flatMap(({port = 0}) => addresses.map(({ip = ''}) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)));
  });
  if (all.length === 0) return '<none>';
  const shown = all.slice(0, shownEndpoints).join(',');
  return all.length > shownEndpoints ? `${shown} + ${all.length - shownEndpoints} more...` : shown;
}
