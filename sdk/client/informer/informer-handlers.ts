/** Called when objects are added, changed and deleted. Objects are shared with the cache: never modify them. */
export interface InformerHandler<T> {
  /** @param initial whether the object existed when the informer started or the handler was added */
  add?(object: T, initial: boolean): void;
  /** Also called for every object at each resync, with the same object twice. */
  update?(object: T, old: T): void;
  /** @param object its last known state */
  delete?(object: T): void;
}

/** The handlers of an informer. One that throws stops neither the others nor the informer. */
export class InformerHandlers<T> {
  readonly #handlers = new Set<InformerHandler<T>>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Adds a handler and notifies it of existing objects. Returns a function that removes it. */
  add(handler: InformerHandler<T>, present: readonly T[]): () => void {
    this.#handlers.add(handler);
    for (const object of present) this.#guard(() => handler.add?.(object, true));
    return () => this.#handlers.delete(handler);
  }

  added(object: T, initial: boolean): void {
    for (const handler of this.#handlers) this.#guard(() => handler.add?.(object, initial));
  }

  updated(object: T, old: T): void {
    for (const handler of this.#handlers) this.#guard(() => handler.update?.(object, old));
  }

  deleted(object: T): void {
    for (const handler of this.#handlers) this.#guard(() => handler.delete?.(object));
  }

  #guard(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#onError(error);
    }
  }
}
