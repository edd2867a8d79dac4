import {setTimeout as sleep} from 'node:timers/promises';
import {StoreError, type Logger, type Scheduler, type Task} from '../../../sdk/index.js';
import type {Reply} from './drivers/redis-driver.js';
import type {ConfirmedHistory} from './confirmed-history.js';
import type {Follower} from './follower.js';
import {Link} from './link.js';
import {deliverLog, isWanted} from './log-delivery.js';
import type {Outage} from './outage.js';
import type {OwnValues} from './own-values.js';
import {logHead} from './record-codec.js';
import {ReadPace} from './read-pace.js';
import {reasonOf, toStoreError} from './redis-errors.js';
import type {Session} from './session.js';
import type {ShardHead} from './shard-head.js';
import type {ShardKeys} from './shard-keys.js';
import {compactedError} from './shard-reader.js';
import {ValueForecast} from './value-forecast.js';

/** How long one XREAD blocks: in an idle store, a loss of data is noticed after at most this long. */
export const blockMillis = 5000;
/** How often the history is checked while entries arrive: a little less than they do in an idle store, where leases are renewed. */
const checkMillis = 4000;

const batchSize = 512;
/** Pause if replicas do not confirm what has been read. */
const unconfirmedMillis = 100;

export interface TailOptions {
  readonly keys: ShardKeys;
  readonly head: ShardHead;
  readonly own: OwnValues;
  /** Undefined where everything in the primary may be shown. */
  readonly confirmed: ConfirmedHistory | undefined;
  readonly server: string;
  readonly logger: Logger;
  readonly scheduler: Scheduler;
  readonly outage: Outage;
  readonly patienceMillis: number;
  /** Whether the keys are being moved between nodes. */
  isInMotion(): boolean;
  /** Opens the tail's own connection and attaches the head. */
  connect(): Promise<Session>;
  /** Ends all followers of the shard that are below a revision. */
  endBelow(revision: number, error: Error): void;
}

/** The end of a shard's log: one blocking XREAD for the whole process, handed on to every follower that has caught up. */
export class Tail {
  #position = 0;
  /** When the history was last checked. */
  #checked = 0;
  #started = false;
  readonly #followers = new Set<Follower>();
  readonly #link: Link;
  readonly #loop: Promise<void>;
  readonly #options: TailOptions;
  readonly #task: Task;
  readonly #pace = new ReadPace();
  readonly #forecast = new ValueForecast();

  constructor(options: TailOptions) {
    this.#options = options;
    this.#task = options.scheduler.task('delivery', 'log of Redis');
    const {server, outage, patienceMillis, isInMotion} = options;
    this.#link = new Link({purpose: 'follow', server, outage, patienceMillis, isInMotion, connect: () => this.#connect()});
    this.#loop = this.#run();
  }

  /** The last revision that was read; every entry up to it is in the log, or was compacted. */
  get position(): number {
    return this.#position;
  }

  /** Resolves when the position is known. Rejects with `Unavailable` when Redis cannot be reached in time. */
  async ready(): Promise<void> {
    await this.#link.acquire(this.#link.deadline());
  }

  /** Takes over a follower whose position is not below the tail's: from now on it gets new entries. */
  join(follower: Follower): void {
    this.#followers.add(follower);
  }

  leave(follower: Follower): void {
    this.#followers.delete(follower);
  }

  /** Somebody waits for a revision that has not been read yet. */
  hurry(): void {
    this.#pace.hurry();
  }

  /** Goes on at the end of another history. */
  restart(): void {
    this.#position = this.#options.head.revision;
  }

  /** Something else was not answered any more: does not wait until that shows here. */
  reconnect(reason: string): void {
    this.#link.reconnect(reason);
  }

  async close(): Promise<void> {
    const closing = this.#link.close();
    this.#pace.hurry();
    await closing;
    await this.#loop;
  }

  async #connect(): Promise<Session> {
    const session = await this.#options.connect();
    if (!this.#started) this.restart();
    this.#started = true;
    this.#checked = 0;
    return session;
  }

