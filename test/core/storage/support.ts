import type {ExecutionContext} from 'ava';
import {
  StatusError,
  StoreError,
  type ApiObject,
  type Logger,
  type LogFollower,
  type LogListener,
  type Status,
  type Store,
} from '../../../sdk/index.js';
import {MemoryStoreProvider} from '../../../plugins/stores/embedded/memory-store-provider.js';
import type {StorageOptions} from '../../../core/storage/storage-options.js';
import {Storage} from '../../../core/storage/storage.js';
import type {CachedObject} from '../../../core/storage/cache/cached-object.js';
import type {TypeStorage} from '../../../core/storage/type-storage.js';
import {toStatusError} from '../../../core/registry/store-errors.js';
import {JsonFrameEncoder} from '../../../core/registry/views/json-frame-encoder.js';
import type {WatchQuery, WatchSink} from '../../../core/storage/watch/watch-query.js';

export const historyMillis = 300_000;

/** A log that keeps what is warned of. */
export class RecordingLogger implements Logger {
  readonly records: {level: string; fields: object; message: string}[] = [];
  trace(): void {}
  debug(): void {}
  info(): void {}
  warn(fields: object, message: string): void {
    this.records.push({level: 'warn', fields, message});
  }
  error(fields: object, message: string): void {
    this.records.push({level: 'error', fields, message});
  }
  child(): Logger {
    return this;
  }
}

/** What a client is told of an error of storage. */
export const told = (error: unknown): unknown => toStatusError(error, {group: 'example.com', resource: 'widgets'});

/** Whether a client is told that a version is gone. */
export function isExpired(error: unknown): boolean {
  const status = told(error);
  return StatusError.is(status) && status.code === 410;
}

/** An empty store in memory. */
export async function memoryStore(t: ExecutionContext): Promise<Store> {
  const store = await new MemoryStoreProvider(new RecordingLogger()).open(
    {url: 'memory', dataDir: '/nonexistent', historyMillis},
    new AbortController().signal,
  );
  t.teardown(() => store.close());
  return store;
}

/** A clock that runs with the real one and can be put forward. */
export class TestClock {
  private ahead = 0;
  readonly now = (): number => Date.now() + this.ahead;
  advance(millis: number): void {
    this.ahead += millis;
  }
}

export async function startStorage(t: ExecutionContext, store: Store, options: Partial<StorageOptions> = {}): Promise<Storage> {
  const storage = new Storage(store, {historyMillis, logger: new RecordingLogger(), ...options});
  t.teardown(() => storage.stop());
  await storage.start();
  return storage;
}

/** The type that most tests use; its selectable field is `spec.node`. */
export function widgets(storage: Storage, extra: {type?: string; ttlSeconds?: number} = {}): TypeStorage {
  return storage.type({
    type: 'widgets.example.com',
    namespaced: true,
    selectableFields: (cached) => ({'spec.node': String((cached.object()['spec'] as {node?: string} | undefined)?.node ?? '')}),
    ...extra,
  });
}

export function widget(
  namespace: string,
  name: string,
  content: {labels?: Record<string, string>; node?: string; data?: unknown} = {},
): ApiObject {
  const {labels, node, data} = content;
  return {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: {name, namespace, uid: `uid-${namespace}-${name}`, ...(labels ? {labels} : {})},
    spec: {...(node === undefined ? {} : {node}), ...(data === undefined ? {} : {data})},
  };
}

/** Creates or replaces the widget `namespace/name`. */
export const put = async (type: TypeStorage, key: string, content: Parameters<typeof widget>[2] = {}): Promise<CachedObject> => {
  const [namespace, name] = key.split('/') as [string, string];
  const current = await type.get(namespace, name, 'recent');
  return current
    ? type.update(widget(namespace, name, content), current, namespace, name)
    : type.create(widget(namespace, name, content), namespace, name);
};

/** Deletes the widget `namespace/name` and answers the revision of that. */
export const remove = async (type: TypeStorage, key: string): Promise<number> => {
  const [namespace, name] = key.split('/') as [string, string];
  return (await type.delete(namespace, name, (await type.get(namespace, name, 'recent'))!.revision)).revision;
};

export const encoder = new JsonFrameEncoder({apiVersion: 'example.com/v1', kind: 'Widget'}, 'example.com/initial-events-end');

export interface ReceivedEvent {
  type: string;
  object: ApiObject & Partial<Status>;
}

/** Takes the frames of a watch and lets tests wait for what they expect. */
export class CollectingSink implements WatchSink {
  readonly chunks: Buffer[] = [];
  readonly events: ReceivedEvent[] = [];
  ended = false;
  queuedBytes = 0;
  /** What is written counts as queued until `drain`. */
  stalled = false;
  private waiting: (() => void)[] = [];
  private resume: (() => void) | undefined;

