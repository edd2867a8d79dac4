import {equalJson} from '../../../sdk/values/equal-json.js';
import {apiVersionOf, type ApiObject, type JsonValue} from '../../../sdk/index.js';
import type {SchemaNode} from '../../api/schema/schema-node.js';
import type {DecodeTarget} from './decode-object.js';

/**
 * The options of a connection (`PodExecOptions` and the like), taken from the query parameters and the rest of the path. Values that do not
 * match the schema are left out: the handler that reads the parameters reports their faults.
 */
export function connectionOptions({kind, schema}: DecodeTarget, query: URLSearchParams, path: string): ApiObject {
  const options: Record<string, JsonValue> = {kind: kind.kind, apiVersion: apiVersionOf(kind)};
  for (const [name, node] of schema.node.properties) {
    const values = name === 'path' && path !== '' ? [path] : query.getAll(name);
    const value = values.length === 0 ? undefined : valueOf(node, values);
    if (value !== undefined) options[name] = value;
  }
  return options as unknown as ApiObject;
}

/** The parameters and the rest of the path of a connection whose options have been changed by admission. */
export function connectionTarget(
  {schema}: DecodeTarget,
  {query, path}: ConnectionTarget,
  before: ApiObject,
  after: ApiObject,
): ConnectionTarget {
  const changed = new URLSearchParams(query);
  let changedPath = path;
  const [old, now] = [before, after] as unknown as Record<string, JsonValue | undefined>[];
  for (const name of schema.node.properties.keys()) {
    if (name === 'kind' || name === 'apiVersion' || equalJson(old![name] ?? null, now![name] ?? null)) continue;
    const value = now![name];
    if (name === 'path' && path !== '') {
      changedPath = typeof value === 'string' ? value : '';
      continue;
    }
    changed.delete(name);
    for (const one of Array.isArray(value) ? value : value === undefined || value === null ? [] : [value])
      changed.append(name, String(one as string));
  }
  return {query: changed, path: changedPath};
}

/** What a connection is asked for. */
export interface ConnectionTarget {
  readonly query: URLSearchParams;
  /** The rest of the path after the subresource. */
  readonly path: string;
}

function valueOf(node: SchemaNode, values: readonly string[]): JsonValue | undefined {
  const [first = ''] = values;
  switch (node.type) {
    case 'string':
      return first;
    case 'boolean':
      return first !== 'false' && first !== '0';
    case 'integer':
      return /^-?\d{1,15}$/.test(first) ? Number(first) : undefined;
    case 'array':
      return node.items ? values.map((value) => valueOf(node.items!, [value])).filter((value) => value !== undefined) : undefined;
    default:
      return undefined;
  }
}
