import type {JsonObject, Status} from '../../../sdk/index.js';
import {SchemaCatalog} from '../schema/schema-catalog.js';
import type {SchemaNode} from '../schema/schema-node.js';
import {encodeObject} from './envelope.js';

let catalog: SchemaCatalog | undefined;
const nodes = new Map<string, SchemaNode>();

/**
 * An object of the common metadata (`Status`, `APIGroup`) in binary form.
 *
 * @throws Error for a kind that is not among the definitions of the common metadata
 */
export function encodeMeta(kind: string, object: JsonObject): Buffer {
  let node = nodes.get(kind);
  if (!node) {
    catalog ??= new SchemaCatalog();
    nodes.set(kind, (node = catalog.node(`meta.orch/v1#/definitions/${kind}`)));
  }
  return encodeObject(object, {group: '', version: 'v1', kind}, node);
}

/** A Status in binary form. */
export function encodeStatus(status: Status): Buffer {
  return encodeMeta('Status', status as unknown as JsonObject);
}
