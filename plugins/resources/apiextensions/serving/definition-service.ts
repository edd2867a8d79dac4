import {setImmediate as nextTurn} from 'node:timers/promises';
import {StatusError, type ApiObject} from '../../../../sdk/index.js';
import {followObjects, WorkQueue, type ObjectFollower, type WorkResult} from '../../../../sdk/controllers/index.js';
import {definitions, type CustomResourceDefinition} from '../custom-resource-definition.js';
import {DefinitionCleaner} from './definition-cleaner.js';
import {isConflict, isNotFound} from './instances.js';
import {ServedDefinitions, type ServingParts} from './served-definitions.js';

const done: WorkResult = {done: true};
/** Definitions whose status is written, or whose objects are deleted, side by side. */
const concurrency = 8;
/** Definitions that come one after the other are taken in for so long, in milliseconds, before other work has its turn. */
const sliceMillis = 4;

/**
 * Follows the definitions of the store: serves their types on this server, writes their status, and empties those that are being
 * deleted. A type is served before its definition is called established.
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
  #sliceBegan = 0;
  #lastStatusTurn: Promise<void> = Promise.resolve();
  readonly #parts: ServingParts;

  constructor(parts: ServingParts, settleMillis: number) {
    this.#parts = parts;
    const onError = (name: string, error: unknown) =>
      parts.logger.warn({definition: name, err: error}, 'a custom resource definition could not be brought up to date; it is tried again');
    this.#served = new ServedDefinitions(parts);
    this.#cleaner = new DefinitionCleaner(parts.resources, parts.naming, settleMillis);
    this.#statuses = new WorkQueue((name) => this.#writeStatus(name), {concurrency, onError});
    this.#cleanups = new WorkQueue((name) => this.#cleaner.sync(name), {concurrency, onError});
  }

  /**
   * Resolves when the types of all definitions that are there are served. Rejects when `signal` fires before, and when a definition
   * cannot be read: what is not known to be served would be taken for not being there.
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

  /** A list is taken as a whole: older definitions have the first say about names, and versions of a store that lost writes may be lower. */
  async listed(objects: readonly ApiObject[]): Promise<void> {
    const all = objects as readonly CustomResourceDefinition[];
    const present = new Set(all.map(({metadata}) => metadata.name!));
    const gone = [...this.#served.names()].filter((name) => !present.has(name));
    for (const name of gone) this.#recheck(this.#served.remove(name));
    this.#served.restart(all);
    for (const definition of [...all].sort(byAge)) {
      this.#take(definition);
      if (this.#sliceIsOver) await this.#endSlice();
    }
    this.#onListed?.();
    this.#onListed = undefined;
  }

  changed(object: ApiObject): void | Promise<void> {
    if (this.#onListed) return undefined;
    this.#take(object as CustomResourceDefinition);
    return this.#sliceIsOver ? this.#endSlice() : undefined;
  }

  deleted({metadata}: ApiObject): void {
    this.#latest.delete(metadata.name!);
    this.#recheck(this.#served.remove(metadata.name!));
  }

  failed(error: unknown): void {
    if (this.#onListed && StatusError.is(error) && error.reason === 'InternalError') return this.#onUnlistable?.(error);
    this.#parts.logger.warn({err: error}, 'custom resource definitions cannot be watched; it is tried again');
  }

  get #sliceIsOver(): boolean {
    return performance.now() - this.#sliceBegan >= sliceMillis;
  }

  async #endSlice(): Promise<void> {
    await nextTurn();
    this.#sliceBegan = performance.now();
  }

  #take(definition: CustomResourceDefinition): void {
    const name = definition.metadata.name!;
    try {
      const {status, recheck} = this.#served.update(definition);
      // A state that waits to be written is no longer the last one.
      this.#latest.delete(name);
      if (status) {
        this.#latest.set(name, definition);
        this.#statuses.add(name);
      }
      this.#recheck(recheck);
    } catch (error) {
      // One definition that cannot be served must not keep the others from being followed.
      this.#parts.logger.error({definition: name, err: error}, 'a custom resource definition cannot be served');
    }
    if (this.#cleaner.isDue(definition)) this.#cleanups.add(name);
  }

  #recheck(names: readonly string[]): void {
    for (const name of names) this.#statuses.add(name);
  }

  /** The state that asked for it is used first; after a conflict the change that caused it is on its way here. */
  async #writeStatus(name: string): Promise<WorkResult> {
    // Each write of a large definition takes a turn of the event loop of its own, so that requests need not wait for many.
    await (this.#lastStatusTurn = this.#lastStatusTurn.then(() => nextTurn()));
    const definition = this.#latest.get(name) ?? (await this.#read(name));
    this.#latest.delete(name);
    // It may have been deleted while it was read.
    if (!definition || !this.#served.knows(definition)) return done;
    const {status, recheck} = this.#served.update(definition);
    this.#recheck(recheck.filter((other) => other !== name));
    if (!status) return done;
    try {
      await this.#parts.resources.update(definitions, '', {...definition, status} as ApiObject, 'status');
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
    return done;
  }

  async #read(name: string): Promise<CustomResourceDefinition | undefined> {
    try {
      return (await this.#parts.resources.get(definitions, '', name)) as CustomResourceDefinition;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}

function byAge(a: CustomResourceDefinition, b: CustomResourceDefinition): number {
  const [left, right] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? ''];
  return left < right ? -1 : left > right ? 1 : 0;
}
