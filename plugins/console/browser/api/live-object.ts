import {signal} from '@preact/signals';
import {readObject} from './objects.js';
import {Refusal, type Status} from './request.js';
import {collectionPath, fieldEquals, type ApiObject, type ResourceType} from './types.js';
import {openWatch, type WatchEvent} from './watch.js';

const pauses = {first: 300, most: 10_000};

/** An object as it changes on the server. */
export class LiveObject {
  readonly object = signal<ApiObject | undefined>(undefined);
  readonly isGone = signal(false);
  readonly refusal = signal<Refusal | undefined>(undefined);
  /** What keeps the server from answering now; it is asked again. */
  readonly trouble = signal<Refusal | undefined>(undefined);
  readonly #type: ResourceType;
  readonly #named: {readonly namespace: string; readonly name: string};
  readonly #abort = new AbortController();
  #endWatch: (() => void) | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #pause = pauses.first;

  constructor(type: ResourceType, named: {readonly namespace: string; readonly name: string}) {
    this.#type = type;
    this.#named = named;
  }

  get named(): {readonly namespace: string; readonly name: string} {
    return this.#named;
  }

  start(): void {
    void this.#read();
  }

  stop(): void {
    this.#abort.abort();
    this.#endWatch?.();
    clearTimeout(this.#retry);
  }

  async #read(): Promise<void> {
    try {
      const object = await readObject(this.#type, this.#named, this.#abort.signal);
      this.#take(object);
      if (this.#type.verbs.includes('watch')) this.#watch(object.metadata.resourceVersion);
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      const refusal = error instanceof Refusal ? error : new Refusal(0, {message: String(error)});
      if (refusal.code === 404 && this.object.value !== undefined) this.isGone.value = true;
      else if (refusal.isPassing) {
        this.trouble.value = refusal;
        this.#later();
      } else this.refusal.value = refusal;
    }
  }

  #watch(resourceVersion: string): void {
    const {namespace, name} = this.#named;
    const query = new URLSearchParams({watch: '1', resourceVersion, fieldSelector: fieldEquals('metadata.name', name)});
    this.#endWatch = openWatch<ApiObject & Status>(`${collectionPath(this.#type, namespace)}?${query}`, {
      event: (event) => this.#event(event),
      ended: () => this.#later(),
    });
  }

  #event({type, object}: WatchEvent<ApiObject & Status>): void {
    this.#pause = pauses.first;
    if (type === 'ERROR') {
      this.#endWatch?.();
      this.#later();
    } else if (type === 'DELETED') this.isGone.value = true;
    else if (type !== 'BOOKMARK') this.#take(object);
  }

  #take(object: ApiObject): void {
    this.isGone.value = false;
    this.refusal.value = undefined;
    this.trouble.value = undefined;
    this.object.value = object;
  }

  #later(): void {
    this.#retry = setTimeout(() => void this.#read(), this.#pause);
    this.#pause = Math.min(this.#pause * 2, pauses.most);
  }
}
