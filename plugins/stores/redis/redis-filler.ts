import {randomBytes} from 'node:crypto';
import {StoreError, type FilledRecord, type RestoreOptions, type StoreFiller} from '../../../sdk/index.js';
import {LineageFile, lineagePath} from '../../../sdk/stores/index.js';
import {Connector} from './connector.js';
import {requireDurability} from './durability.js';
import {ConnectionLost, problemText, ReplyError} from './redis-errors.js';
import {defaultShards, storeIdentity, type RedisSettings} from './redis-settings.js';
import {scripts, type Script} from './script.js';
import {readServerFacts} from './server-facts.js';
import type {Session} from './session.js';
import {jump} from './shard-head.js';
import type {Placement} from './placement.js';
import {metaKey, type ShardKeys} from './shard-keys.js';
import {ensureMeta, newPlacement} from './store-meta.js';

interface FilledShard {
  readonly keys: ShardKeys;
  readonly session: Session;
}

/** Fills a store in Redis. Servers that use the store are fenced until it is finished, and then continue with its contents. */
export class RedisFiller implements StoreFiller {
  readonly #id = randomBytes(12).toString('base64url');
  readonly #connector: Connector;
  readonly #settings: RedisSettings;
  readonly #shards: FilledShard[] = [];
  #placement!: Placement;

  private constructor(connector: Connector, settings: RedisSettings) {
    this.#connector = connector;
    this.#settings = settings;
  }

  /** @throws StoreError `Exists` when the store holds records that may not go */
  static async open(settings: RedisSettings, dataDir: string, how: RestoreOptions): Promise<RedisFiller> {
    const filler = new RedisFiller(await Connector.create(settings), settings);
    try {
      const identity = storeIdentity(settings);
      await filler.#begin(how, await LineageFile.open(lineagePath(dataDir, identity), identity));
      return filler;
    } catch (error) {
      await filler.close();
      throw error;
    }
  }

  async fill(records: readonly FilledRecord[]): Promise<void> {
    const byShard = Map.groupBy(records, ({type, key}) => this.#placement.shardOf(type, key));
    await Promise.all(
      [...byShard].map(([shard, own]) => {
        const fields = own.flatMap(({type, key, value}) => [type, key, value]);
        const {remainder, step} = this.#placement.strideOf(shard);
        const about = [this.#shards[shard]!.keys.base, this.#id, String(remainder), String(step)];
        return this.#run(this.#shards[shard]!, scripts.restoreFill, [...about, ...fields]);
      }),
    );
  }

  async finish(): Promise<void> {
    for (const shard of this.#shards) await this.#run(shard, scripts.restoreEnd, [this.#id]);
  }

  async close(): Promise<void> {
    for (const {session} of this.#shards) session.end('no longer needed');
    await this.#connector.close();
  }

  async #begin({replace, above}: RestoreOptions, remembered: LineageFile): Promise<void> {
    const {keyPrefix, topology, commandMillis, shards: asked} = this.#settings;
    const key = metaKey(keyPrefix);
    const session = await this.#connector.open(key, commandMillis);
    try {
      this.#placement = await ensureMeta(session, key, asked, newPlacement(asked ?? defaultShards(this.#settings)));
    } finally {
      session.end('no longer needed');
    }
    for (let index = 0; index < this.#placement.shards; index++) {
      const keys = this.#placement.keysOf(keyPrefix, index);
      const opened = await this.#connector.open(keys.head, commandMillis);
      this.#shards.push({keys, session: opened});
      opened.facts = await readServerFacts(opened, topology === 'cluster');
      requireDurability(opened.facts, this.#settings);
      if (!replace) await requireEmpty(opened, keys);
    }
    for (const [index, shard] of this.#shards.entries()) {
      const {run, node} = shard.session.facts;
      const seen = Math.max(above, remembered.get(index)?.revision ?? 0);
      await this.#run(shard, scripts.restoreBegin, [shard.keys.base, this.#id, replace ? '1' : '0', String(seen), String(jump), run, node]);
    }
  }

  async #run({session, keys}: FilledShard, script: Script, args: readonly (string | Buffer)[]): Promise<void> {
    const reply = await session.run(script, [keys.head, keys.log], args).catch((error: unknown) => {
      if (!(error instanceof ReplyError) && !(error instanceof ConnectionLost)) throw error;
      throw new Error(problemText(error, this.#connector.topology.description), {cause: error});
    });
    const [word, records] = (reply as Buffer[]).map(String);
    if (word === 'NotEmpty') throw notEmpty(records!);
    if (word === 'Other') throw new Error('another restore into the store has begun, or the loss of its data was accepted');
  }
}

/** Checked before anything is changed, because the shards are begun one after the other. */
async function requireEmpty(session: Session, {head}: ShardKeys): Promise<void> {
  const fields = ((await session.send(['HGETALL', head])) as Buffer[]).map(String);
  let records = 0;
  for (let index = 0; index < fields.length; index += 2) {
    if (fields[index] === 'restoring') return;
    if (fields[index]!.startsWith('n:')) records += Number(fields[index + 1]);
  }
  if (records > 0) throw notEmpty(String(records));
}

function notEmpty(records: string): StoreError {
  return new StoreError('Exists', `the store is not empty: it holds ${records} records`);
}
