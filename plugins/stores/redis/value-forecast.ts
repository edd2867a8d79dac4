import type {Reply} from './drivers/redis-driver.js';
import type {LogHead} from './record-codec.js';
import type {Session} from './session.js';
import type {ShardKeys} from './shard-keys.js';

/** Values that are asked for ahead: they come in one answer, whatever their size. More gain little, since reads of many entries are rare. */
const most = 4;

/**
 * Guesses which values the next read of the log will need, and asks for them together with it: a question of its own for them costs both sides as much as the
 * read. Where values of one type were needed, more of that type usually are, and a shard with an order of its own gives out one revision after the other. A value
 * is kept under its revision for good, so one that comes back is the right one, and for one that does not there is `readValues`.
 */
export class ValueForecast {
  #type: string | undefined;
  #count = 0;

  /**
   * Learns from a read.
   *
   * @param after the revision after which was read
   * @param needs whether the value of an entry has to be read
   */
  learn(after: number, heads: readonly LogHead[], needs: (head: LogHead) => boolean): void {
    const last = heads.at(-1)!;
    const latest = heads.slice(-most);
    // Where not each revision is one of this shard, or most values are not needed, it would be asked for much in vain.
    const isDense = last.revision - after === heads.length;
    const alike = isDense && needs(last) ? latest.filter((head) => head.type === last.type && needs(head)).length : 0;
    this.#type = alike * 4 > latest.length * 3 ? last.type : undefined;
    this.#count = Math.min(most, Math.ceil(heads.length * 1.5) + 1);
  }

  /** Sends the question for the values that may follow a revision, if any are expected: right after the read. Resolves to those that are there. */
  ask(session: Session, keys: ShardKeys, after: number): Promise<ReadonlyMap<number, Buffer>> | undefined {
    const type = this.#type;
    if (type === undefined) return undefined;
    const revisions = Array.from({length: this.#count}, (_, index) => after + 1 + index);
    return session.send(['HMGET', keys.values(type), ...revisions.map(String)]).then(
      (reply) => {
        const found = new Map<number, Buffer>();
        for (const [index, value] of (reply as Reply[]).entries()) if (value !== null) found.set(revisions[index]!, value as Buffer);
        return found;
      },
      // The read itself says what is wrong, or the values are read afterwards.
      () => new Map(),
    );
  }
}
