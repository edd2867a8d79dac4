import {conflict, StoreError, type ApiObject, type ManagedFieldsEntry} from '../../../sdk/index.js';
import {fillSystemFields} from '../../api/metadata/fill-system-fields.js';
import {convertToStored} from '../../api/types/convert.js';
import type {CachedObject} from '../../storage/cache/cached-object.js';
import {transientObject, type WriteResult} from '../result-object.js';
import {applyDefaults, errorTarget, matchPath, strategyContext, type ObjectTarget, type ServedVersion} from '../served-version.js';
import {modifiedMessage} from '../store-errors.js';
import {WriteRequest} from './admission-request.js';
import {FieldOwners, isUnchanged, keepReadable, setManagedFields} from './field-owners.js';
import {checkSize, refuseHuge} from './object-size.js';
import {uniteOwnerReferences} from './owner-references.js';
import {AdmittedPart} from './admitted-part.js';
import {Write} from './pipeline.js';
import {checkUid} from './preconditions.js';
import {readyToRemove} from './removal.js';
import {specChanged, validateChanged} from './validate-object.js';
import {takeWritableFields} from './writable-fields.js';
import {viewOf} from '../subresources/subresource-view.js';
import type {WriteContext} from '../request-context.js';
import {warnWithoutEffect} from './warn-without-effect.js';

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

/** Changes an existing object: an update, a patch or an apply, of the object itself or through a subresource. */
export class ChangedObject extends Write<WriteResult> {
  admission!: WriteRequest;
  readonly #now: number;
  #old!: ApiObject;
  #shown!: CachedObject;
  #recorded: ManagedFieldsEntry[] | undefined;
  #admitted: AdmittedPart | undefined;
  /** The write applies only to one version of the object. */
  #isConditional = false;
  readonly #served: ServedVersion;
  readonly #target: ObjectTarget;
  readonly #context: WriteContext;
  readonly #change: ObjectChange;
  readonly #current: CachedObject;

  constructor(served: ServedVersion, target: ObjectTarget, context: WriteContext, change: ObjectChange, current: CachedObject) {
    super();
    this.#served = served;
    this.#target = target;
    this.#context = context;
    this.#change = change;
    this.#current = current;
    this.#now = served.clock();
  }

  override async makeObject(): Promise<void> {
    const served = this.#served;
    const target = this.#target;
    const context = this.#context;
    const change = this.#change;
    const current = this.#current;
    // The body has just been decoded, and the current object is parsed here.
    let waiting = context.task.yieldIfDue();
    if (waiting) await waiting;
    this.#shown = await served.view.converted(current);
    const old = (this.#old = this.#shown.object());
    if ((waiting = context.task.yieldIfDue())) await waiting;
    if (change.uid) checkUid(served, target.name, change.uid, old.metadata.uid);
    this.object = await change.compute(old);
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
    this.admission = new WriteRequest('UPDATE', {served, target, context, kind, oldObject: admitted(old)}, this.#admitted ?? this);
  }

  override takeAdmitted(): void {
    this.#admitted?.take();
  }

  override takeWritable(): void {
    const {managedFields} = this.object.metadata;
    this.object = takeWritableFields(this.#served, this.#target, this.object, this.#old);
    setManagedFields(this.object, managedFields);
  }

  override fillSystemFields(): void {
    const {object} = this;
    const served = this.#served;
    const old = this.#old.metadata;
    object.apiVersion = served.version.apiVersion;
    object.kind = served.type.kind;
    fillSystemFields(object.metadata, old);
    object.metadata.resourceVersion = old.resourceVersion!;
    uniteOwnerReferences(object, this.#context);
  }

  override applyDefaults(): void {
    refuseHuge(this.#served, this.object, this.#current.bytes.length, this.#old);
    applyDefaults(this.#served, this.object);
    refuseHuge(this.#served, this.object, this.#current.bytes.length, this.#old);
  }

  override async recordOwners(): Promise<void> {
    const {object} = this;
    const served = this.#served;
    const target = this.#target;
    const context = this.#context;
    if (!this.#change.ownersRecorded) {
      const sent = object.metadata.managedFields;
      setManagedFields(object, this.#old.metadata.managedFields);
      setManagedFields(object, await FieldOwners.of(served).ofChanged(object, this.#old, sent, target, context, this.#now));
    }
    this.#recorded = object.metadata.managedFields;
  }

  override keepOwners(): void {
    keepReadable(this.object, this.#recorded, this.#context);
  }

  override async prepare(): Promise<void> {
    const {object} = this;
    const served = this.#served;
    const target = this.#target;
    const context = this.#context;
    const {strategy, behaviour} = served.type;
    await strategy?.prepareForUpdate?.(object, this.#old, strategyContext(served, target, context, this.#now));
    if (behaviour.generation !== 'spec') return;
    const before = this.#old.metadata.generation ?? 0;
    const generation = specChanged(served, object, this.#old) ? before + 1 : before;
    if (generation > 0) object.metadata.generation = generation;
  }

  override async validate(): Promise<void> {
    const {object} = this;
    const served = this.#served;
    const target = this.#target;
    const context = this.#context;
    const change = this.#change;
    const current = this.#current;
    let waiting = checkSize(served, object, current.bytes.length, change.ownersRecorded ?? false, context.task);
    if (waiting) await waiting;
    await validateChanged(served, object, this.#old, target, context, this.#now);
    if ((waiting = context.task.yieldIfDue())) await waiting;
    served.type.strategy?.canonicalize?.(object);
  }

  override async commit(): Promise<WriteResult> {
    const {object} = this;
    const served = this.#served;
    const target = this.#target;
    const context = this.#context;
    const current = this.#current;
    const {view} = served;
    const isRemovable = readyToRemove(served, object);
    if (target.subresource === '') warnWithoutEffect(served, context);
    // An object stored in an older form is rewritten, so a client migrates objects by writing them all back unchanged.
    if (!isRemovable && isUnchanged(object, this.#old) && view.isStoredAsConverted(current)) return {result: this.#shown, created: false};
    if (context.dryRun) return {result: transientObject(object), created: false};
    try {
      return {result: await this.#store(isRemovable), created: false};
    } catch (error) {
      if (this.#isConditional && StoreError.is(error) && error.code === 'Mismatch')
        throw conflict(errorTarget(served, target.name), modifiedMessage);
      throw error;
    }
  }

  async #store(isRemovable: boolean) {
    const {object} = this;
    const served = this.#served;
    const current = this.#current;
    const {type, version, storage, view} = served;
    const {namespace, name} = this.#target;
    if (isRemovable) {
      await storage.delete(namespace, name, current.revision, this.#context.guard);
      return transientObject(object);
    }
    const stored = await convertToStored(object, version);
    return view.converted(await storage.update(stored, current, namespace, name, type.storageVersion.schemaMark, this.#context.guard));
  }
}
