import {ifFound, StatusError, taskOf, unlessOvertaken, type ApiObject, type Task} from '../../../../sdk/index.js';
import {done, followObjects, WorkQueue, type ObjectFollower, type WorkResult} from '../../../../sdk/controllers/index.js';
import {definitions, type CustomResourceDefinition} from '../custom-resource-definition.js';
import {DefinitionCleaner} from './definition-cleaner.js';
import {ServedDefinitions, type ServingParts} from './served-definitions.js';

/** Maximum number of definitions whose status is written, or whose objects are deleted, concurrently. */
const concurrency = 8;

/**
 * Watches the stored definitions, serves their types on this server, writes their status, and deletes the objects of definitions being
 * deleted. A type is served before its definition becomes established, and shown in discovery afterwards.
 */
export class DefinitionService implements ObjectFollower {
  readonly #served: ServedDefinitions;
  readonly #cleaner: DefinitionCleaner;
  readonly #abort = new AbortController();
  readonly #latest = new Map<string, CustomResourceDefinition>();
  readonly #statuses: WorkQueue;
  readonly #cleanups: WorkQueue;
  #following: Promise<void> = Promise.resolve();
  #onListed: (() => void) | undefined;
  #onUnlistable: ((error: Error) => void) | undefined;
  readonly #task: Task;
  readonly #parts: ServingParts;

  constructor(parts: ServingParts, settleMillis: number) {
    this.#parts = parts;
    this.#task = taskOf(parts.resources, 'background', 'custom resource definitions');
    const {scheduler} = parts.resources;
    const onError = (name: string, error: unknown) =>
      parts.logger.warn({definition: name, err: error}, 'a custom resource definition could not be brought up to date; it is tried again');
    this.#served = new ServedDefinitions(parts);
    this.#cleaner = new DefinitionCleaner(parts.resources, parts.naming, settleMillis, (definition) => this.#served.serves(definition));
    this.#statuses = new WorkQueue((name) => this.#writeStatus(name), {concurrency, scheduler, onError});
    this.#cleanups = new WorkQueue((name) => this.#cleaner.sync(name), {concurrency, scheduler, onError});
  }

  /**
   * Resolves when the types of all existing definitions are served. Rejects if `signal` fires first, and if a definition cannot be read: a
   * type not known to be served would seem not to exist.
   */
  start(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (reason: Error) => {
        this.#abort.abort();
        reject(reason);
      };
      signal.addEventListener('abort', () => giveUp(signal.reason as Error), {once: true});
      this.#onListed = resolve;
      this.#onUnlistable = giveUp;
      this.#following = followObjects(this.#parts.resources, definitions, this, this.#abort.signal);
      this.#following.catch(reject);
    });
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#following;
    await Promise.all([this.#statuses.close(), this.#cleanups.close()]);
  }

  /** A list is processed as a whole: older definitions have priority for names, and versions may decrease if a store lost writes. */
  async listed(objects: readonly ApiObject[]): Promise<void> {
    const all = objects as readonly CustomResourceDefinition[];
    this.#served.restart(all);
    for (const definition of [...all].sort(byAge)) {
      this.#take(definition);
      await this.#task.yieldIfDue();
    }
    this.#onListed?.();
    this.#onListed = undefined;
  }

  changed(object: ApiObject): void | Promise<void> {
    if (this.#onListed) return undefined;
    this.#take(object as CustomResourceDefinition);
    return this.#task.yieldIfDue();
  }

  deleted({metadata}: ApiObject): void {
    this.#latest.delete(metadata.name!);
    this.#recheck(this.#served.remove(metadata.name!));
  }

  failed(error: unknown): void {
    if (this.#onListed && StatusError.is(error) && error.reason === 'InternalError') return this.#onUnlistable?.(error);
    this.#parts.logger.warn({err: error}, 'custom resource definitions cannot be watched; retrying');
  }

  #take(definition: CustomResourceDefinition): void {
    const name = definition.metadata.name!;
    try {
      const {status, recheck} = this.#served.update(definition);
      // A state waiting to be written is outdated now.
      this.#latest.delete(name);
      if (status) {
        this.#latest.set(name, definition);
        this.#statuses.add(name);
      }
      this.#recheck(recheck);
    } catch (error) {
      // One definition that cannot be served must not stop the others from being watched.
      this.#parts.logger.error({definition: name, err: error}, 'a custom resource definition cannot be served');
    }
    if (this.#cleaner.isDue(definition)) this.#cleanups.add(name);
  }

  #recheck(names: readonly string[]): void {
    for (const name of names) this.#statuses.add(name);
  }

  /** Starts with the state that triggered the write. After a conflict, the change that caused it arrives here anyway. */
  async #writeStatus(name: string): Promise<WorkResult> {
    // Writes of large definitions would otherwise follow each other within one turn of the event loop.
    await this.#task.yield();
    const found = this.#latest.get(name) ?? (await ifFound(this.#parts.resources.get(definitions, '', name)));
    const definition = found as CustomResourceDefinition | undefined;
    this.#latest.delete(name);
    // It may have been deleted in the meantime.
    if (!definition || !this.#served.knows(definition)) return done;
    const {status, recheck} = this.#served.update(definition);
    this.#recheck(recheck.filter((other) => other !== name));
    if (!status) return done;
    const written = await unlessOvertaken(this.#parts.resources.update(definitions, '', {...definition, status} as ApiObject, 'status'));
    // Whoever reads the status from now on may look for the type in discovery: the watch comes a little later.
    if (written) this.#recheck(this.#served.update(written as CustomResourceDefinition).recheck);
    return done;
  }
}

function byAge(a: CustomResourceDefinition, b: CustomResourceDefinition): number {
  const [left, right] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? ''];
  return left < right ? -1 : left > right ? 1 : 0;
}
