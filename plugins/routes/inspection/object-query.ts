import {badRequest, notFound, type ResourceClient, type ServedResource} from '../../../sdk/index.js';
import * as bounds from './bounds.js';

/** The object that a request asks about. */
export interface NamedObject {
  readonly type: ServedResource;
  /** Empty for a cluster-scoped type. */
  readonly namespace: string;
  readonly name: string;
}

/**
 * Reads which object a query names: `group` (empty for the core group), `version`, `resource`, `namespace` for types that have one, `name`.
 *
 * @throws StatusError 400; 404 if there is no such type
 */
export function namedObject(query: URLSearchParams, resources: Pick<ResourceClient, 'resources'>): NamedObject {
  const [group, version, resource, namespace, name] = ['group', 'version', 'resource', 'namespace', 'name'].map((parameter) =>
    valueOf(query, parameter),
  ) as [string, string, string, string, string];
  for (const [parameter, value] of Object.entries({version, resource, name}))
    if (value === '') throw badRequest(`the parameter ${parameter} has to be given`);
  const type = resources.resources().find((each) => each.group === group && each.version === version && each.resource === resource);
  if (!type) throw notFound({group, resource, name});
  if (type.namespaced && namespace === '') throw badRequest(`the parameter namespace has to be given: ${resource} have one`);
  return {type, namespace: type.namespaced ? namespace : '', name};
}

/** @throws StatusError 400 */
export function valueOf(query: URLSearchParams, parameter: string): string {
  const values = query.getAll(parameter);
  if (values.length > 1) throw badRequest(`the parameter ${parameter} is given more than once`);
  const [value = ''] = values;
  if (value.length > bounds.parameter) throw badRequest(`the parameter ${parameter} is longer than ${bounds.parameter} characters`);
  return value;
}
