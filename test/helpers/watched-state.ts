import {patienceMillis} from './eventually.js';
import type {HttpsClient, WatchLine, WatchStream} from './https-client.js';

interface Item {
  metadata: {name: string; resourceVersion: string};
  data?: Record<string, string>;
}

/**
 * The state of a collection as a client keeps it: one list, then a watch from its version, resumed from the last event
 * whenever the stream ends. Every event is checked against what is known: nothing may come twice, out of order or for an
 * object that should not be there. Faults are collected in words.
 */
export class WatchedState {
  readonly faults: string[] = [];
  events = 0;
  /** Streams that were opened. */
  streams = 0;
  readonly #items = new Map<string, Item>();
  #version = 0n;
  #stream: WatchStream | undefined;
  #stopped = false;
  #done: Promise<void> | undefined;
  readonly #seen = new Set<() => void>();

  constructor(
    private readonly client: HttpsClient,
    private readonly path: string,
  ) {}

  async start(): Promise<void> {
    const list = (await this.client.get(this.path)).json<{metadata: {resourceVersion: string}; items: Item[]}>();
    this.#version = BigInt(list.metadata.resourceVersion);
    for (const item of list.items) this.#items.set(item.metadata.name, withoutType(item));
    this.#stream = await this.#open();
    this.#done = this.#follow();
  }

  #open(): Promise<WatchStream> {
    this.streams++;
    return this.client.watch(`${this.path}?watch=1&resourceVersion=${this.#version}`);
  }

  async #follow(): Promise<void> {
    while (!this.#stopped) {
      for await (const event of this.#stream!) {
        this.#take(event);
        if (event.type === 'ERROR') return;
        for (const look of this.#seen) look();
      }
      if (this.#stopped) return;
      try {
        this.#stream = await this.#open();
      } catch (error) {
        this.faults.push(`the watch could not be resumed from ${this.#version}: ${(error as Error).message}`);
        return;
      }
    }
  }

  #take(event: WatchLine): void {
    if (event.type === 'ERROR') {
      this.faults.push(`the watch ended with an error: ${event.raw}`);
      return;
    }
    const item = withoutType(event.object as unknown as Item);
    const {name, resourceVersion} = item.metadata;
    const version = BigInt(resourceVersion);
    if (version <= this.#version) this.faults.push(`${event.type} ${name} at ${version} came after ${this.#version}`);
    this.#version = version;
    if (event.type === 'BOOKMARK') return;
    this.events++;
    const known = this.#items.has(name);
    if (known === (event.type === 'ADDED')) this.faults.push(`${event.type} ${name} at ${version}, which is ${known ? '' : 'not '}there`);
    if (event.type === 'DELETED') this.#items.delete(name);
    else this.#items.set(name, item);
  }

  /** The objects as they are known, by name. */
  state(): Item[] {
    return byName([...this.#items.values()]);
  }

  /** Waits until an object of that name has been seen. Throws when it takes longer than tests wait. */
  until(name: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (!this.#items.has(name)) return;
        clearTimeout(timer);
        this.#seen.delete(look);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#seen.delete(look);
        reject(new Error(`${name} was not seen; ${this.events} events, faults: ${this.faults.join('; ')}`));
      }, patienceMillis);
      this.#seen.add(look);
      look();
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stream?.close();
    await this.#done;
  }
}

/** Members of a list of a built-in type do not say their type, those of a watch do. */
function withoutType({apiVersion: _apiVersion, kind: _kind, ...item}: Item & {apiVersion?: string; kind?: string}): Item {
  return item;
}

function byName(items: Item[]): Item[] {
  return items.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

/** What a list shows of a collection, by name, to be compared with a watched state. */
export async function listedState(client: HttpsClient, path: string): Promise<Item[]> {
  return byName((await client.get(path)).json<{items: Item[]}>().items);
}
