import {Placement, type Layout} from './placement.js';
import type {Session} from './session.js';

/**
 * What a store's description says, by its format: format 2 has each type in one shard, format 3 spreads each type over all. With one shard they are the
 * same, and it is described as format 2. A store of another format is refused.
 */
const layouts: Readonly<Record<number, Layout>> = {2: 'types', 3: 'namespaces'};

/** The layout of a new store with this many shards. */
export function newPlacement(shards: number): Placement {
  return new Placement(shards === 1 ? 'types' : 'namespaces', shards);
}

/**
 * Creates the store's description if there is none, and returns the layout. Throws an error with one clear sentence if the description
 * does not match. If several servers create it at once, one wins.
 *
 * @param key of the description, see `metaKey`
 * @param asked the number of shards in the settings, if any
 * @param fresh the layout of a new store
 */
export async function ensureMeta(session: Session, key: string, asked: number | undefined, fresh: Placement): Promise<Placement> {
  let stored = await session.send(['GET', key]);
  if (stored === null) {
    const format = Object.keys(layouts).find((one) => layouts[Number(one)] === fresh.layout);
    await session.send(['SET', key, JSON.stringify({format: Number(format), shards: fresh.shards}), 'NX']);
    stored = await session.send(['GET', key]);
  }
  const text = String(stored);
  const {format, shards} = parse(text);
  if (format === undefined || shards === undefined) {
    throw new Error(`the Redis key "${key}" does not describe a store: it holds ${JSON.stringify(text.slice(0, 100))}`);
  }
  const layout = layouts[format];
  if (layout === undefined) {
    throw new Error(
      `the store under the Redis key "${key}" has format ${format}, and this version knows the formats ${Object.keys(layouts).join(' and ')} only: save its objects with the version that wrote it, and start on an empty database or with another --redis-key-prefix`,
    );
  }
  if (asked !== undefined && asked !== shards) {
    throw new Error(
      `the store under the Redis key "${key}" has ${shards} ${shards === 1 ? 'shard' : 'shards'}; the number cannot be changed to ${asked}: take a backup, and restore it with another --redis-key-prefix`,
    );
  }
  return new Placement(layout, shards);
}

/** The layout of a store; undefined if there is none. */
export async function describedPlacement(session: Session, key: string): Promise<Placement | undefined> {
  const stored = await session.send(['GET', key]);
  return stored === null ? undefined : ensureMeta(session, key, undefined, newPlacement(1));
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
