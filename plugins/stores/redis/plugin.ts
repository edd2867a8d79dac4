import {setTimeout as sleep} from 'node:timers/promises';
import {
  CooperativeScheduler,
  inject,
  injectable,
  store,
  Tokens,
  type BackupTaker,
  type Logger,
  type RestoreOptions,
  type Scheduler,
  type ShardStatus,
  type StoreFiller,
  type StoreOpenOptions,
  type StoreProvider,
} from '../../../sdk/index.js';
import {Connector} from './connector.js';
import {LineageFile, lineagePath} from '../../../sdk/stores/index.js';
import {describeDurability, requireDurability} from './durability.js';
import {ConnectionLost, problemText, RefusedServer, ReplyError} from './redis-errors.js';
import {defaultShards, redisSettings, storeIdentity, type RedisSettings} from './redis-settings.js';
import type {Placement} from './placement.js';
import {backUp} from './redis-backup.js';
import {RedisFiller} from './redis-filler.js';
import {RedisStore} from './redis-store.js';
import {addressText} from './redis-url.js';
import {readServerFacts} from './server-facts.js';
import type {Session} from './session.js';
import {Shard} from './shard.js';
import {metaKey} from './shard-keys.js';
import {ensureMeta, newPlacement} from './store-meta.js';
import {RedisStoreTools} from './store-tools.js';

/** Opens stores in Redis or Valkey: one server, one behind Sentinel, or a cluster. See `parseRedisUrl` for the URLs. */
@injectable()
@store()
export class RedisStoreProvider implements StoreProvider {
  readonly #config: Readonly<Record<string, unknown>>;
  readonly #logger: Logger;
  readonly #scheduler: Scheduler;

  constructor(
    @inject(Tokens.Config) config: Readonly<Record<string, unknown>>,
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Scheduler) scheduler: Scheduler = new CooperativeScheduler(),
  ) {
    this.#config = config;
    this.#logger = logger;
    this.#scheduler = scheduler;
  }

  async open(options: StoreOpenOptions, signal: AbortSignal): Promise<RedisStore> {
    const settings = redisSettings(options.url, this.#config);
    const connector = await Connector.create(settings);
    try {
      return await inWords(connector.topology.description, () => this.#open(connector, settings, options, signal));
    } catch (error) {
      await connector.close();
      throw error;
    }
  }

  async status(options: StoreOpenOptions): Promise<readonly ShardStatus[]> {
    return this.#useTools(options, (tools) => tools.status());
  }

  async acceptLoss(options: StoreOpenOptions): Promise<readonly ShardStatus[]> {
    return this.#useTools(options, (tools) => tools.acceptLoss());
  }

  async backup(options: StoreOpenOptions, take: BackupTaker, signal: AbortSignal): Promise<readonly number[]> {
    // Opening would create a missing store.
    if ((await this.status(options)).every(({lineage}) => lineage === undefined)) throw new Error('there is no store to back up');
    const store = await this.open(options, signal);
    try {
      return await backUp(store, take, signal);
    } finally {
      await store.close();
    }
  }

  async restore({url, dataDir}: StoreOpenOptions, how: RestoreOptions): Promise<StoreFiller> {
    const settings = redisSettings(url, this.#config);
    return inWords(settings.addresses.map(addressText).join(', '), () => RedisFiller.open(settings, dataDir, how));
  }

  async #useTools<T>({url, dataDir}: StoreOpenOptions, work: (tools: RedisStoreTools) => Promise<T>): Promise<T> {
    const settings = redisSettings(url, this.#config);
    return inWords(settings.addresses.map(addressText).join(', '), async () => {
      const tools = await RedisStoreTools.create(settings, dataDir);
      try {
        return await work(tools);
      } finally {
        await tools.close();
      }
    });
  }

  async #open(
    connector: Connector,
    settings: RedisSettings,
    {dataDir, historyMillis}: StoreOpenOptions,
    signal: AbortSignal,
  ): Promise<RedisStore> {
    const logger = this.#logger;
    const key = metaKey(settings.keyPrefix);
    const session = await this.#firstSession(connector, key, settings.commandMillis, signal);
    let placement: Placement;
    let durability: string;
    try {
      placement = await ensureMeta(session, key, settings.shards, newPlacement(settings.shards ?? defaultShards(settings)));
      const facts = await readServerFacts(session, settings.topology === 'cluster');
      requireDurability(facts, settings);
      durability = describeDurability(facts, connector.topology.description, settings);
    } finally {
      session.end('no longer needed');
    }

    const {shards} = placement;
    const verify = async (given: Session): Promise<void> => {
      // In a cluster the description may be on another node.
      const own = settings.topology === 'cluster' ? await connector.open(key, settings.commandMillis) : undefined;
      try {
        const found = await ensureMeta(own ?? given, key, shards, placement);
        if (found.layout !== placement.layout) throw new RefusedServer('the store is laid out in another way than the one that was opened');
      } finally {
        own?.end('no longer needed');
      }
    };
    const identity = storeIdentity(settings);
    const lineage = await LineageFile.open(lineagePath(dataDir, identity), identity, (error) =>
      logger.error({err: error}, 'how far the store has come cannot be remembered in the data directory'),
    );
    const clockOf = (shard: number) => () => {
      const members = placement.shardsOf(placement.layout === 'namespaces' ? 0 : shard);
      return members.reduce((highest, member) => Math.max(highest, all[member]!.known), 0);
    };
    const all: Shard[] = Array.from({length: shards}, (_, index) => {
      return new Shard({
        keys: placement.keysOf(settings.keyPrefix, index),
        connector,
        settings,
        logger,
        scheduler: this.#scheduler,
        stride: placement.strideOf(index),
        clock: clockOf(index),
        shards,
        remembered: lineage.get(index),
        note: (seen) => lineage.note(index, seen),
        verify,
      });
    });
    const opened = new RedisStore(durability, placement, all, historyMillis, logger, lineage, connector);
    try {
      await Promise.all(all.map((shard) => shard.ready()));
      signal.throwIfAborted();
    } catch (error) {
      await opened.close();
      throw error;
    }
    return opened;
  }

  /** Redis may be starting too: waits while it loads its data, but not if it cannot be reached. */
  async #firstSession(connector: Connector, key: string, silenceMillis: number, signal: AbortSignal): Promise<Session> {
    let reported = false;
    for (;;) {
      signal.throwIfAborted();
      const session = await connector.open(key, silenceMillis);
      try {
        await session.send(['GET', key]);
        return session;
      } catch (error) {
        session.end('not ready');
        if (!(error instanceof ReplyError) || error.code !== 'LOADING') throw error;
        if (!reported) this.#logger.info({}, `waiting for Redis at ${connector.topology.description} to load its data`);
        reported = true;
        await sleep(100, undefined, {signal});
      }
    }
  }
}

/** Reports errors of work with Redis in one clear sentence. */
async function inWords<T>(server: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConnectionLost || error instanceof ReplyError || error instanceof RefusedServer) {
      throw new Error(problemText(error, server), {cause: error});
    }
    throw error;
  }
}
