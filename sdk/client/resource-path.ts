import {spelledGroup, type PlatformNames} from './platform.js';

/** The target of a request. An empty namespace means all of them, or none for cluster-scoped types. */
export interface ResourcePlace {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name?: string;
  readonly subresource?: string;
}

/** The path of a collection, object or subresource. @throws TypeError for a name that is invalid in a path */
export function resourcePath(place: ResourcePlace, platform: PlatformNames): string {
  const parts = place.group === '' ? ['api', place.version] : ['apis', spelledGroup(place.group, platform), place.version];
  if (place.namespace !== '') parts.push('namespaces', place.namespace);
  parts.push(place.resource);
  if (place.name !== undefined) parts.push(place.name);
  if (place.subresource !== undefined) parts.push(...place.subresource.split('/'));
  return parts.map((part) => `/${segment(part)}`).join('');
}

function segment(text: string): string {
  if (text === '' || text === '.' || text === '..') throw new TypeError(`${JSON.stringify(text)} cannot be part of a path`);
  return encodeURIComponent(text);
}
