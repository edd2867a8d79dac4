import {setTimeout as sleep} from 'node:timers/promises';
import {
  StoreError,
  type Commit,
  type Lineage,
  type LogFollower,
  type LogListener,
  type Logger,
  type Scheduler,
} from '../../../sdk/index.js';
import {Advancer} from './advancer.js';
import {Committer} from './committer.js';
import {ConfirmedHistory} from './confirmed-history.js';
import type {Connector} from './connector.js';
import {requireDurability} from './durability.js';
import {Follower} from './follower.js';
import {closedError, Link} from './link.js';
import {deliverLog} from './log-delivery.js';
import {Outage} from './outage.js';
import {OwnValues} from './own-values.js';
import {toStoreError} from './redis-errors.js';
import type {RedisSettings} from './redis-settings.js';
import {ReplicaAcknowledgement} from './replica-acknowledgement.js';
import type {RevisionStride} from './revision-stride.js';
import {RevisionReader} from './revision-reader.js';
import {scripts} from './script.js';
import {readServerFacts} from './server-facts.js';
import type {Session} from './session.js';
import {epochChangedError, ShardHead} from './shard-head.js';
import type {ShardKeys} from './shard-keys.js';
import {compactedError, ShardReader} from './shard-reader.js';
import {blockMillis, Tail} from './tail.js';

export interface ShardOptions {
  readonly keys: ShardKeys;
  readonly connector: Connector;
  readonly settings: RedisSettings;
  readonly logger: Logger;
  readonly scheduler: Scheduler;
  readonly stride: RevisionStride;
  /** The highest revision that this server has seen in any shard of the same order. */
  clock(): number;
  /** Number of shards, which divide the memory. */
  readonly shards: number;
  /** The lineage of the shard in the data directory. */
  readonly remembered: Lineage | undefined;
  /** Called with the lineage of the shard after each check. */
  note(lineage: Lineage): void;
  /** Called on each new connection before the shard is used: verifies that it is still the opened store. */
  verify(session: Session): Promise<void>;
}

/** Reasons for a new epoch, by the words of `attach.lua`. */
const reasons: ReadonlyMap<string, string> = new Map([
  ['behind', 'it has come back to an earlier state'],
  ['other', 'it has another change where this server knows one'],
  ['restarted', 'it was restarted or another one was promoted, and may have lost what others saw'],
]);

/** One shard: its connections (commands; commits; the tail) and the work over them. */
export class Shard {
  readonly reader: ShardReader;
  readonly stride: RevisionStride;
  readonly #advancer: Advancer;
  readonly #revisions: RevisionReader;
  readonly #committer: Committer;
  readonly #head: ShardHead;
  /** Undefined where everything in the primary may be shown. */
  readonly #confirmed: ConfirmedHistory | undefined;
  readonly #commands: Link;
  readonly #commits: Link;
  readonly #links: Link[];
  readonly #followers = new Set<Follower>();
  readonly #own = new OwnValues();
  readonly #server: string;
  readonly #outage: Outage;
  #tail: Tail | undefined;
  readonly #options: ShardOptions;

