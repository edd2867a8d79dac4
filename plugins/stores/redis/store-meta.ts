import type {Session} from './session.js';

/** Version of the layout of keys and values. A store of another version is refused. */
const formatVersion = 2;

/**
 * Creates the store's description when there is none, and answers the number of shards that it was created with. Throws
 * an error with one clear sentence when the description does not fit. Of several servers that create it at once one wins.
 *
 * @param key of the description, see `metaKey`
 * @param asked the number of shards that the settings demand, if they do
 * @param byDefault the number of shards of a new store when they do not
 */
export async function ensureMeta(session: Session, key: string, asked: number | undefined, byDefault: number): Promise<number> {
  let stored = await session.send(['GET', key]);
  if (stored === null) {
    await session.send(['SET', key, JSON.stringify({format: formatVersion, shards: asked ?? byDefault}), 'NX']);
    stored = await session.send(['GET', key]);
  }
  const text = String(stored);
  const {format, shards} = parse(text);
  if (format === undefined || shards === undefined) {
    throw new Error(`the Redis key "${key}" does not describe a store: it holds ${JSON.stringify(text.slice(0, 100))}`);
  }
  if (format !== formatVersion) {
    throw new Error(
      `the store under the Redis key "${key}" has format ${format}, and this version knows format ${formatVersion} only: save its objects with the version that wrote it, and start on an empty database or with another --redis-key-prefix`,
    );
  }
  if (asked !== undefined && asked !== shards) {
    throw new Error(
      `the store under the Redis key "${key}" has ${shards} ${shards === 1 ? 'shard' : 'shards'}; the number cannot be changed to ${asked}`,
    );
  }
  return shards;
}

/** The number of shards of a store of this format; undefined where there is no store. */
export async function describedShards(session: Session, key: string): Promise<number | undefined> {
  const stored = await session.send(['GET', key]);
  return stored === null ? undefined : ensureMeta(session, key, undefined, 1);
}

function parse(text: string): {format?: number; shards?: number} {
  try {
    const {format, shards} = JSON.parse(text) as Record<string, unknown>;
    return {
      format: typeof format === 'number' ? format : undefined,
      shards: Number.isInteger(shards) && (shards as number) >= 1 ? (shards as number) : undefined,
    };
  } catch {
    return {};
  }
}
