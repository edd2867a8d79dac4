import {ifFound, isConflict, type ApiObject, type Clock, type ResourceClient, type ResourceRef, secondTime} from '../../../sdk/index.js';
import {done, type WorkResult} from '../../../sdk/controllers/index.js';
import type {CustomResourceDefinition} from '../../../sdk/types/unchecked/apiextensions/v1.js';
import {isOver, isTrue, typeKey, withSaid, type Migration, type Said} from './migration.js';

const definitions: ResourceRef = {group: 'apiextensions.orch', version: 'v1', resource: 'customresourcedefinitions'};
/** Who owns what it writes into definitions (Kubernetes' name). */
const fieldManager = 'migration-runner-controller';
/** The condition of a definition whose objects are being written again. */
const migrating = 'StorageMigrating';
const soon: WorkResult = {again: 100};

export interface RunnerParts {
  readonly resources: ResourceClient;
  /** The type of migrations. */
  readonly ref: ResourceRef;
  readonly clock: Clock;
}

/**
 * Lets the migrations of a type run one after the other, the oldest first. The definition of a custom type says that one is running, and afterwards in which
 * versions its objects are stored.
 */
export class MigrationRunner {
  readonly #parts: RunnerParts;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** @param type as `typeKey` names it */
  async reconcile(type: string): Promise<WorkResult> {
    const {resources, ref} = this.#parts;
    const {items} = await resources.list(ref, '', {resourceVersion: '0'});
    const migrations = (items as Migration[]).filter((migration) => typeKey(migration) === type);
    try {
      for (const migration of migrations) if (isTrue(migration, 'Running') && isOver(migration)) await this.#finish(migration, type);
      if (migrations.some((migration) => isTrue(migration, 'Running') && !isOver(migration))) return done;
      const [next] = migrations.filter((migration) => !isTrue(migration, 'Running') && !isOver(migration)).toSorted(compareAge);
      if (next) await this.#begin(next, type);
    } catch (error) {
      // Somebody has written in between, or the cache was behind.
      if (isConflict(error)) return soon;
      throw error;
    }
    return done;
  }

  async #begin(migration: Migration, type: string): Promise<void> {
    await this.#announce(type, () => ({
      status: 'True',
      reason: 'MigrationRunning',
      message: `Migration ${migration.metadata.name} is running`,
    }));
    await this.#write(migration, {type: 'Running', reason: 'MigrationRunning', message: 'The migration is running'});
  }

  async #finish(migration: Migration, type: string): Promise<void> {
    await this.#announce(type, (isSame) => {
      if (!isTrue(migration, 'Succeeded')) return {status: 'False', reason: 'MigrationFailed', message: 'The migration has failed'};
      const outcome = isSame
        ? 'and the stored versions have been updated'
        : 'but the stored versions have not been updated due to a generation mismatch';
      return {
        status: 'False',
        reason: 'MigrationSucceeded',
        message: `The migration has succeeded ${outcome}`,
        ...(isSame ? {hasMigrated: true} : {}),
      };
    });
    await this.#write(migration, {type: 'Running', status: 'False', reason: 'MigrationCompleted', message: 'Migration completed'});
  }

  /**
   * Writes the condition StorageMigrating of the definition of a type, if it has one.
   *
   * @param say what it says, by whether the definition is still the one that it was when the migration began
   */
  async #announce(type: string, say: (isSame: boolean) => Announcement): Promise<void> {
    const {resources, clock} = this.#parts;
    const definition = (await ifFound(resources.get(definitions, '', type))) as CustomResourceDefinition | undefined;
    if (!definition) return;
    const {name = '', generation, resourceVersion} = definition.metadata;
    const conditions = definition.status?.conditions ?? [];
    const before = conditions.find((condition) => condition.type === migrating);
    const {hasMigrated = false, ...said} = say(before !== undefined && before.observedGeneration === generation);
    const lastTransitionTime = before?.status === said.status ? before.lastTransitionTime : secondTime(clock.now());
    const condition = {type: migrating, ...said, lastTransitionTime, observedGeneration: generation};
    const storage = definition.spec?.versions?.find((version) => version.storage)?.name;
    const status = {
      conditions: [...conditions.filter((each) => each !== before), condition],
      ...(hasMigrated && storage !== undefined ? {storedVersions: [storage]} : {}),
    };
    // With the version that was looked at: one that has changed since may store objects otherwise.
    await resources.patch(definitions, '', name, {metadata: {resourceVersion}, status}, 'status', {fieldManager});
  }

  async #write(migration: Migration, said: Said): Promise<void> {
    const {resources, ref, clock} = this.#parts;
    await resources.update(ref, '', withSaid(migration, said, ref.version, clock.now()) as ApiObject, 'status');
  }
}

/** A condition without its type and times. */
interface Announcement {
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
  /** Whether all objects are in the storage version now. */
  readonly hasMigrated?: boolean;
}

/** The oldest first, of equal ones by name. */
function compareAge({metadata: a}: Migration, {metadata: b}: Migration): number {
  const [older, younger] = [a, b].map(({creationTimestamp, name}) => `${creationTimestamp} ${name}`);
  return older! < younger! ? -1 : 1;
}
