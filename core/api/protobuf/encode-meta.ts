import type {ApiObject, GroupVersionKind, JsonObject, Status} from '../../../sdk/index.js';
import {SchemaCatalog} from '../object-schema/schema-catalog.js';
import type {SchemaNode} from '../schema/schema-node.js';
import {encodeObject} from './envelope.js';

let catalog: SchemaCatalog | undefined;
const nodes = new Map<string, SchemaNode>();

/**
 * Encodes an object of the common metadata (`Status`, `APIGroup`) in the binary form.
 *
 * @throws Error for a kind that the common metadata does not define
 */
export function encodeMeta(kind: string, object: JsonObject): Buffer {
  return encodeObject(object, {group: '', version: 'v1', kind}, metaNode(kind));
}

/** Encodes the metadata of an object of any type by itself. @param groupVersion of the metadata group, as the client has asked for it */
export function encodePartialMetadata({metadata}: Pick<ApiObject, 'metadata'>, groupVersion: Omit<GroupVersionKind, 'kind'>): Buffer {
  const kind = 'PartialObjectMetadata';
  return encodeObject({metadata} as unknown as JsonObject, {...groupVersion, kind}, metaNode(kind));
}

/** The schema of a kind of the common metadata. @throws Error for one that it does not define */
export function metaNode(kind: string): SchemaNode {
  let node = nodes.get(kind);
  if (!node) {
    catalog ??= new SchemaCatalog();
    nodes.set(kind, (node = catalog.node(`meta.orch/v1#/definitions/${kind}`)));
  }
  return node;
}

export function encodeStatus(status: Status | Omit<Status, 'code'>): Buffer {
  return encodeMeta('Status', status as unknown as JsonObject);
}
