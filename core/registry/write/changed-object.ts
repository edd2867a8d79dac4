import {conflict, StoreError, type ApiObject, type ManagedFieldsEntry} from '../../../sdk/index.js';
import type {ManagedFields} from '../../api/apply/managers/managed-fields.js';
import {fillSystemFields} from '../../api/metadata/fill-system-fields.js';
import {convertToStored} from '../../api/types/convert.js';
import type {CachedObject} from '../../storage/cache/cached-object.js';
import {transientObject, type WriteResult} from '../result-object.js';
import {errorTarget, matchPath, type ServedVersion} from '../served-version.js';
import {modifiedMessage} from '../store-errors.js';
import {WriteRequest} from './admission-request.js';
import {FieldOwners, isUnchanged, keepReadable, setManagedFields} from './field-owners.js';
import {checkSize, fillDefaults} from './object-size.js';
import {uniteOwnerReferences} from './owner-references.js';
import {AdmittedPart} from './admitted-part.js';
import type {Write} from './pipeline.js';
import {checkUid} from './preconditions.js';
import {specChanged, validateChanged} from './validate-object.js';
import {takeWritableFields} from './writable-fields.js';
import {viewOf} from '../subresources/subresource-view.js';
import {warnWithoutEffect} from './warn-without-effect.js';
import {strategyContext, type WriteScope} from './write-scope.js';

/** Allows a missing object to be created, or throws if the caller may not. */
export type MayCreate = () => void | Promise<void>;

/** The object that an update, patch or apply asks for. */
export interface ObjectChange {
  /**
   * Computes the wanted object from the current one (undefined if there is none and one may be created). Called again after a conflict;
   * must return a new object each time and must not modify `current`.
   */
  compute(current: ApiObject | undefined): ApiObject | Promise<ApiObject>;
  /** The uid that a PUT names, as a precondition. A patch has none, because it would change the uid, which is not possible. */
  readonly uid?: string | undefined;
  /** Whether `compute` has recorded the owners of the fields of its objects, as an apply does. */
  readonly ownersRecorded?: boolean;
  /** If set, a missing object is created; called before that happens. */
  readonly mayCreate?: MayCreate | undefined;
}

/** Makes a wanted object depend on no version. Not by `delete`, after which every walk over the metadata costs V8 twice as much: the version is filled in anyway. */
export function forgetVersion({metadata}: ApiObject): void {
  metadata.resourceVersion = '';
}

/** Changes an existing object: an update, a patch or an apply, of the object itself or through a subresource. */
export class ChangedObject implements Write<WriteResult> {
  object!: ApiObject;
  admission!: WriteRequest;
  #old!: ApiObject;
  #shown!: CachedObject;
  /** What the strategy warns of, which a client hears when the object is valid. */
  readonly #warnings: string[] = [];
  #recorded: ManagedFieldsEntry[] | undefined;
  #admitted: AdmittedPart | undefined;
  /** The write applies only to one version of the object. */
  #isConditional = false;
  readonly #change: ObjectChange;
  readonly #current: CachedObject;

  constructor(
    readonly scope: WriteScope,
    change: ObjectChange,
    current: CachedObject,
  ) {
    this.#change = change;
    this.#current = current;
  }

