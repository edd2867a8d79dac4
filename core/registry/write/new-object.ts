import {badRequest, serviceUnavailable, StatusError, StoreError, type ApiObject, type ManagedFieldsEntry} from '../../../sdk/index.js';
import {generateName} from '../../../sdk/values/generate-name.js';
import {randomUuid} from '../../../sdk/values/random-uuid.js';
import type {ManagedFields} from '../../api/apply/managers/managed-fields.js';
import {convertToStored} from '../../api/types/convert.js';
import {transientObject, type WriteResult} from '../result-object.js';
import {applyDefaults, errorTarget, matchPath, timestamp} from '../served-version.js';
import {toStatusError} from '../store-errors.js';
import {WriteRequest} from './admission-request.js';
import {FieldOwners, keepReadable, setManagedFields} from './field-owners.js';
import {checkSize, fillDefaults} from './object-size.js';
import {uniteOwnerReferences} from './owner-references.js';
import type {Write} from './pipeline.js';
import {restorePath} from './restore-paths.js';
import {validateNew} from './validate-object.js';
import {warnWithoutEffect} from './warn-without-effect.js';
import type {WriteDependency} from '../write-dependency.js';
import {strategyContext, type WriteScope} from './write-scope.js';

/** Attempts with `generateName`, each of which may hit an existing name, with the feature gate `RetryGenerateName`. */
const nameAttempts = 8;
/** Milliseconds in which it is tried again while the object that it was admitted by keeps changing. */
const judgedAgainFor = 10_000;

