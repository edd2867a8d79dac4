import {setTimeout as sleep} from 'node:timers/promises';
import {inject, injectable, store, Tokens, type Logger, type Store, type StoreOpenOptions, type StoreProvider} from '../../../sdk/index.js';
import {Connector} from './connector.js';
import {describeDurability} from './durability.js';
import {ConnectionLost, problemText, ReplyError} from './redis-errors.js';
import {redisSettings, type RedisSettings} from './redis-settings.js';
import {RedisStore} from './redis-store.js';
import type {Session} from './session.js';
import {Shard} from './shard.js';
import {metaKey, ShardKeys} from './shard-keys.js';
import {ensureMeta} from './store-meta.js';

/** Enough to spread a cluster's load over its nodes, few enough connections for each server. */
const clusterShards = 16;

/** Opens stores in Redis or Valkey: one server, one behind Sentinel, or a cluster. See `parseRedisUrl` for the URLs. */
@injectable()
@store()
export class RedisStoreProvider implements StoreProvider {
  readonly #config: Readonly<Record<string, unknown>>;
  readonly #logger: Logger;

  constructor(@inject(Tokens.Config) config: Readonly<Record<string, unknown>>, @inject(Tokens.Logger) logger: Logger) {
    this.#config = config;
    this.#logger = logger;
  }

  async open(options: StoreOpenOptions, signal: AbortSignal): Promise<Store> {
    const settings = redisSettings(options.url, this.#config);
    const connector = await Connector.create(settings);
    try {
      return await this.#open(connector, settings, options.historyMillis, signal);
    } catch (error) {
      if (error instanceof ConnectionLost || error instanceof ReplyError) {
        throw new Error(problemText(error, connector.topology.description), {cause: error});
      }
      throw error;
    }
  }

  async #open(connector: Connector, settings: RedisSettings, historyMillis: number, signal: AbortSignal): Promise<Store> {
    const logger = this.#logger;
    const key = metaKey(settings.keyPrefix);
    const session = await this.#firstSession(connector, key, settings.commandMillis, signal);
    let shards: number;
    let durability: string;
    try {
      shards = await ensureMeta(session, key, settings.shards, settings.topology === 'cluster' ? clusterShards : 1);
      durability = await describeDurability(session, connector.topology.description, settings, logger);
    } finally {
      session.end('no longer needed');
    }

    const verify = async (given: Session): Promise<void> => {
      // In a cluster the description may be on another node.
      const own = settings.topology === 'cluster' ? await connector.open(key, settings.commandMillis) : undefined;
      try {
        await ensureMeta(own ?? given, key, shards, shards);
      } finally {
        own?.end('no longer needed');
      }
    };
    const all = Array.from({length: shards}, (_, index) => {
      return new Shard({keys: new ShardKeys(settings.keyPrefix, index), connector, settings, logger, verify});
    });
    const opened = new RedisStore(durability, all, historyMillis, logger);
    try {
      await Promise.all(all.map((shard) => shard.ready()));
      signal.throwIfAborted();
    } catch (error) {
      await opened.close();
      throw error;
    }
    return opened;
  }

  /** Redis may just be starting as well: it is waited for while it loads its data, but not while there is none. */
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
