import {ifFound, isNotFound, isOvertaken, type NamingProfile, type ResourceClient} from '../../../../sdk/index.js';
import {done, type WorkResult} from '../../../../sdk/controllers/index.js';
import {
  cleanupFinalizer,
  definitions,
  isConditionTrue,
  type CustomResourceDefinition,
  type Finding,
} from '../custom-resource-definition.js';
import {withFindings} from './definition-status.js';
import {deleteInstances} from './instances.js';

/** The delay before remaining objects are checked again: a quarter of the time waited so far. */
function pauseAfter(waitedMillis: number): number {
  return Math.min(Math.max(waitedMillis / 4, 50), 10_000);
}

/**
 * Deletes all objects of a type whose definition is being deleted, then removes the definition's finalizer. Safe to run on several servers
 * at once.
 */
export class DefinitionCleaner {
  readonly #finalizer: string;
  readonly #since = new Map<string, {readonly uid: string; readonly begun: number}>();
  readonly #resources: ResourceClient;
  readonly #settleMillis: number;
  readonly #isServed: (definition: CustomResourceDefinition) => boolean;

  /**
   * @param settleMillis minimum time before a definition is removed, so that objects whose creation was admitted before the deletion have
   * been stored and are found
   * @param isServed whether this server serves the type: that begins before the status says so, and objects may have been made since
   */
  constructor(
    resources: ResourceClient,
    naming: NamingProfile,
    settleMillis: number,
    isServed: (definition: CustomResourceDefinition) => boolean,
  ) {
    this.#isServed = isServed;
    this.#resources = resources;
    this.#settleMillis = settleMillis;
    this.#finalizer = naming.group(cleanupFinalizer);
  }

  /** Whether a definition waits for cleanup. */
  isDue({metadata}: CustomResourceDefinition): boolean {
    return Boolean(metadata.deletionTimestamp) && (metadata.finalizers ?? []).includes(this.#finalizer);
  }

  async sync(name: string): Promise<WorkResult> {
    const definition = (await ifFound(this.#resources.get(definitions, '', name))) as CustomResourceDefinition | undefined;
    if (!definition || !this.isDue(definition)) {
      this.#since.delete(name);
      return done;
    }
    const begun = this.#begunAt(name, definition.metadata.uid!);
    const finding = await this.#empty(definition, begun);
    if (typeof finding === 'number') return {again: finding};
    const isEmpty = finding.status === 'False';
    const written = await this.#report(definition, finding, isEmpty);
    if (!written) return {again: 0};
    return isEmpty ? done : {again: pauseAfter(performance.now() - begun)};
  }

  /** Deletes the objects and returns the resulting condition, or a delay in milliseconds if it is too early to decide. */
  async #empty(definition: CustomResourceDefinition, begun: number): Promise<Finding | number> {
    const finding = (status: 'True' | 'False', reason: string, message: string): Finding => ({
      type: 'Terminating',
      status,
      reason,
      message,
    });
    if (!isConditionTrue(definition, 'Established') && !this.#isServed(definition))
      return finding('False', 'NeverEstablished', 'resource was never established');
    // The delay comes before the check: objects stored during the check could be missed.
    const early = begun + this.#settleMillis - performance.now();
    let remaining: number;
    try {
      remaining = await deleteInstances(this.#resources, definition);
    } catch (error) {
      // The type is not served until this server has caught up.
      if (isNotFound(error)) return 50;
      return finding('True', 'InstanceDeletionFailed', `could not issue all deletes: ${(error as Error).message}`);
    }
    if (remaining > 0) return finding('True', 'InstanceDeletionInProgress', 'CustomResource deletion is in progress');
    return early > 0 ? early : finding('False', 'InstanceDeletionCompleted', 'removed all instances');
  }

  /** Writes the condition, and removes the finalizer if no objects are left. Returns whether the definition was unchanged. */
  async #report(definition: CustomResourceDefinition, finding: Finding, isEmpty: boolean): Promise<boolean> {
    const {metadata, status} = definition;
    const others = (metadata.finalizers ?? []).filter((name) => name !== this.#finalizer);
    let current = definition;
    try {
      // A definition that is removed immediately needs no final status.
      if (!isEmpty || others.length > 0) {
        const conditions = withFindings(status?.conditions ?? [], [finding], new Date());
        current = (await this.#resources.update(
          definitions,
          '',
          {...definition, status: {...status, conditions}},
          'status',
        )) as CustomResourceDefinition;
      }
      if (isEmpty) await this.#resources.update(definitions, '', {...current, metadata: {...current.metadata, finalizers: others}});
      return true;
    } catch (error) {
      if (isOvertaken(error)) return false;
      throw error;
    }
  }

  #begunAt(name: string, uid: string): number {
    const known = this.#since.get(name);
    if (known?.uid === uid) return known.begun;
    const begun = performance.now();
    this.#since.set(name, {uid, begun});
    return begun;
  }
}