/** What a new object does not have, whatever the client says. */
const setLater = ['resourceVersion', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink'] as const;

/** Creates an object: a create, or an update or apply of a missing object. */
export class NewObject implements Write<WriteResult> {
  object!: ApiObject;
  readonly admission: WriteRequest;
  readonly #uid = randomUuid();
  /** What the strategy warns of, which a client hears when the object is valid. */
  readonly #warnings: string[] = [];
  #recorded: ManagedFieldsEntry[] | undefined;
  #isNameGenerated = false;
  readonly #wanted: () => ApiObject | Promise<ApiObject>;
  readonly #ownersRecorded: boolean;

  /**
   * @param scope its target names the object if the path does, not for a create
   * @param wanted returns the object, decoded by the type's schema
   * @param ownersRecorded whether `wanted` has recorded the owners of the fields, as an apply does
   */
  constructor(
    readonly scope: WriteScope,
    wanted: () => ApiObject | Promise<ApiObject>,
    ownersRecorded = false,
  ) {
    this.#wanted = wanted;
    this.#ownersRecorded = ownersRecorded;
    this.admission = new WriteRequest('CREATE', scope, this);
  }

  makeObject(): void | Promise<void> {
    const wanted = this.#wanted();
    return wanted instanceof Promise ? wanted.then((object) => this.#take(object)) : this.#take(wanted);
  }

  #take(object: ApiObject): void {
    this.object = object;
    if (isVersion(this.object.metadata.resourceVersion)) throw badRequest('resourceVersion should not be set on objects to be created');
  }

  takeWritable(): void {
    for (const path of this.scope.served.version.resetFields['main'] ?? []) restorePath(this.object, undefined, path);
  }

  /** docs/semantics/objects.md#metadata. */
  fillSystemFields(): void {
    const {object} = this;
    const {served, target, context, now} = this.scope;
    const {metadata} = object;
    object.apiVersion = served.version.apiVersion;
    object.kind = served.type.kind;
    matchPath(served, object, target);
    for (const member of setLater) if (member in metadata) delete metadata[member];
    metadata.uid = this.#uid;
    metadata.creationTimestamp = timestamp(now);
    // Where nothing counts changes of the spec, it is what the client says, as in Kubernetes.
    if (served.type.behaviour.generation === 'spec') metadata.generation = 1;
    uniteOwnerReferences(object, context);
  }

  applyDefaults(): void | Promise<void> {
    return fillDefaults(this.scope, this.object, 0);
  }

  recordOwners(): void | Promise<void> {
    const {object} = this;
    if (!this.#ownersRecorded) {
      if (object.metadata.managedFields) delete object.metadata.managedFields;
      const entries = FieldOwners.of(this.scope.served).ofNew(object, this.scope);
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
    const {served} = this.scope;
    served.dropDisabled(this.object, undefined);
    if (served.type.strategy?.prepareForCreate) return this.#prepareByStrategy();
    this.#nameObject();
  }

  async #prepareByStrategy(): Promise<void> {
    const {object} = this;
    const {served, context} = this.scope;
    await served.type.strategy!.prepareForCreate!(
      object,
      strategyContext(this.scope, (text) => this.#warnings.push(text)),
    );
    if (context.task.isDue) await context.task.yield();
    applyDefaults(served, object);
    this.#nameObject();
  }

  #nameObject(): void {
    const {object} = this;
    const {name, generateName: base} = object.metadata;
    this.#isNameGenerated = !name && Boolean(base);
    if (this.#isNameGenerated) object.metadata.name = generateName(base!);
  }

  async validate(): Promise<void> {
    const {object} = this;
    const {served, context} = this.scope;
    const checking = checkSize(served, object, 0, this.#ownersRecorded, context.task);
    if (checking) await checking;
    await validateNew(this.scope, object);
    served.type.strategy?.canonicalize?.(object);
    for (const text of this.#warnings.splice(0)) context.warn(text);
  }

  async commit(): Promise<WriteResult> {
    const {object} = this;
    const {served, target, context} = this.scope;
    warnWithoutEffect(served, context);
    const attempts = this.#isNameGenerated && served.isEnabled('RetryGenerateName') ? nameAttempts : 1;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#storeJudged();
      } catch (error) {
        const isTaken = StoreError.is(error) && error.code === 'Exists';
        if (!isTaken || attempt === attempts) throw await this.#refusal(error, target.namespace);
        object.metadata.name = generateName(object.metadata.generateName!);
        served.type.strategy?.canonicalize?.(object);
        // It has been judged by another name.
        await served.admission.validate(this.admission);
      }
    }
  }

  async #storeJudged(): Promise<WriteResult> {
    const {served, context} = this.scope;
    let end: number | undefined;
    for (;;) {
      const concluding = served.admission.conclude(this.admission);
      const decidedBy = concluding instanceof Promise ? await concluding : concluding;
      // The guard of a leader takes precedence: it says that the leadership has been lost.
      const dependency = decidedBy && !context.guard ? served.dependency(decidedBy) : undefined;
      try {
        return await this.#store(dependency);
      } catch (error) {
        if (!dependency || !StoreError.is(error) || error.code !== 'Fenced') throw error;
        end ??= performance.now() + judgedAgainFor;
        if (performance.now() > end) {
          const what = `${decidedBy!.ref.resource} ${decidedBy!.object.key}`;
          throw serviceUnavailable(`nothing was written: ${what} keeps changing`, 1, {cause: error});
        }
        await dependency.catchUp();
      }
    }
  }

  async #store(dependency: WriteDependency | undefined): Promise<WriteResult> {
    const {object} = this;
    const {served, target, context} = this.scope;
    const {namespace} = target;
    const name = object.metadata.name!;
    const {type, version, storage, view} = served;
    if (context.dryRun) {
      if (await storage.get(namespace, name, 'recent')) throw new StoreError('Exists', `${name} exists`);
      return {result: transientObject(object), created: true};
    }
    const converting = convertToStored(object, version);
    const stored = converting instanceof Promise ? await converting : converting;
    served.checkServed('create');
    const cached = await storage.create(stored, namespace, name, type.storageVersion.schemaMark, dependency?.guard ?? context.guard);
    const shown = view.converted(cached);
    return {result: shown instanceof Promise ? await shown : shown, created: true};
  }

  #refusal(error: unknown, namespace: string): Promise<unknown> {
    const {name, generateName: base} = this.object.metadata;
    const refused = toStatusError(error, errorTarget(this.scope.served, name!));
    const isTaken = StatusError.is(refused) && refused.reason === 'AlreadyExists';
    return this.#withDeletion(isTaken && base ? nameConflict(refused) : refused, namespace);
  }

  /** The existing object may be terminating: operators look for this message and retry. */
  async #withDeletion(error: unknown, namespace: string): Promise<unknown> {
    if (!StatusError.is(error) || error.reason !== 'AlreadyExists') return error;
    let existing;
    try {
      existing = await this.scope.served.storage.get(namespace, error.details!.name!, 'recent');
    } catch {
      // It exists, whether it can be read or not.
      return error;
    }
    if (!existing?.object().metadata.deletionTimestamp) return error;
    return new StatusError(error.code, error.reason, `object is being deleted: ${error.message}`, {details: error.details!});
  }
}

/** What is no version at all is dropped, as in Kubernetes. */
function isVersion(text = ''): boolean {
  return /^\d{1,20}$/.test(text) && !/^0+$/.test(text);
}

/** Of an object with a `generateName`, whoever has chosen the name: clients may try again, and get another one. */
function nameConflict({code, reason, message, details}: StatusError): StatusError {
  const text = `${message}, the server was not able to generate a unique name for the object`;
  return new StatusError(code, reason, text, {details: {...details, retryAfterSeconds: 1}});
}
