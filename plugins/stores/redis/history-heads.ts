import type {Reply} from './drivers/redis-driver.js';
import type {Link} from './link.js';
import {logHead, type LogHead} from './record-codec.js';
import {scripts} from './script.js';
import {epochChangedError} from './shard-head.js';
import type {ShardKeys} from './shard-keys.js';

/** The entries of one type that the log has, without values. */
export interface TypeHeads {
  readonly heads: readonly LogHead[];
  /** Of which epoch. */
  readonly epoch: string;
  /** Above which revision the log was complete when the last entry was read. */
  readonly floor: number;
  /** Up to which revision was read. */
  readonly revision: number;
}

/** Entries looked at in one command. */
const pageSize = 512;
/** How many types are read in one pass: their names are sent with each page. */
const mostTypes = 200;

/**
 * Reads the entries of types from the log. That takes one pass over the whole log, so the types that are asked for while a pass goes on are read
 * together in the next: a server that starts asks for all of them.
 */
export class HistoryHeads {
  readonly #waiting = new Map<string, PromiseWithResolvers<TypeHeads>>();
  #isReading = false;
  readonly #link: Link;
  readonly #keys: ShardKeys;
  readonly #position: () => Promise<{readonly epoch: string; readonly revision: number}>;

  /** @param position the epoch that is read, and the revision of the shard; rejects with `EpochChanged` if Redis has another */
  constructor(link: Link, keys: ShardKeys, position: () => Promise<{readonly epoch: string; readonly revision: number}>) {
    this.#link = link;
    this.#keys = keys;
    this.#position = position;
  }

  /** All that is in the log when this is called, or more. Rejects with `StoreError` `EpochChanged` or `Unavailable`. */
  of(type: string): Promise<TypeHeads> {
    const waiting = this.#waiting.get(type) ?? Promise.withResolvers<TypeHeads>();
    this.#waiting.set(type, waiting);
    if (!this.#isReading) void this.#readAll();
    return waiting.promise;
  }

  async #readAll(): Promise<void> {
    this.#isReading = true;
    while (this.#waiting.size > 0) {
      const pass = new Map([...this.#waiting].slice(0, mostTypes));
      for (const type of pass.keys()) this.#waiting.delete(type);
      try {
        const found = await this.#read([...pass.keys()]);
        for (const [type, {resolve}] of pass) resolve({...found, heads: found.heads.get(type) ?? []});
      } catch (error) {
        for (const {reject} of pass.values()) reject(error);
      }
    }
    this.#isReading = false;
  }

  async #read(types: readonly string[]): Promise<Omit<TypeHeads, 'heads'> & {readonly heads: ReadonlyMap<string, LogHead[]>}> {
    const {epoch, revision} = await this.#position();
    const heads = new Map<string, LogHead[]>();
    let floor = 0;
    let position = 0;
    do {
      const page = [epoch, String(Math.max(position, floor)), String(revision), String(pageSize), ...types];
      const reply = await this.#link.retrying((session) => session.run(scripts.history, [this.#keys.head, this.#keys.log], page));
      const [first, upTo, ...found] = reply as [Buffer, Buffer | undefined, ...Reply[]];
      if (upTo === undefined) throw epochChangedError();
      // The log may be compacted meanwhile; what counts is where it begins in the end.
      floor = Number(first.toString());
      position = Number(upTo.toString());
      for (const entry of found) {
        const head = logHead(entry);
        const ofType = heads.get(head.type);
        if (ofType) ofType.push(head);
        else heads.set(head.type, [head]);
      }
    } while (position < revision);
    return {heads, epoch, floor, revision};
  }
}
