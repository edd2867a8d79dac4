import type {JsonObject, Status} from '../../../sdk/index.js';
import {SchemaCatalog} from '../schema/schema-catalog.js';
import type {SchemaNode} from '../schema/schema-node.js';
import {encodeObject} from './envelope.js';

let node: SchemaNode | undefined;

/** A Status in binary form. */
export function encodeStatus(status: Status): Buffer {
  node ??= new SchemaCatalog().node('meta.orch/v1#/definitions/Status');
  return encodeObject(status as unknown as JsonObject, {group: '', version: 'v1', kind: 'Status'}, node);
}
