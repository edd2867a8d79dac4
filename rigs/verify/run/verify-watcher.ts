import {setTimeout as delay} from 'node:timers/promises';
import type {WatchLine} from '../../../test/helpers/https-client.js';
import type {KnownObject, WatchEntry} from '../check/history.js';
import type {Records} from './records.js';
import {collection} from './verify-client.js';
import type {VerifyServer} from './verify-server.js';

/** A client that lists, follows, resumes after an interruption, and lists again when it is told to: as informers do. */
export class VerifyWatcher {
  readonly #id: number;
  readonly #server: VerifyServer;
  readonly #records: Records;
  /** What it believes to be there. */
  readonly held = new Map<string, string>();
  /** The version up to which it has been told; undefined before a list. */
  #at: number | undefined;
  #from = 0;
  #entries: WatchEntry[] = [];
  #stopped = false;
  #abort = new AbortController();
  expired = 0;

  constructor(id: number, server: VerifyServer, records: Records) {
    this.#id = id;
    this.#server = server;
    this.#records = records;
  }

  async run(): Promise<void> {
    while (!this.#stopped) {
      try {
        if (this.#server.client === undefined) await delay(20);
        else if (this.#at === undefined) await this.#list();
        else await this.#follow(this.#at);
      } catch (error) {
        if (/: 410 /.test((error as Error).message)) this.#expire();
        await delay(50);
      }
    }
  }

  /** Ends the part of the history that was told so far; following goes on. */
  rotate(): void {
    if (this.#at === undefined) return;
    this.#records.watches.push({watcher: this.#id, from: this.#from, entries: this.#entries, expired: false});
    this.#from = this.#at;
    this.#entries = [];
  }

  stop(): void {
    this.#stopped = true;
    this.#abort.abort();
  }

  async #list(): Promise<void> {
    const answer = await this.#server.client!.request('GET', collection, {signal: AbortSignal.timeout(8000)});
    if (answer.status !== 200) {
      await delay(50);
      return;
    }
    const {metadata, items} = answer.json<{metadata: {resourceVersion: string}; items: KnownObject[]}>();
    this.held.clear();
    for (const item of items) {
      // A list says the type for all of its members, a watch of each.
      this.#records.see({apiVersion: 'v1', kind: 'ConfigMap', ...item} as KnownObject, false);
      this.held.set(item.metadata.name, valueOf(item));
    }
    this.#at = this.#from = Number(metadata.resourceVersion);
    this.#entries = [];
  }

  async #follow(from: number): Promise<void> {
    this.#abort = new AbortController();
    const path = `${collection}?watch=true&allowWatchBookmarks=true&resourceVersion=${from}&timeoutSeconds=30`;
    // A server that says nothing at all may be paused.
    const timer = setTimeout(() => this.#abort.abort(), 40_000);
    try {
      const stream = await this.#server.client!.watch(path, {signal: this.#abort.signal});
      for await (const line of stream) if (!this.#take(line)) return;
    } finally {
      clearTimeout(timer);
    }
  }

  #take({type, object}: WatchLine): boolean {
    if (type === 'ERROR') {
      const {code} = object as unknown as {code: number};
      if (code === 410) this.#expire();
      return false;
    }
    const version = Number(object.metadata.resourceVersion);
    if (type === 'BOOKMARK') {
      this.#entries.push({type, version});
    } else {
      const seen = this.#records.see(object as unknown as KnownObject, type === 'DELETED');
      this.#entries.push({...seen, type: type as 'ADDED' | 'MODIFIED' | 'DELETED'});
      if (type === 'DELETED') this.held.delete(seen.key);
      else this.held.set(seen.key, valueOf(object as unknown as KnownObject));
    }
    this.#at = version;
    return true;
  }

  #expire(): void {
    this.#records.watches.push({watcher: this.#id, from: this.#from, entries: this.#entries, expired: true});
    this.#entries = [];
    this.#at = undefined;
    this.expired += 1;
  }
}

/** What the client wrote into an object. */
export function valueOf({data}: KnownObject): string {
  return data?.value ?? data?.intent ?? '';
}
