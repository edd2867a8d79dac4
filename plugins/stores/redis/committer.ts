import {randomBytes} from 'node:crypto';
import {StoreError, type Commit} from '../../../sdk/index.js';
import type {Reply} from './drivers/redis-driver.js';
import {CommitBatch} from './commit-batch.js';
import type {ConfirmedHistory} from './confirmed-history.js';
import type {Link} from './link.js';
import {storedRecord} from './record-codec.js';
import {ConnectionLost, indeterminate, isElsewhere, isOutOfMemory, reasonOf, ReplyError, toStoreError} from './redis-errors.js';
import type {OwnValues} from './own-values.js';
import type {ReplicaAcknowledgement} from './replica-acknowledgement.js';
import type {RevisionStride} from './revision-stride.js';
import {scripts} from './script.js';
import type {Session} from './session.js';
import {Settlement} from './settlement.js';
import {epochChangedError, type ShardHead} from './shard-head.js';
import type {ShardKeys} from './shard-keys.js';

/** Attempts for a commit that had no effect, for reasons other than a lost connection. */
const attempts = 3;
/** Refusals that reveal the state of a record. */
const revealing = new Set(['Exists', 'Missing', 'Mismatch', 'Guarded']);

export interface CommitterOptions {
  readonly link: Link;
  readonly keys: ShardKeys;
  readonly head: ShardHead;
  readonly stride: RevisionStride;
  /** The highest revision that this server has seen in any shard of the same order. */
  clock(): number;
  readonly server: string;
  readonly own: OwnValues;
  /** Undefined where Redis' own answer is enough. */
  readonly replicas: ReplicaAcknowledgement | undefined;
  /** Undefined where everything in the primary may be shown. */
  readonly confirmed: ConfirmedHistory | undefined;
  /** Bytes that the log may hold in the Redis of a connection. */
  historyBytes(session: Session): number;
}

/**
 * Makes the commits of one shard, each exactly once.
 *
 * A commit carries an id that ends up in its log entry. When the connection breaks before the answer, `Settlement` finds
 * out whether it took effect; if it did not it is sent again, otherwise the answer is its revision. Only when Redis does
 * not come back in time does the caller learn that it is unknown.
 */
export class Committer {
  readonly #origin = randomBytes(6).toString('base64url');
  #count = 0;
  /** What is to be sent in this turn of the event loop. */
  #batch: CommitBatch | undefined;
  readonly #settlement: Settlement;
  readonly #link: Link;
  readonly #keys: ShardKeys;
  readonly #head: ShardHead;
  readonly #server: string;
  readonly #replicas: ReplicaAcknowledgement | undefined;
  readonly #options: CommitterOptions;

  constructor(options: CommitterOptions) {
    const {link, keys, head, server, replicas} = options;
    this.#options = options;
    this.#link = link;
    this.#keys = keys;
    this.#head = head;
    this.#server = server;
    this.#replicas = replicas;
    this.#settlement = new Settlement(link, keys);
  }

  async commit(change: Commit): Promise<number> {
    if (change.expected === 0 && change.value === null) {
      throw new StoreError('Missing', 'a record that must not exist cannot be deleted');
    }
    const id = `${this.#origin}.${(this.#count++).toString(36)}`;
    const {own} = this.#options;
    if (own.isRead && change.value !== null) own.add(id, change.value);
    try {
      return await this.#commit(change, id);
    } catch (error) {
      // A change that may have happened is still awaited by the log.
      if (!StoreError.is(error) || !error.indeterminate) own.take(id);
      throw error;
    }
  }

