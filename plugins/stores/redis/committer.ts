import {randomBytes} from 'node:crypto';
import {StoreError, type Commit} from '../../../sdk/index.js';
import type {Reply} from './drivers/redis-driver.js';
import type {Link} from './link.js';
import {storedRecord} from './record-codec.js';
import {ConnectionLost, indeterminate, isElsewhere, reasonOf, toStoreError} from './redis-errors.js';
import type {ReplicaAcknowledgement} from './replica-acknowledgement.js';
import {scripts} from './script.js';
import type {Session} from './session.js';
import {Settlement} from './settlement.js';
import {epochChangedError, type ShardHead} from './shard-head.js';
import type {ShardKeys} from './shard-keys.js';

const nothing = Buffer.alloc(0);

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
  readonly #settlement: Settlement;
  readonly #link: Link;
  readonly #keys: ShardKeys;
  readonly #head: ShardHead;
  readonly #server: string;
  readonly #replicas: ReplicaAcknowledgement | undefined;

  constructor(link: Link, keys: ShardKeys, head: ShardHead, server: string, replicas: ReplicaAcknowledgement | undefined) {
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
    const deadline = this.#link.deadline();
    for (;;) {
      // Without a pause when there is a connection: commits sent in one turn take effect in their order.
      const acquired = this.#link.acquire(deadline);
      const session = acquired instanceof Promise ? await acquired : acquired;
      const {epoch, revision: after} = this.#head;
      try {
        const reply = await this.#send(session, epoch, after, id, change);
        if (typeof reply === 'number') {
          this.#head.advance(epoch, reply, id);
          await this.#replicas?.confirm(session);
          return reply;
        }
        await this.#refused(session, epoch, reply as Buffer[], change);
      } catch (error) {
        if (error instanceof ConnectionLost) {
          const {revisions, complete, session: later} = await this.#settlement.outcome({session, id, epoch, after}, deadline);
          const revision = revisions.get(id);
          if (revision !== undefined) {
            this.#head.advance(epoch, revision, id);
            await this.#replicas?.confirm(later);
            return revision;
          }
          if (!complete) throw indeterminate(this.#link.unavailable());
          if (performance.now() >= deadline) throw this.#link.unavailable();
        } else {
          if (!isElsewhere(error) || performance.now() >= deadline) throw toStoreError(error, this.#server);
          session.end(reasonOf(error));
        }
      }
    }
  }

  #send(session: Session, epoch: string, seen: number, id: string, {type, key, expected, value}: Commit): Promise<Reply> {
    const operation = expected === 0 ? 'c' : value === null ? 'd' : 'u';
    return session.run(
      scripts.commit,
      [this.#keys.head, this.#keys.log, this.#keys.records(type)],
      [epoch, String(seen), session.id, id, String(expected), type, key, operation, value ?? nothing],
    );
  }

  /** Throws what the script's refusal means. */
  async #refused(session: Session, epoch: string, [word, record]: readonly Buffer[], {type, key, expected}: Commit): Promise<never> {
    const current = record === undefined ? undefined : storedRecord(key, record);
    const what = `${type} ${key}`;
    switch (String(word)) {
      case 'Exists':
        throw new StoreError('Exists', `${what} exists already, at revision ${current?.revision}`, {current});
      case 'Missing':
        throw new StoreError('Missing', `${what} does not exist`);
      case 'Mismatch':
        throw new StoreError('Mismatch', `${what} is at revision ${current?.revision}, not ${expected}`, {current});
      case 'EpochChanged':
        if (this.#head.epoch === epoch) await this.#head.attach(session);
        throw epochChangedError();
      default:
        // Fenced: another connection has taken over from this one.
        session.end('the connection was replaced');
        throw new ConnectionLost('the connection was replaced');
    }
  }
}
