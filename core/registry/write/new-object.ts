import {badRequest, StatusError, StoreError, type ApiObject, type ManagedFieldsEntry} from '../../../sdk/index.js';
import {generateName} from '../../../sdk/values/generate-name.js';
import {randomUuid} from '../../../sdk/values/random-uuid.js';
import {convertToStored} from '../../api/types/convert.js';
import {transientObject, type WriteResult} from '../result-object.js';
import {
  applyDefaults,
  errorTarget,
  matchPath,
  strategyContext,
  timestamp,
  type ObjectTarget,
  type ServedVersion,
} from '../served-version.js';
import {toStatusError} from '../store-errors.js';
import {WriteRequest} from './admission-request.js';
import {FieldOwners, keepReadable, setManagedFields} from './field-owners.js';
import {checkSize, refuseHuge} from './object-size.js';
import {uniteOwnerReferences} from './owner-references.js';
import {Write} from './pipeline.js';
import {restorePath} from './restore-paths.js';
import {validateNew} from './validate-object.js';
import type {WriteContext} from '../request-context.js';
import {warnWithoutEffect} from './warn-without-effect.js';
import type {WriteDependency} from '../write-dependency.js';

/** Attempts with `generateName`, each of which may hit an existing name. */
const nameAttempts = 8;
/** Attempts while the object by which it was judged goes on changing. */
const judgements = 20;

/** Creates an object: a create, or an update or apply of a missing object. */
export class NewObject extends Write<WriteResult> {
  readonly admission: WriteRequest;
  readonly #now: number;
  readonly #uid = randomUuid();
  #recorded: ManagedFieldsEntry[] | undefined;
  #isNameGenerated = false;
  readonly #served: ServedVersion;
  readonly #target: ObjectTarget;
  readonly #context: WriteContext;
  readonly #wanted: () => ApiObject | Promise<ApiObject>;
  readonly #ownersRecorded: boolean;

  /**
   * @param target name of the path, empty for a create
   * @param wanted returns the object, decoded by the type's schema
   * @param ownersRecorded whether `wanted` has recorded the owners of the fields, as an apply does
   */
  constructor(
    served: ServedVersion,
    target: ObjectTarget,
    context: WriteContext,
    wanted: () => ApiObject | Promise<ApiObject>,
    ownersRecorded = false,
  ) {
    super();
    this.#served = served;
    this.#target = target;
    this.#context = context;
    this.#wanted = wanted;
    this.#ownersRecorded = ownersRecorded;
    this.#now = served.clock();
    this.admission = new WriteRequest('CREATE', {served, target, context}, this);
  }

  override makeObject(): void | Promise<void> {
    const wanted = this.#wanted();
    return wanted instanceof Promise ? wanted.then((object) => this.#take(object)) : this.#take(wanted);
  }

  #take(object: ApiObject): void {
    this.object = object;
    if (object.metadata.resourceVersion) throw badRequest('resourceVersion should not be set on objects to be created');
  }