  async #run(): Promise<void> {
    while (!this.#link.closed) {
      let session: Session | undefined;
      try {
        session = await this.#link.acquire(Infinity);
        await this.#read(session);
      } catch (error) {
        if (this.#link.closed) return;
        const problem = toStoreError(error, this.#options.server);
        if (problem.code === 'Corrupt') {
          this.#options.logger.error({err: problem}, 'the log cannot be followed');
          this.#options.endBelow(Infinity, problem);
        }
        // The link makes the next connection, with growing pauses while the trouble lasts.
        session?.end(reasonOf(error));
      }
    }
  }

  async #read(session: Session): Promise<void> {
    const {keys, head, own} = this.#options;
    // Also while entries arrive: nothing else notices missing data, or reads the time.
    if (performance.now() - this.#checked >= checkMillis) await this.#check(session);
    const rest = this.#pace.rest();
    if (rest) await rest;
    const {epoch} = head;
    const after = this.#position;
    const read = session.send(['XREAD', 'COUNT', String(batchSize), 'BLOCK', String(blockMillis), 'STREAMS', keys.log, `${after}-0`]);
    const expected = this.#forecast.ask(session, keys, after);
    const reply = await read;
    if (reply === null) return this.#check(session);
    const [[, raw]] = reply as [[Buffer, Reply[]]];
    const heads = raw.map(logHead).filter((entry) => entry.revision > this.#position);
    if (heads.length === 0 || head.epoch !== epoch) return;
    if (heads[0]!.after > this.#position) return this.#explainGap(session);
    // Entries that a failover may lose are not delivered: they are read again once the replicas have them.
    if (!(await this.#isConfirmed(epoch, heads.at(-1)!.revision))) return;
    if (head.epoch !== epoch) return;
    const values = own.takeAll(heads);
    this.#forecast.learn(after, heads, (entry) => !entry.isDeletion && !values.has(entry.revision) && isWanted(entry, this.#followers));
    for (const [revision, value] of (await expected) ?? []) if (!values.has(revision)) values.set(revision, value);
    const missing = await deliverLog(
      session,
      keys,
      epoch,
      heads,
      () => (head.epoch === epoch ? this.#followers : []),
      values,
      this.#task,
      (upTo, isWanted) => {
        if (isWanted) this.#pace.wanted();
        if (head.epoch === epoch) this.#position = upTo;
      },
    );
    if (head.epoch !== epoch) return;
    if (missing !== undefined) return this.#explainGap(session);
    const last = heads.at(-1)!;
    head.advance(epoch, last.revision, last.commit);
  }

  async #isConfirmed(epoch: string, revision: number): Promise<boolean> {
    try {
      await this.#options.confirmed?.upTo(epoch, revision);
      return true;
    } catch (error) {
      const {code} = toStoreError(error, this.#options.server);
      if (code !== 'Unavailable' && code !== 'EpochChanged') throw error;
      await sleep(unconfirmedMillis);
      return false;
    }
  }

  /** Checks the history. Followers below the floor of a log that was compacted in between are ended. */
  async #check(session: Session): Promise<void> {
    const {head} = this.#options;
    const {epoch} = head;
    const floor = await head.attach(session);
    this.#checked = performance.now();
    if (head.epoch === epoch) this.#passFloor(floor);
  }

  /** Each entry names the one before it, so a gap means that the log was compacted or replaced: asks Redis which. */
  async #explainGap(session: Session): Promise<void> {
    const {head} = this.#options;
    const {epoch} = head;
    const floor = await head.attach(session);
    if (head.epoch !== epoch) return;
    if (floor <= this.#position) throw new StoreError('Corrupt', `the log lacks entries after revision ${this.#position}`);
    this.#passFloor(floor);
  }

  #passFloor(floor: number): void {
    if (floor <= this.#position) return;
    this.#options.endBelow(floor, compactedError(this.#position, floor));
    this.#position = floor;
  }
}
