import {
  Backoff,
  StoreError,
  type Commit,
  type LogEntry,
  type LogFollower,
  type LogListener,
  type Logger,
  type Store,
  type StoredRecord,
  type TypeContents,
  type TypeHistory,
} from '../../../sdk/index.js';
import {entryOf, errorOf, recordOf, type EntryRow, type FollowerMessage, type RecordRow, type Request} from './messages.js';
import type {Frame} from './frames.js';
import {notReachable, StoreLink, type Result} from './store-link.js';

export interface RemoteStoreOptions {
  readonly path: string;
  readonly logger: Logger;
  /** How long the process that has the store may say nothing while it is asked; 10 s by default. */
  readonly silenceMillis?: number;
}

interface Follower {
  readonly listener: LogListener;
  /** Up to which the log was delivered. */
  position: number;
}

/**
 * The store of another process of this machine. Reads of objects do not go there: the log comes by itself, and how far it must have come is in
 * a file that all processes see (`HeadFile`). When the connection is lost it is made again, and followers go on where they were.
 */
export class RemoteStore implements Store {
  readonly shards = 1;
  readonly #options: RemoteStoreOptions;
  readonly #followers = new Map<number, Follower>();
  readonly #retries = new Backoff({initialMillis: 20, maximumMillis: 500});
  readonly #commits = new Set<Promise<number>>();
  readonly #closing = new AbortController();
  #next = 1;
  #link: StoreLink | undefined;
  #durability = '';
  /** That of the store to which followers were last connected. */
  #epoch = '';
  #reconnecting: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  private constructor(options: RemoteStoreOptions) {
    this.#options = options;
  }

  /** @throws StoreError when the store cannot be reached */
  static async open(options: RemoteStoreOptions, signal?: AbortSignal): Promise<RemoteStore> {
    const store = new RemoteStore(options);
    const link = await store.#connect(signal);
    store.#durability = link.hello.durability;
    store.#epoch = link.hello.epoch;
    store.#link = link;
    return store;
  }

  get durability(): string {
    return this.#durability;
  }

  get epoch(): string {
    return this.#epoch;
  }

  shardOf(): number {
    return 0;
  }

  async read(type: string, key: string): Promise<StoredRecord | undefined> {
    const {result, values} = await this.#ask({op: 'read', type, key});
    return result === null ? undefined : recordOf(result as RecordRow, values[0]!);
  }

  async list(type: string): Promise<TypeContents> {
    const {result, parts} = await this.#ask({op: 'list', type});
    const records: StoredRecord[] = [];
    for (const part of parts) {
      for (const [index, row] of (part.result as RecordRow[]).entries()) records.push(recordOf(row, part.values[index]!));
    }
    return {...(result as {revision: number}), records};
  }

  async history(type: string): Promise<TypeHistory> {
    const {result, parts} = await this.#ask({op: 'history', type});
    const entries: LogEntry[] = [];
    for (const {result: rows, values} of parts) {
      for (const [index, row] of (rows as EntryRow[]).entries()) {
        entries.push(entryOf(row, values[2 * index]!, values[2 * index + 1]));
      }
    }
    return {...(result as {floor: number; revision: number}), entries};
  }

  async types(): Promise<readonly string[]> {
    return (await this.#ask({op: 'types'})).result as string[];
  }

  async commit({type, key, expected, value, guard}: Commit): Promise<number> {
    const commit = this.#ask({op: 'commit', type, key, expected, guard}, [value]).then(({result}) => result as number);
    this.#commits.add(commit);
    try {
      return await commit;
    } finally {
      this.#commits.delete(commit);
    }
  }

  revision(): number | Promise<number> {
    try {
      return this.#connected().revision();
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async follow(_shard: number, after: number, listener: LogListener): Promise<LogFollower> {
    const id = this.#next++;
    this.#connected();
    this.#followers.set(id, {listener, position: after});
    try {
      await this.#ask({op: 'follow', follower: id, after});
    } catch (error) {
      // Unless it was ended, or went on with another connection.
      if (this.#followers.delete(id)) throw error;
    }
    return {
      close: () => {
        if (this.#followers.delete(id)) this.#link?.send({op: 'unfollow', follower: id});
      },
    };
  }

  async compact(_shard: number, upTo: number): Promise<void> {
    await this.#ask({op: 'compact', upTo});
  }

  async ping(): Promise<void> {
    await this.#ask({op: 'ping'});
  }

  close(): Promise<void> {
    this.#closed ??= this.#shutDown();
    return this.#closed;
  }

  async #shutDown(): Promise<void> {
    this.#closing.abort();
    await this.#reconnecting;
    await Promise.allSettled(this.#commits);
    const error = closedError();
    const followers = [...this.#followers.values()];
    this.#followers.clear();
    for (const {listener} of followers) listener.onEnd(error);
    await this.#link?.end();
    this.#link = undefined;
  }

  async #ask(request: Request, values: readonly (Buffer | null)[] = []): Promise<Result> {
    return this.#connected().ask(request, values);
  }

  /** @throws StoreError */
  #connected(): StoreLink {
    if (this.#closed) throw closedError();
    if (!this.#link) throw notReachable();
    return this.#link;
  }

  #connect(signal: AbortSignal | undefined): Promise<StoreLink> {
    const {path, silenceMillis} = this.#options;
    return StoreLink.open(
      {path, silenceMillis, onFollower: (message, values) => this.#deliver(message, values), onLost: () => this.#lost()},
      signal,
    );
  }

  #lost(): void {
    this.#link = undefined;
    if (this.#closed) return;
    this.#options.logger.warn({}, 'the process that has the store cannot be reached; trying again');
    this.#reconnecting ??= this.#reconnect().finally(() => (this.#reconnecting = undefined));
  }

  async #reconnect(): Promise<void> {
    const {signal} = this.#closing;
    while (!signal.aborted) {
      try {
        const link = await this.#connect(signal);
        this.#retries.reset();
        this.#link = link;
        this.#options.logger.info({}, 'the process that has the store is reached again');
        this.#goOn(link);
        return;
      } catch (error) {
        this.#options.logger.debug({err: error}, 'the process that has the store cannot be reached');
        await this.#pause(this.#retries.next());
      }
    }
  }

  /** Followers go on where they were, unless the history is another one. */
  #goOn(link: StoreLink): void {
    const isOther = link.hello.epoch !== this.#epoch;
    this.#epoch = link.hello.epoch;
    for (const [id, follower] of this.#followers) {
      if (isOther) {
        this.#end(id, new StoreError('EpochChanged', 'the process that has the store has another history than before'));
        continue;
      }
      link.ask({op: 'follow', follower: id, after: follower.position}).catch((error: StoreError) => {
        // A lost connection is made again, and everybody asked again.
        if (this.#link === link) this.#end(id, error);
      });
    }
  }

  #deliver(message: FollowerMessage, values: Frame['values']): void {
    const follower = this.#followers.get(message.follower);
    if (!follower) return;
    if ('end' in message) return this.#end(message.follower, errorOf(message.end, undefined));
    const {listener} = follower;
    const {upTo, entries: rows} = message;
    follower.position = upTo;
    const entries: LogEntry[] = [];
    for (const [index, row] of rows.entries()) {
      if (listener.wants?.(row[2]) ?? true) entries.push(entryOf(row, values[index]!));
    }
    if (entries.length > 0 || listener.wants) listener.onEntries(entries, upTo);
  }

  #end(id: number, error: StoreError): void {
    const follower = this.#followers.get(id);
    if (this.#followers.delete(id)) follower!.listener.onEnd(error);
  }

  #pause(millis: number): Promise<void> {
    const {signal} = this.#closing;
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, millis);
      signal.addEventListener('abort', done);
      if (signal.aborted) done();
    });
  }
}

function closedError(): StoreError {
  return new StoreError('Closed', 'the store is closed');
}