  async makeObject(): Promise<void> {
    const {served, target, context} = this.scope;
    const {compute, uid} = this.#change;
    // The body has just been decoded, and the current object is parsed here.
    if (context.task.isDue) await context.task.yield();
    const shown = served.view.converted(this.#current);
    this.#shown = shown instanceof Promise ? await shown : shown;
    const old = (this.#old = this.#shown.object());
    if (context.task.isDue) await context.task.yield();
    if (uid) checkUid(served, target.name, uid, old.metadata.uid);
    this.object = await compute(old);
    matchPath(served, this.object, target);
    // A patch or apply that names no version depends on none: it is computed again after a conflict.
    const {resourceVersion} = this.object.metadata;
    if (resourceVersion && resourceVersion !== old.metadata.resourceVersion)
      throw conflict(errorTarget(served, target.name), modifiedMessage);
    this.#isConditional = Boolean(resourceVersion);
    const subresource = target.subresource === '' ? undefined : served.version.subresource(target.subresource);
    const view = viewOf(served, subresource);
    const {admitted = (object: ApiObject) => object} = view;
    this.#admitted = view.admitted ? new AdmittedPart(this, view) : undefined;
    const kind = view.admitted ? subresource!.kind : undefined;
    this.admission = new WriteRequest('UPDATE', {...this.scope, kind, oldObject: admitted(old)}, this.#admitted ?? this);
  }

  takeAdmitted(): void {
    this.#admitted?.take();
  }

  takeWritable(): void {
    const {managedFields} = this.object.metadata;
    this.object = takeWritableFields(this.scope.served, this.scope.target, this.object, this.#old);
    setManagedFields(this.object, managedFields);
  }

  fillSystemFields(): void {
    const {object} = this;
    const {served, context} = this.scope;
    const old = this.#old.metadata;
    object.apiVersion = served.version.apiVersion;
    object.kind = served.type.kind;
    fillSystemFields(object.metadata, old);
    object.metadata.resourceVersion = old.resourceVersion!;
    uniteOwnerReferences(object, context);
  }

  applyDefaults(): void | Promise<void> {
    return fillDefaults(this.scope, this.object, this.#current.bytes.length, this.#old);
  }

  recordOwners(): void | Promise<void> {
    const {object} = this;
    if (!this.#change.ownersRecorded) {
      const sent = object.metadata.managedFields;
      setManagedFields(object, this.#old.metadata.managedFields);
      const entries = FieldOwners.of(this.scope.served).ofChanged(object, this.#old, sent, this.scope);
      if (entries instanceof Promise) return entries.then((found) => this.#own(found));
      return this.#own(entries);
    }
    this.#recorded = object.metadata.managedFields;
  }

  #own(entries: ManagedFields): void {
    setManagedFields(this.object, entries);
    this.#recorded = this.object.metadata.managedFields;
  }

  keepOwners(): void {
    keepReadable(this.object, this.#recorded, this.scope.context);
  }

  prepare(): void | Promise<void> {
    const {object} = this;
    const {served} = this.scope;
    served.dropDisabled(object, this.#old);
    const {strategy} = served.type;
    if (!strategy?.prepareForUpdate) return this.#countGeneration();
    const warn = (text: string) => this.#warnings.push(text);
    const preparing = strategy.prepareForUpdate(object, this.#old, strategyContext(this.scope, warn));
    return preparing ? preparing.then(() => this.#countGeneration()) : this.#countGeneration();
  }

  #countGeneration(): void {
    const {object} = this;
    const {served, target} = this.scope;
    const {behaviour} = served.type;
    // What an operation writes carries the spec out, as the binding of a pod to its node: it is no other wish.
    if (behaviour.generation !== 'spec' || served.version.subresources[target.subresource]?.handler !== undefined) return;
    const before = this.#old.metadata.generation ?? 0;
    const generation = specChanged(served, object, this.#old) ? before + 1 : before;
    if (generation > 0) object.metadata.generation = generation;
  }

  async validate(): Promise<void> {
    const {object} = this;
    const {served, context} = this.scope;
    const checking = checkSize(served, object, this.#current.bytes.length, this.#change.ownersRecorded ?? false, context.task);
    if (checking) await checking;
    await validateChanged(this.scope, object, this.#old);
    served.type.strategy?.canonicalize?.(object);
    for (const text of this.#warnings.splice(0)) context.warn(text);
  }

  async commit(): Promise<WriteResult> {
    const {object} = this;
    const {served, target, context} = this.scope;
    const isRemovable = readyToRemove(served, object);
    if (target.subresource === '') warnWithoutEffect(served, context);
    // An object stored in an older form is rewritten, so a client migrates objects by writing them all back unchanged.
    if (!isRemovable && isUnchanged(object, this.#old) && served.view.isStoredAsConverted(this.#current)) {
      await this.#requireLatest();
      return {result: this.#shown, created: false};
    }
    if (context.dryRun) return {result: transientObject(object), created: false};
    try {
      return {result: await this.#store(isRemovable), created: false};
    } catch (error) {
      if (this.#isConditional && StoreError.is(error) && error.code === 'Mismatch')
        throw conflict(errorTarget(served, target.name), modifiedMessage);
      throw error;
    }
  }

  /** No commit shows that what the write was based on is the latest state. @throws StoreError `Mismatch` or `Missing` if it is not */
  async #requireLatest(): Promise<void> {
    const {served, target} = this.scope;
    const getting = served.storage.get(target.namespace, target.name, 'recent');
    const latest = getting instanceof Promise ? await getting : getting;
    if (latest?.revision === this.#current.revision) return;
    throw new StoreError(latest ? 'Mismatch' : 'Missing', `${target.name} has been changed meanwhile`);
  }

  async #store(isRemovable: boolean) {
    const {object} = this;
    const current = this.#current;
    const {served, target, context} = this.scope;
    const {type, version, storage, view} = served;
    const {namespace, name} = target;
    if (isRemovable) {
      await storage.delete(namespace, name, current.revision, context.guard);
      return transientObject(object);
    }
    const converting = convertToStored(object, version);
    const stored = converting instanceof Promise ? await converting : converting;
    return view.converted(await storage.update(stored, current, namespace, name, type.storageVersion.schemaMark, context.guard));
  }
}

/**
 * Whether a terminating object can be removed: it has no finalizers, no grace period is running, and its strategy no longer holds it
 * (docs/semantics/deletion.md#finalizers).
 */
function readyToRemove(served: ServedVersion, object: ApiObject): boolean {
  const {metadata} = object;
  if (!metadata.deletionTimestamp) return false;
  if (metadata.finalizers && metadata.finalizers.length > 0) return false;
  if ((metadata.deletionGracePeriodSeconds ?? 0) > 0) return false;
  return served.type.strategy?.mayRemove?.(object) ?? true;
}