  override takeWritable(): void {
    for (const path of this.#served.version.resetFields['main'] ?? []) restorePath(this.object, undefined, path);
  }

  /** docs/semantics/objects.md#metadata. */
  override fillSystemFields(): void {
    const {object} = this;
    const served = this.#served;
    const {metadata} = object;
    object.apiVersion = served.version.apiVersion;
    object.kind = served.type.kind;
    matchPath(served, object, this.#target);
    delete metadata.resourceVersion;
    delete metadata.deletionTimestamp;
    delete metadata.deletionGracePeriodSeconds;
    delete metadata.selfLink;
    metadata.uid = this.#uid;
    metadata.creationTimestamp = timestamp(this.#now);
    if (served.type.behaviour.generation === 'spec') metadata.generation = 1;
    else delete metadata.generation;
    uniteOwnerReferences(object, this.#context);
  }

  override applyDefaults(): void {
    refuseHuge(this.#served, this.object, 0);
    applyDefaults(this.#served, this.object);
    refuseHuge(this.#served, this.object, 0);
  }

  override async recordOwners(): Promise<void> {
    const {object} = this;
    const served = this.#served;
    const context = this.#context;
    if (!this.#ownersRecorded) {
      delete object.metadata.managedFields;
      setManagedFields(object, await FieldOwners.of(served).ofNew(object, context, this.#now));
    }
    this.#recorded = object.metadata.managedFields;
  }

  override keepOwners(): void {
    keepReadable(this.object, this.#recorded, this.#context);
  }

  override prepare(): void | Promise<void> {
    const {object} = this;
    const served = this.#served;
    const {strategy} = served.type;
    if (!strategy?.prepareForCreate) return this.#nameIt();
    const prepared = strategy.prepareForCreate(object, strategyContext(served, this.#target, this.#context, this.#now));
    const prepare = () => {
      applyDefaults(served, object);
      this.#nameIt();
    };
    return prepared instanceof Promise ? prepared.then(prepare) : prepare();
  }

  #nameIt(): void {
    const {object} = this;
    const {name, generateName: base} = object.metadata;
    this.#isNameGenerated = !name && Boolean(base);
    if (this.#isNameGenerated) object.metadata.name = generateName(base!);
  }

  override async validate(): Promise<void> {
    const {object} = this;
    const served = this.#served;
    const target = this.#target;
    const context = this.#context;
    let waiting = checkSize(served, object, 0, this.#ownersRecorded, context.task);
    if (waiting) await waiting;
    await validateNew(served, object, target, context, this.#now);
    if ((waiting = context.task.yieldIfDue())) await waiting;
    served.type.strategy?.canonicalize?.(object);
  }

  override async commit(): Promise<WriteResult> {
    const {object} = this;
    const served = this.#served;
    const target = this.#target;
    const context = this.#context;
    warnWithoutEffect(served, context);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#storeJudged();
      } catch (error) {
        const isTaken = StoreError.is(error) && error.code === 'Exists';
        if (!isTaken || !this.#isNameGenerated || attempt === nameAttempts)
          throw await this.#tellDeletion(toStatusError(error, errorTarget(served, object.metadata.name!)), target.namespace);
        object.metadata.name = generateName(object.metadata.generateName!);
        served.type.strategy?.canonicalize?.(object);
      }
    }
  }

  async #storeJudged(): Promise<WriteResult> {
    const served = this.#served;
    for (let attempt = 1; ; attempt += 1) {
      const decidedBy = await served.admission.conclude(this.admission);
      // A leader's own guard says more: it is no leader any more.
      const dependency = decidedBy && !this.#context.guard ? served.dependency(decidedBy) : undefined;
      try {
        return await this.#store(dependency);
      } catch (error) {
        if (!dependency || !StoreError.is(error) || error.code !== 'Fenced' || attempt === judgements) throw error;
        await dependency.catchUp();
      }
    }
  }

  async #store(dependency: WriteDependency | undefined): Promise<WriteResult> {
    const {object} = this;
    const served = this.#served;
    const context = this.#context;
    const {namespace} = this.#target;
    const name = object.metadata.name!;
    const {type, version, storage, view} = served;
    if (context.dryRun) {
      if (await storage.get(namespace, name, 'recent')) throw new StoreError('Exists', `${name} exists`);
      return {result: transientObject(object), created: true};
    }
    const stored = await convertToStored(object, version);
    served.checkServed('create');
    const cached = await storage.create(stored, namespace, name, type.storageVersion.schemaMark, dependency?.guard ?? context.guard);
    return {result: await view.converted(cached), created: true};
  }

  /** The existing object may be terminating: operators look for this message and retry. */
  async #tellDeletion(error: unknown, namespace: string): Promise<unknown> {
    if (!StatusError.is(error) || error.reason !== 'AlreadyExists') return error;
    let existing;
    try {
      existing = await this.#served.storage.get(namespace, error.details!.name!, 'recent');
    } catch {
      // It exists, whether it can be read or not.
      return error;
    }
    if (!existing?.object().metadata.deletionTimestamp) return error;
    return new StatusError(error.code, error.reason, `object is being deleted: ${error.message}`, {details: error.details!});
  }
}
