import type {Reply} from './drivers/redis-driver.js';
import type {Link} from './link.js';
import {NextCall} from './next-call.js';
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
 * Reads the entries of types from the log. This takes one pass over the whole log, so types requested during a pass are read
 * together in the next one: a starting server requests all of them.
 */
export class HistoryHeads {
  /** Types that the next pass reads. */
  readonly #wanted = new Set<string>();
  readonly #reading = new NextCall(() => this.#readWanted());
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
  async of(type: string): Promise<TypeHeads> {
    this.#wanted.add(type);
    return (await this.#reading.share()).get(type)!;
  }

  async #readWanted(): Promise<ReadonlyMap<string, TypeHeads>> {
    const types = [...this.#wanted];
    this.#wanted.clear();
    const found: [string, TypeHeads][] = [];
    for (let next = 0; next < types.length; next += mostTypes) found.push(...(await this.#read(types.slice(next, next + mostTypes))));
    return new Map(found);
  }

  async #read(types: readonly string[]): Promise<[type: string, TypeHeads][]> {
    const {epoch, revision} = await this.#position();
    const heads = new Map(types.map((type): [string, LogHead[]] => [type, []]));
    let floor = 0;
    let position = 0;
    do {
      const page = [epoch, String(Math.max(position, floor)), String(revision), String(pageSize), ...types];
      const reply = await this.#link.retrying((session) => session.run(scripts.history, [this.#keys.head, this.#keys.log], page));
      const [first, upTo, ...found] = reply as [Buffer, Buffer | undefined, ...Reply[]];
      if (upTo === undefined) throw epochChangedError();
      // The log may be compacted during the pass; its beginning at the end counts.
      floor = Number(first.toString());
      position = Number(upTo.toString());
      for (const entry of found) {
        const head = logHead(entry);
        heads.get(head.type)!.push(head);
      }
    } while (position < revision);
    return [...heads].map(([type, ofType]) => [type, {heads: ofType, epoch, floor, revision}]);
  }
}
