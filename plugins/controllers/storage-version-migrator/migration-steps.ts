import {
  ifFound,
  isConflict,
  isNotFound,
  StatusError,
  taskOf,
  type ApiObject,
  type Clock,
  type ResourceClient,
  type ResourceRef,
  type ServedResource,
} from '../../../sdk/index.js';
import {done, type WorkResult} from '../../../sdk/controllers/index.js';
import {everyObject} from './every-object.js';
import {isOver, isTrue, migratedType, withSaid, type Migration, type Said} from './migration.js';

/** Who writes the objects (Kubernetes' name). It comes to own nothing: what it applies has no fields. */
const fieldManager = 'storage-version-migrator-controller';
/** Without these a type cannot be migrated. */
const requiredVerbs = ['update', 'patch', 'list'];
/** So long after its creation a migration waits for a type that is not there, in milliseconds. */
const patienceMillis = 60_000;
const soon: WorkResult = {again: 100};
const later: WorkResult = {again: 1000};

export interface StepParts {
  readonly resources: ResourceClient;
  /** The type of migrations. */
  readonly ref: ResourceRef;
  readonly clock: Clock;
  /** Ends the work with the controller. */
  readonly signal: AbortSignal;
  /** Whether somebody else says when a migration may run (its condition Running). */
  readonly waitsForTurn: boolean;
}

/** Carries migrations out: notes the version of the type's collection, writes what is not newer again, and says how it went. */
export class MigrationSteps {
  readonly #parts: StepParts;

  constructor(parts: StepParts) {
    this.#parts = parts;
  }

  /** @throws whatever keeps an object from being written for now */
  async reconcile(name: string): Promise<WorkResult> {
    const {resources, ref, waitsForTurn} = this.#parts;
    const migration = (await ifFound(resources.get(ref, '', name))) as Migration | undefined;
    if (!migration || isOver(migration) || (waitsForTurn && !isTrue(migration, 'Running'))) return done;
    try {
      return await this.#step(migration);
    } catch (error) {
      if (isConflict(error)) return soon;
      if (isNotFound(error)) return done;
      throw error;
    }
  }

  async #step(migration: Migration): Promise<WorkResult> {
    const {resources, waitsForTurn} = this.#parts;
    const type = migratedType(migration, resources);
    if (!type) return this.#missing(migration);
    if (waitsForTurn && !requiredVerbs.every((verb) => type.verbs.includes(verb))) {
      const named = `${type.group}/${type.version}, Resource=${type.resource}`;
      return this.#fail(migration, `resource ${JSON.stringify(named)} does not support discovery operations: [${requiredVerbs.join(' ')}]`);
    }
    const {resourceVersion = ''} = migration.status ?? {};
    if (resourceVersion === '') {
      const {metadata} = await resources.list(type, '', {limit: 1});
      await this.#write({...migration, status: {...migration.status, resourceVersion: metadata.resourceVersion ?? ''}} as Migration);
      return done;
    }
    if (waitsForTurn) return this.#carryOut(migration, type);
    if (isTrue(migration, 'Running')) return this.#carryOut(migration, type);
    await this.#say(migration, {type: 'Running', reason: 'StorageVersionMigrationInProgress', message: ''});
    return done;
  }

  async #carryOut(migration: Migration, type: ServedResource): Promise<WorkResult> {
    try {
      await this.#writeObjects(type, BigInt(migration.status?.resourceVersion ?? '0'));
    } catch (error) {
      // Where the store or a webhook cannot be reached it is tried again; what was written stays so.
      if (!StatusError.is(error) || error.code >= 500 || error.code === 429 || error.code === 410) throw error;
      return this.#fail(migration, `migration encountered unhandled error: ${error.message}`);
    }
    if (this.#parts.signal.aborted) return done;
    return this.#end(migration, {type: 'Succeeded', reason: 'StorageVersionMigrationSucceeded', message: ''});
  }

  async #writeObjects(type: ServedResource, until: bigint): Promise<void> {
    const {resources, signal} = this.#parts;
    const task = taskOf(resources, 'background', `migration of ${type.resource}`);
    const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
    for await (const {metadata} of everyObject(resources, type)) {
      if (signal.aborted) return;
      await task.yieldIfDue();
      const {name = '', namespace = '', uid, resourceVersion = '0'} = metadata;
      if (BigInt(resourceVersion) > until) continue;
      // With uid and version: one that is gone is not made again, and one that has changed has been written.
      const nothing = {apiVersion, kind: type.kind, metadata: {name, ...(namespace === '' ? {} : {namespace}), uid, resourceVersion}};
      try {
        await resources.apply(type, namespace, nothing as ApiObject, {fieldManager});
      } catch (error) {
        if (!isConflict(error) && !isNotFound(error)) throw error;
      }
    }
  }

  async #missing(migration: Migration): Promise<WorkResult> {
    const {ref, clock} = this.#parts;
    const age = clock.now() - Date.parse(migration.metadata.creationTimestamp ?? '');
    // A new custom type may be served in a moment.
    if (ref.version !== 'v1alpha1' && age < patienceMillis) return later;
    return this.#fail(migration, 'resource does not exist in discovery');
  }

  #fail(migration: Migration, message: string): Promise<WorkResult> {
    return this.#end(migration, {type: 'Failed', reason: 'StorageVersionMigrationFailed', message});
  }

  /** Where nobody else says when migrations run, this says that one does no longer. */
  async #end(migration: Migration, said: Said): Promise<WorkResult> {
    const {ref, clock, waitsForTurn} = this.#parts;
    const running = {type: 'Running', status: 'False', reason: 'StorageVersionMigrationInProgress', message: ''} as const;
    const ended = !waitsForTurn && isTrue(migration, 'Running') ? withSaid(migration, running, ref.version, clock.now()) : migration;
    return this.#say(ended, said);
  }

  async #say(migration: Migration, said: Said): Promise<WorkResult> {
    const {ref, clock} = this.#parts;
    await this.#write(withSaid(migration, said, ref.version, clock.now()));
    return done;
  }

  async #write(migration: Migration): Promise<void> {
    const {resources, ref} = this.#parts;
    await resources.update(ref, '', migration as ApiObject, 'status');
  }
}
