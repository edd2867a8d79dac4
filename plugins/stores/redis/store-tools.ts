import {randomBytes} from 'node:crypto';
import type {Lineage, ShardPlacement, ShardStatus} from '../../../sdk/index.js';
import {LineageFile, lineagePath} from '../../../sdk/stores/index.js';
import {Connector} from './connector.js';
import type {Reply} from './drivers/redis-driver.js';
import {ReplyError} from './redis-errors.js';
import {addressText} from './redis-url.js';
import {storeIdentity, type RedisSettings} from './redis-settings.js';
import {scripts} from './script.js';
import type {Session} from './session.js';
import {jump, missingText, runAttach} from './shard-head.js';
import type {Placement} from './placement.js';
import {metaKey, type ShardKeys} from './shard-keys.js';
import {describedPlacement, newPlacement} from './store-meta.js';

/** Operator's tools for a store that servers may be using: status, and accepting a loss. */
export class RedisStoreTools {
  readonly #connector: Connector;
  readonly #settings: RedisSettings;
  readonly #remembered: LineageFile;

  private constructor(connector: Connector, settings: RedisSettings, remembered: LineageFile) {
    this.#connector = connector;
    this.#settings = settings;
    this.#remembered = remembered;
  }

  static async create(settings: RedisSettings, dataDir: string): Promise<RedisStoreTools> {
    const identity = storeIdentity(settings);
    return new RedisStoreTools(
      await Connector.create(settings),
      settings,
      await LineageFile.open(lineagePath(dataDir, identity), identity),
    );
  }

  async status(): Promise<ShardStatus[]> {
    const shards: ShardStatus[] = [];
    const placement = await this.#placement();
    for (let shard = 0; shard < placement.shards; shard++) {
      shards.push(
        await this.#with(placement, shard, async (session, keys) => {
          const node = addressText(await this.#connector.topology.addressOf(keys.head));
          const isCluster = this.#settings.topology === 'cluster';
          const status = await statusOf(session, keys, shard, this.#remembered.get(shard));
          return {...status, placement: await placementOf(session, keys, node, isCluster)};
        }),
      );
    }
    return shards;
  }

  /** Accepts the loss of missing data. Returns the status before. */
  async acceptLoss(): Promise<ShardStatus[]> {
    const placement = await this.#placement();
    const before = await this.status();
    for (const {shard, missing, lineage, remembered} of before) {
      if (missing === undefined) continue;
      const seen = Math.max(lineage?.revision ?? 0, remembered?.revision ?? 0);
      const fresh = randomBytes(12).toString('base64url');
      await this.#with(placement, shard, (session, keys) =>
        session.run(scripts.accept, [keys.head, keys.log], [keys.base, String(seen), fresh, String(jump)]),
      );
    }
    return before;
  }

  close(): Promise<void> {
    return this.#connector.close();
  }

  /** As many as the store says that it has, or, if it is empty, as are remembered. */
  async #placement(): Promise<Placement> {
    const key = metaKey(this.#settings.keyPrefix);
    const session = await this.#connector.open(key, this.#settings.commandMillis);
    try {
      return (await describedPlacement(session, key)) ?? newPlacement(this.#remembered.size);
    } finally {
      session.end('no longer needed');
    }
  }

  async #with<T>(placement: Placement, shard: number, work: (session: Session, keys: ShardKeys) => Promise<T>): Promise<T> {
    const keys = placement.keysOf(this.#settings.keyPrefix, shard);
    const session = await this.#connector.open(keys.head, this.#settings.commandMillis);
    try {
      return await work(session, keys);
    } finally {
      session.end('no longer needed');
    }
  }
}

async function statusOf(session: Session, keys: ShardKeys, shard: number, remembered: Lineage | undefined): Promise<ShardStatus> {
  const head = fieldsOf(await session.send(['HGETALL', keys.head]));
  const records = [...head].filter(([name]) => name.startsWith('n:')).reduce((sum, [, count]) => sum + Number(count), 0);
  const epoch = head.get('epoch');
  const lineage: Lineage | undefined =
    epoch === undefined
      ? undefined
      : {store: head.get('store') ?? '', epoch, revision: Number(head.get('rev')), commit: head.get('last') ?? '', at: Date.now()};
  return {shard, lineage, remembered, records, missing: await missingIn(session, keys, remembered)};
}

async function placementOf(session: Session, keys: ShardKeys, node: string, isCluster: boolean): Promise<ShardPlacement> {
  const types = [...fieldsOf(await session.send(['HGETALL', keys.head])).keys()].filter((name) => name.startsWith('n:'));
  const names = [keys.head, keys.log, ...types.flatMap((name) => [keys.records(name.slice(2)), keys.values(name.slice(2))])];
  const [count, slot, ...sizes] = await Promise.all([
    session.send(['EXISTS', ...names]) as Promise<number>,
    isCluster ? (session.send(['CLUSTER', 'KEYSLOT', keys.head]) as Promise<number>) : undefined,
    ...names.map((name) => sizeOf(session, name)),
  ]);
  const bytes = sizes.reduce<number | undefined>((sum, size) => (sum === undefined || size === undefined ? undefined : sum + size), 0);
  return {node, ...(slot === undefined ? {} : {slot}), keys: count, ...(bytes === undefined ? {} : {bytes})};
}

/** Bytes that a key takes; undefined where that may not be asked. */
async function sizeOf(session: Session, name: string): Promise<number | undefined> {
  try {
    return Number((await session.send(['MEMORY', 'USAGE', name])) ?? 0);
  } catch (error) {
    if (error instanceof ReplyError) return undefined;
    throw error;
  }
}

/** The data that a server would find missing. */
async function missingIn(session: Session, keys: ShardKeys, remembered: Lineage | undefined): Promise<string | undefined> {
  const {store = '', epoch = '', revision = 0, commit = '', at = 0} = remembered ?? {};
  const args = [keys.base, store, epoch, String(revision), commit, String(at), '', String(jump), '', '', '0', '0'];
  try {
    const [word, ...answer] = await runAttach(session, scripts.attachWithoutWrites, keys, new Set(), args);
    return word === 'Missing' ? missingText(answer) : undefined;
  } catch (error) {
    // It would begin a new history, and so has found nothing missing.
    if (error instanceof ReplyError && /write/i.test(error.message)) return undefined;
    throw error;
  }
}

function fieldsOf(reply: Reply): Map<string, string> {
  const list = reply as Buffer[];
  const fields = new Map<string, string>();
  for (let index = 0; index < list.length; index += 2) fields.set(String(list[index]), String(list[index + 1]));
  return fields;
}