  async #commit(change: Commit, id: string): Promise<number> {
    const deadline = this.#link.deadline();
    for (let attempt = 1; ; attempt++) {
      // Synchronous when there is a connection: commits of one turn take effect in order.
      const acquired = this.#link.acquire(deadline);
      const session = acquired instanceof Promise ? await acquired : acquired;
      const {epoch, revision: after} = this.#head;
      try {
        const reply = await this.#send(session, epoch, after, id, change);
        if (typeof reply === 'number') {
          this.#head.advance(epoch, reply, id);
          await this.#replicas?.confirm(session);
          this.#options.confirmed?.note(epoch, reply);
          return reply;
        }
        await this.#refused(session, epoch, reply as Buffer[], change, attempt);
      } catch (error) {
        if (isOutOfMemory(error) && attempt < attempts && (await this.#makeRoom(session).catch(() => false))) continue;
        if (error instanceof ConnectionLost) {
          const {revisions, complete, session: later} = await this.#settlement.outcome({session, id, epoch, after}, deadline);
          const revision = revisions.get(id);
          if (revision !== undefined) {
            this.#head.advance(epoch, revision, id);
            await this.#replicas?.confirm(later);
            return revision;
          }
          if (!complete) throw indeterminate(this.#link.unavailable());
          if (this.#link.isOver(deadline)) throw this.#link.unavailable();
        } else {
          if (!isElsewhere(error) || this.#link.isOver(deadline)) throw toStoreError(error, this.#server);
          session.end(reasonOf(error));
        }
      }
    }
  }

  #send(session: Session, epoch: string, seen: number, id: string, change: Commit): Promise<Reply> {
    if (this.#batch?.takes({session, epoch}, change) !== true) {
      if (this.#batch) this.#flush(false);
      else setImmediate(() => this.#flush(true));
      const {keys, stride, clock} = this.#options;
      const order = stride.step === 1 ? undefined : `${stride.remainder} ${stride.step} ${clock()}`;
      this.#batch = new CommitBatch({session, keys, epoch, order, historyBytes: this.#options.historyBytes(session)}, change);
    }
    return this.#batch.add(id, seen, change);
  }

  #flush(atOnce: boolean): void {
    const batch = this.#batch;
    this.#batch = undefined;
    void batch?.send(atOnce);
  }

  /** Drops half of the history when memory is full. */
  async #makeRoom(session: Session): Promise<boolean> {
    const {head, valuesOf} = this.#keys;
    const held = Number(String(await session.send(['HGET', head, 'bytes'])));
    let dropped = 0;
    for (let part = 1; part > 0; dropped += part) {
      part = (await session.run(scripts.compact, this.#head.keysWithValues, [
        'bytes',
        String(Math.floor(held / 2)),
        '500',
        valuesOf,
      ])) as number;
    }
    return dropped > 0;
  }

  /** Throws the error of a refusal; returns if the commit, which had no effect, may be sent again. */
  async #refused(
    session: Session,
    epoch: string,
    [word, revision, value]: readonly Buffer[],
    {type, key, expected, guard}: Commit,
    attempt: number,
  ): Promise<void> {
    if (String(word) === 'Failed') throw toStoreError(new ReplyError(String(revision)), this.#server);
    const current = revision === undefined ? undefined : storedRecord(key, String(revision), value);
    const what = `${type} ${key}`;
    // Such a refusal shows a change, which the replicas must have as well.
    if (revealing.has(String(word))) await this.#options.confirmed?.latest();
    switch (String(word)) {
      case 'Exists':
        throw new StoreError('Exists', `${what} exists already, at revision ${current?.revision}`, {current});
      case 'Missing':
        throw new StoreError('Missing', `${what} does not exist`);
      case 'Mismatch':
        throw new StoreError('Mismatch', `${what} is at revision ${current?.revision}, not ${expected}`, {current});
      case 'Guarded':
        throw new StoreError('Fenced', `${guard!.type} ${guard!.key} is no longer at revision ${guard!.revision}`);
      case 'Incomplete':
        // Attaching reports what is missing. If nothing is, it has been repaired since.
        await this.#head.attach(session);
        if (attempt < attempts) return;
        throw new StoreError('Corrupt', `the records of ${type} are not as many as they should be`);
      case 'EpochChanged':
        if (this.#head.epoch === epoch) await this.#head.attach(session);
        // Revisions are unique across histories, so the commit means the same in the other one.
        if (attempt < attempts) return;
        throw epochChangedError();
      default:
        // Fenced: another connection has taken over from this one.
        session.end('the connection was replaced');
        throw new ConnectionLost('the connection was replaced');
    }
  }
}
