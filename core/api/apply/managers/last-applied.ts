import type {ApiObject, JsonObject, JsonValue} from '../../../../sdk/index.js';
import {decodeJson, encodeJson} from '../../codec/json.js';
import {isJsonObject} from '../../json/is-json-object.js';
import {setMember} from '../../json/set-member.js';
import {difference, emptySet, union, type FieldSet} from '../fields/field-set.js';
import {compareObjects} from '../typed/compare.js';
import {ownedFields} from '../typed/owned-fields.js';
import type {TypeVersion} from './versions.js';

/** Where kubectl records its last client-side apply. */
const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
/** Total size limit for the annotations of one object. */
const annotationLimit = 256 * 1024;

/** kubectl's manager name for apply. The annotation counts for this manager only, because other appliers may use other names. */
export const kubectlManager = 'kubectl';

/**
 * The fields that kubectl's last client-side apply set and that still have those values. kubectl may take them from any owner, since that
 * owner is kubectl itself as an updater. Empty if the annotation is missing, unreadable or of another version.
 */
export function fieldsLastApplied(live: ApiObject, {apiVersion, schema}: TypeVersion): FieldSet {
  const last = parse(live.metadata.annotations?.[annotation]);
  if (!last || last['apiVersion'] !== apiVersion) return emptySet;
  const fields = ownedFields(schema, last);
  const changes = compareObjects(schema, last, live as unknown as JsonObject);
  return changes ? difference(fields, union(union(changes.modified, changes.added), changes.removed)) : fields;
}

function parse(text: string | undefined): JsonObject | undefined {
  if (!text) return undefined;
  try {
    const {value} = decodeJson(Buffer.from(text));
    return isJsonObject(value) ? value : undefined;
  } catch {
    // Clients can write anything into an annotation. Text that is not JSON says nothing about what was applied.
    return undefined;
  }
}

/** Updates an existing annotation, so that kubectl can return to client-side apply. Modifies `object`. */
export function refreshLastApplied(object: ApiObject, config: JsonObject): void {
  const {annotations} = object.metadata;
  if (!annotations?.[annotation]) return;
  const {annotations: given, ...metadata} = (config['metadata'] ?? {}) as JsonObject;
  const {[annotation]: _old, ...others} = (given ?? {}) as JsonObject;
  const applied = {...config, metadata: {...metadata, ...(given ? {annotations: others} : {})}};
  annotations[annotation] = `${encodeJson(sorted(applied))}\n`;
  let size = 0;
  for (const [key, value] of Object.entries(annotations)) size += Buffer.byteLength(key) + Buffer.byteLength(value);
  if (size > annotationLimit) delete annotations[annotation];
}

/** The same value with its members in alphabetical order, as kubectl writes it. */
function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const result: JsonObject = {};
  for (const name of Object.keys(value).sort()) if (value[name] !== undefined) setMember(result, name, sorted(value[name]));
  return result;
}
