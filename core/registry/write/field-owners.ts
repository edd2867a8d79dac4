import type {ApiObject, JsonObject, ManagedFieldsEntry} from '../../../sdk/index.js';
import {isEmptySet} from '../../api/apply/fields/field-set.js';
import {InvalidFields} from '../../api/apply/fields/invalid-fields.js';
import {asksForReset, fieldsOfEntry, readManagedFields, type ManagedFields} from '../../api/apply/managers/managed-fields.js';
import {pathSet, type FieldScope} from '../../api/apply/managers/field-scope.js';
import {trackUpdate, type Writer} from '../../api/apply/managers/track-update.js';
import type {FindVersion, TypeVersion} from '../../api/apply/managers/versions.js';
import {MergeSchema} from '../../api/apply/typed/merge-schema.js';
import {zeroObject} from '../../api/apply/typed/zero-object.js';
import {equalJson} from '../../../sdk/values/equal-json.js';
import {convertTo, convertToStored} from '../../api/types/convert.js';
import type {ResourceTypeVersion} from '../../api/types/resource-type.js';
import {timestamp, type ServedVersion} from '../served-version.js';
import type {WriteContext} from '../request-context.js';
import {keptPaths, writablePaths} from './writable-fields.js';
import type {WriteScope} from './write-scope.js';

const known = new WeakMap<ServedVersion, FieldOwners>();

/** Records who owns which fields of the objects of one endpoint (docs/semantics/apply.md#ownership). */
export class FieldOwners {
  readonly version: TypeVersion;
  readonly find: FindVersion;
  #nothing: JsonObject | undefined;
  readonly #scopes = new Map<string, FieldScope>();
  readonly #versions = new Map<ResourceTypeVersion, TypeVersion>();
  readonly #served: ServedVersion;

  private constructor(served: ServedVersion) {
    this.#served = served;
    this.version = this.#typeVersion(served.version);
    this.find = (apiVersion) => {
      if (apiVersion === this.version.apiVersion) return this.version;
      const found = served.findVersion(apiVersion);
      // A view does not know the versions of the type that it shows: who owns fields there is forgotten, as in Kubernetes.
      return found && (found.type === served.type || served.type.storageName === served.type.qualifiedName)
        ? this.#typeVersion(found)
        : undefined;
    };
  }

  static of(served: ServedVersion): FieldOwners {
    let owners = known.get(served);
    if (!owners) known.set(served, (owners = new FieldOwners(served)));
    return owners;
  }

  /** An empty object of the type. Shared; must not be modified. */
  get nothing(): JsonObject {
    const {schema, apiVersion, kind} = this.#served.version;
    return (this.#nothing ??= {...zeroObject(schema.node), apiVersion, kind: kind.kind});
  }

  writer(manager: string, subresource: string, now: number): Writer {
    return {manager, subresource, time: timestamp(now), scope: this.#scope(subresource)};
  }

  /** The owners of a new object's fields: the writer owns all of them. */
  ofNew(object: ApiObject, {context, now}: WriteScope): ManagedFields | Promise<ManagedFields> {
    return this.#track(this.nothing, object, [], this.writer(context.fieldManager, '', now), context);
  }

  /**
   * The owners of a changed object's fields. `object` must have the entries of `old`.
   *
   * On the main endpoint, readable entries from the client replace the stored ones, and a single empty entry discards all. An object
   * without entries gets none until the first apply.
   */
  ofChanged(object: ApiObject, old: ApiObject, sent: unknown, {target, context, now}: WriteScope): ManagedFields | Promise<ManagedFields> {
    const reset = target.subresource === '' && asksForReset(sent);
    const stored = old.metadata.managedFields ?? [];
    const before = reset ? [] : target.subresource === '' ? entriesFrom(sent, stored) : stored;
    if (before.length === 0 && !reset) return before;
    return this.#track(old as unknown as JsonObject, object, before, this.writer(context.fieldManager, target.subresource, now), context);
  }

  #track(
    before: JsonObject,
    object: ApiObject,
    entries: ManagedFields,
    writer: Writer,
    {task}: WriteContext,
  ): ManagedFields | Promise<ManagedFields> {
    return trackUpdate(before, object as unknown as JsonObject, entries, this.version, this.find, writer, task);
  }

  #scope(subresource: string): FieldScope {
    let scope = this.#scopes.get(subresource);
    if (!scope) {
      const only = writablePaths(this.#served, subresource);
      const except = keptPaths(this.#served, subresource);
      scope = only ? {only: pathSet(only)} : except.length > 0 ? {except: pathSet(except)} : {};
      this.#scopes.set(subresource, scope);
    }
    return scope;
  }

  #typeVersion(version: ResourceTypeVersion): TypeVersion {
    let found = this.#versions.get(version);
    if (!found) {
      const served = this.#served;
      const {apiVersion} = version;
      found = {
        apiVersion,
        get schema() {
          return MergeSchema.of(version.schema.node);
        },
        async convert(object) {
          if (object['apiVersion'] === apiVersion) return object;
          const from = served.findVersion(object['apiVersion'] as string) ?? served.version;
          const given = object as unknown as ApiObject;
          return (await convertTo(
            from.type === version.type ? given : await convertToStored(given, from),
            version,
          )) as unknown as JsonObject;
        },
      };
      this.#versions.set(version, found);
    }
    return found;
  }
}

/** Entries that a client sent back, or the stored ones if it sent none, or none that can be read. */
function entriesFrom(sent: unknown, stored: ManagedFields): ManagedFields {
  if (!Array.isArray(sent) || sent.length === 0 || equalJson(sent, stored)) return stored;
  return readable(sent as ManagedFieldsEntry[]) ?? stored;
}

function readable(entries: ManagedFields): ManagedFields | undefined {
  try {
    // Who owns nothing is no owner, whatever else the entry says.
    return readManagedFields(entries).filter((entry) => !isEmptySet(fieldsOfEntry(entry)));
  } catch (error) {
    // A client that does not understand the entries must not remove them for everyone.
    if (error instanceof InvalidFields) return undefined;
    throw error;
  }
}

export function setManagedFields({metadata}: ApiObject, entries: ManagedFields | undefined): void {
  if (entries && entries.length > 0) metadata.managedFields = entries as ManagedFieldsEntry[];
  else delete metadata.managedFields;
}

/** Restores the recorded entries if admission has made them unreadable. */
export function keepReadable(object: ApiObject, recorded: ManagedFieldsEntry[] | undefined, context: WriteContext): void {
  const {managedFields} = object.metadata;
  if (managedFields === recorded || managedFields === undefined) return;
  try {
    setManagedFields(object, readManagedFields(managedFields));
  } catch (error) {
    if (!(error instanceof InvalidFields)) throw error;
    setManagedFields(object, recorded);
    context.warn(
      `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${error.message}`,
    );
  }
}

/** Whether an object is unchanged except for the times of its owners; if so, those are restored. Modifies `object`. */
export function isUnchanged(object: ApiObject, old: ApiObject): boolean {
  const {managedFields} = object.metadata;
  const stored = old.metadata.managedFields;
  if (managedFields === stored) return equalJson(object, old);
  if (!managedFields || !stored || !equalApartFromTimes(managedFields, stored)) return false;
  object.metadata.managedFields = stored;
  if (equalJson(object, old)) return true;
  object.metadata.managedFields = managedFields;
  return false;
}

function equalApartFromTimes(a: ManagedFields, b: ManagedFields): boolean {
  return (
    a.length === b.length &&
    a.every((entry, index) => entry === b[index] || equalJson({...entry, time: undefined}, {...b[index], time: undefined}))
  );
}