  write(chunk: Buffer): void {
    this.chunks.push(chunk);
    if (this.stalled) this.queuedBytes += chunk.length;
    for (const line of chunk.toString().split('\n')) if (line !== '') this.events.push(JSON.parse(line) as ReceivedEvent);
    this.wake();
  }

  onceDrained(resume: () => void): void {
    this.resume = resume;
  }

  drain(): void {
    this.queuedBytes = 0;
    const {resume} = this;
    this.resume = undefined;
    resume?.();
  }

  end(frame?: Buffer): void {
    if (frame) this.write(frame);
    this.ended = true;
    this.wake();
  }

  /** `TYPE namespace/name@version` for each event. */
  get summary(): string[] {
    return this.events.map(({type, object}) => {
      const {namespace, name, resourceVersion} = object.metadata;
      return type === 'ERROR' ? `ERROR ${object.code}` : `${type} ${name ? `${namespace}/${name}` : ''}@${resourceVersion}`;
    });
  }

  /** Resolves when the condition holds; it is looked at after every write. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  count(count: number): Promise<void> {
    return this.until(() => this.events.length >= count);
  }

  private wake(): void {
    const {waiting} = this;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }
}

/** Opens a watch with the JSON encoder. */
export async function watch(
  t: ExecutionContext,
  type: TypeStorage,
  query: Partial<WatchQuery> & Pick<WatchQuery, 'start'>,
  sink = new CollectingSink(),
) {
  const handle = await type.watch({bookmarks: false, encoder, ...query}, sink);
  t.teardown(() => handle.close());
  return {sink, handle};
}

/** A store whose connection can be cut and whose history can be replaced, over a real one. */
export class InterceptedStore implements Store {
  /** Thrown by every call that needs the store while it is set. */
  failure: Error | undefined;
  /** Calls of a method wait for the promise under its name. */
  readonly gates = new Map<string, Promise<unknown>>();
  /** Results of a method are held back until the promise under its name resolves. */
  readonly resultGates = new Map<string, Promise<unknown>>();
  /** Log entries are held back while it is set. */
  holding = false;
  /** Calls by method. */
  readonly calls = new Map<string, number>();
  private readonly listeners = new Set<{listener: LogListener; follower: LogFollower; held: Parameters<LogListener['onEntries']>[0][]}>();

  constructor(private store: Store) {}

  /** Puts another store in the place of this one, as when a replica without the last writes takes over. */
  replace(store: Store): void {
    this.store = store;
    this.breakOff(new StoreError('EpochChanged', 'the store was replaced'));
  }

  get durability(): string {
    return this.store.durability;
  }
  get shards(): number {
    return this.store.shards;
  }
  shardOf(type: string): number {
    return this.store.shardOf(type);
  }
  read(...args: Parameters<Store['read']>): ReturnType<Store['read']> {
    return this.call('read', () => this.store.read(...args));
  }
  list(...args: Parameters<Store['list']>): ReturnType<Store['list']> {
    return this.call('list', () => this.store.list(...args));
  }
  history(...args: Parameters<Store['history']>): ReturnType<Store['history']> {
    return this.call('history', () => this.store.history(...args));
  }
  commit(...args: Parameters<Store['commit']>): ReturnType<Store['commit']> {
    return this.call('commit', () => this.store.commit(...args));
  }
  async revision(shard: number): Promise<number> {
    return this.call('revision', async () => this.store.revision(shard));
  }
  compact(...args: Parameters<Store['compact']>): ReturnType<Store['compact']> {
    return this.call('compact', () => this.store.compact(...args));
  }
  async follow(shard: number, after: number, listener: LogListener): Promise<LogFollower> {
    return this.call('follow', async () => {
      const held: Parameters<LogListener['onEntries']>[0][] = [];
      const follower = await this.store.follow(shard, after, {
        onEntries: (entries) => (this.holding ? held.push(entries) : listener.onEntries(entries)),
        onEnd: (error) => listener.onEnd(error),
      });
      const entry = {listener, follower, held};
      this.listeners.add(entry);
      return {
        close: () => {
          this.listeners.delete(entry);
          follower.close();
        },
      };
    });
  }
  ping(): Promise<void> {
    return this.store.ping();
  }
  close(): Promise<void> {
    return this.store.close();
  }

  /** Delivers what was held back. */
  release(): void {
    this.holding = false;
    for (const {listener, held} of this.listeners) for (const entries of held.splice(0)) listener.onEntries(entries);
  }

  /** Ends all followers as a store does that cannot go on. */
  breakOff(error: Error): void {
    for (const {listener, follower} of [...this.listeners]) {
      follower.close();
      listener.onEnd(error);
    }
    this.listeners.clear();
  }

  private async call<T>(method: string, run: () => Promise<T>): Promise<T> {
    this.calls.set(method, (this.calls.get(method) ?? 0) + 1);
    await this.gates.get(method);
    if (this.failure) throw this.failure;
    const result = await run();
    await this.resultGates.get(method);
    return result;
  }
}