  constructor(options: ShardOptions) {
    this.#options = options;
    const {keys, connector, settings, stride, clock} = options;
    this.stride = stride;
    this.#server = connector.topology.description;
    this.#outage = new Outage(this.#server, options.logger);
    const {remembered, note} = options;
    this.#head = new ShardHead({keys, server: this.#server, remembered, note, replaced: (reason) => this.#replaced(reason)});
    // Half of the timeout of a request: the other half is for a new connection and a second attempt.
    this.#commands = this.#newLink('commands', settings.commandMillis / 2);
    let silenceMillis = settings.commandMillis / 2;
    let replicas: ReplicaAcknowledgement | undefined;
    if (settings.waitReplicas > 0 || settings.requireDurability === 'always') {
      // WAIT holds up its connection.
      silenceMillis += settings.waitMillis;
      replicas = new ReplicaAcknowledgement(settings, this.#server);
    }
    // Redis reads 16 KB of a connection at a time and syncs its writes before it reads more: a read behind many commits would wait for many syncs.
    this.#commits = this.#newLink('commits', silenceMillis);
    this.#links = [this.#commands, this.#commits];
    if (replicas !== undefined && settings.confirmReads) {
      const link = this.#newLink('confirmations', settings.commandMillis / 2 + settings.waitMillis);
      this.#links.push(link);
      this.#confirmed = new ConfirmedHistory(link, keys, replicas);
    }
    this.reader = new ShardReader(this.#commands, keys, this.#head, this.#confirmed);
    this.#revisions = new RevisionReader(this.#commands, keys, this.#head, this.#confirmed);
    this.#advancer = new Advancer({link: this.#commands, keys, head: this.#head, stride, confirmed: this.#confirmed});
    this.#committer = new Committer({
      link: this.#commits,
      keys,
      head: this.#head,
      stride,
      clock,
      server: this.#server,
      own: this.#own,
      replicas,
      confirmed: this.#confirmed,
      historyBytes: (session) => this.#historyBytes(session),
    });
  }

