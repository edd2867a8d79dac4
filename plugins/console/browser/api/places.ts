import {hrefOf} from './location.js';
import type {ResourceType} from './types.js';

/** What stands for the core group in addresses, whose name is empty. */
const core = 'core';

export const groupPart = (group: string): string => (group === '' ? core : group);
export const groupOfPart = (part: string): string => (part === core ? '' : part);

/** The list of a type. */
export function listHref(type: Pick<ResourceType, 'group' | 'resource'>, query: Readonly<Record<string, string | undefined>> = {}): string {
  return hrefOf(['objects', groupPart(type.group), type.resource], query);
}

/** One object. Those of the cluster have `-` in the place of a namespace, which cannot be the name of one. */
export function objectHref(
  type: Pick<ResourceType, 'group' | 'resource'>,
  {namespace = '', name}: {readonly namespace?: string; readonly name: string},
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  return hrefOf(['object', groupPart(type.group), type.resource, namespace || '-', name], query);
}

/** Where a request is explained, by its id. */
export function whyHref(id: string): string {
  return hrefOf(['why', id]);
}