  /** Resolves once the shard can be used. Rejects with a `StoreError` when the first attempt to connect fails. */
  async ready(): Promise<void> {
    await Promise.all(this.#links.map((link) => link.first));
  }

  commit(change: Commit): Promise<number> {
    return this.#committer.commit(change);
  }

  revision(): Promise<number> {
    return this.#revisions.read();
  }

  /** The highest revision that this server has seen. */
  get known(): number {
    return this.#head.revision;
  }

  get epoch(): string {
    return this.#head.epoch;
  }

  /** Resolves when the shard gives out no new revision up to this one. */
  advance(upTo: number): Promise<void> {
    return this.#advancer.advance(upTo);
  }

  /** Above which revision the log is complete. */
  floor(): Promise<number> {
    return this.#commands.retrying((session) => this.#head.attach(session));
  }

  /** The time of Redis, in milliseconds since 1970. */
  now(): number {
    return this.#head.now();
  }

  /** Resolves if Redis can be reached, for reads and for writes, and has all the data. */
  async ping(): Promise<void> {
    await Promise.all([this.#commands, this.#commits].map((link) => link.retrying((session) => this.#head.attach(session))));
  }

  async follow(after: number, listener: LogListener): Promise<LogFollower> {
    const tail = (this.#tail ??= this.#newTail());
    await tail.ready();
    const floor = await this.floor();
    if (this.#commands.closed) throw closedError();
    if (after < floor) throw compactedError(after, floor);
    // Only another history can have reached so far.
    if (after > this.#head.revision) throw epochChangedError();
    const follower = new Follower(after, listener, this.#options.logger, tail, (ended) => this.#followers.delete(ended));
    this.#followers.add(follower);
    // In a later turn: the caller has the follower in hand when the first entries come.
    setImmediate(() => void this.#catchUp(follower, tail));
    return follower;
  }

  /** Drops the log up to a revision, or entries older than an age. */
  async compact(drop: {upTo: number} | {olderThanMillis: number}): Promise<void> {
    const {valuesOf} = this.#options.keys;
    const what = 'upTo' in drop ? ['revision', String(drop.upTo)] : ['age', String(drop.olderThanMillis)];
    let dropped: number;
    do {
      dropped = (await this.#commands.retrying((session) =>
        session.run(scripts.compact, this.#head.keysWithValues, [...what, '500', valuesOf]),
      )) as number;
    } while (dropped > 0);
  }

  endFollowers(error: Error): void {
    this.#endBelow(Infinity, error);
  }

  async close(): Promise<void> {
    this.endFollowers(closedError());
    await Promise.all([...this.#links.map((link) => link.close()), this.#tail?.close()]);
  }

  /** Reads pages until the follower has what the tail has read, then leaves it to the tail. */
  async #catchUp(follower: Follower, tail: Tail): Promise<void> {
    const task = this.#options.scheduler.task('background', 'log of Redis');
    while (!follower.isClosed) {
      if (follower.position >= tail.position) return tail.join(follower);
      try {
        const {epoch} = this.#head;
        const heads = await this.reader.page(follower.position);
        if (heads.length > 0) await this.#confirmed?.upTo(epoch, heads.at(-1)!.revision);
        const missing =
          heads[0] !== undefined && heads[0].after <= follower.position
            ? await this.#commands.retrying((session) => {
                const left = heads.filter((head) => head.revision > follower.position);
                return deliverLog(
                  session,
                  this.#options.keys,
                  epoch,
                  left,
                  () => [follower],
                  new Map(),
                  task,
                  () => undefined,
                );
              })
            : {position: follower.position};
        if (missing === undefined) continue;
        const floor = await this.#commands.retrying((session) => this.#head.attach(session));
        if (floor > follower.position) return follower.end(compactedError(follower.position, floor));
        // The tail has read further, so there must be more.
        follower.end(new StoreError('Corrupt', `the log lacks entries after revision ${missing.position}`));
      } catch (error) {
        const problem = toStoreError(error, this.#server);
        if (problem.code !== 'Unavailable') return follower.end(problem);
        await sleep(100);
        await this.#commands.acquire(Infinity);
      }
    }
  }

  #endBelow(revision: number, error: Error): void {
    for (const follower of this.#followers) if (follower.position < revision) follower.end(error);
  }

  #replaced(reason: string): void {
    const what = reasons.get(reason) ?? 'another server has begun a new history';
    this.#options.logger.error(
      {epoch: this.#head.epoch, revision: this.#head.revision},
      `the history of the store in Redis at ${this.#server} does not go on (${what}): everything is read anew, and clients list again`,
    );
    this.#tail?.restart();
    this.endFollowers(epochChangedError());
    // The description of the store may be lost as well.
    for (const link of this.#links) link.reconnect('the history was replaced');
  }

  /** A quarter of the memory that Redis may use is enough for history. */
  #historyBytes({facts}: Session): number {
    const {settings, shards} = this.#options;
    return facts.maximumMemory === 0
      ? settings.historyBytes
      : Math.min(settings.historyBytes, Math.floor(facts.maximumMemory / 4 / shards));
  }

  async #open(silenceMillis: number): Promise<Session> {
    const session = await this.#options.connector.open(this.#options.keys.head, silenceMillis);
    try {
      const {settings, verify} = this.#options;
      session.facts = await readServerFacts(session, settings.topology === 'cluster');
      requireDurability(session.facts, settings);
      await verify(session);
      await this.#head.attach(session);
    } catch (error) {
      session.end('the connection could not be prepared');
      throw error;
    }
    return session;
  }

  #isInMotion(): boolean {
    return this.#options.connector.isInMotion(this.#options.keys.head);
  }

  #newLink(purpose: string, silenceMillis: number): Link {
    const {settings} = this.#options;
    return new Link({
      purpose,
      server: this.#server,
      patienceMillis: settings.commandMillis,
      isInMotion: () => this.#isInMotion(),
      outage: this.#outage,
      connect: async () => {
        const session = await this.#open(silenceMillis);
        // Nothing is owed to the tail for as long as it waits for entries: it notices last.
        session.onSilence = (reason) => this.#tail?.reconnect(reason);
        return session;
      },
    });
  }

  #newTail(): Tail {
    const {keys, settings, logger, scheduler} = this.#options;
    this.#own.isRead = true;
    return new Tail({
      keys,
      head: this.#head,
      own: this.#own,
      confirmed: this.#confirmed,
      server: this.#server,
      outage: this.#outage,
      logger,
      scheduler,
      patienceMillis: settings.commandMillis,
      isInMotion: () => this.#isInMotion(),
      connect: async () => {
        const session = await this.#open(blockMillis + settings.commandMillis / 2);
        session.isTail = true;
        return session;
      },
      endBelow: (revision, error) => this.#endBelow(revision, error),
    });
  }
}
