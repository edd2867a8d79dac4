import type {Store, StoredRecord} from '../../sdk/index.js';
import {readStoredHeader, textOfStoredValue} from '../storage/cache/stored-value.js';

/** A record as tools meet it. */
export interface FoundRecord extends StoredRecord {
  readonly type: string;
  /** Why it cannot be used, in a few words; undefined where nothing is wrong. */
  readonly damage: string | undefined;
}

/** Prefix of encrypted values, which can only be checked with their keys. */
const encrypted = Buffer.from('orch:enc:');

const openingBrace = 0x7b;

/** All records of a store, type by type. @throws Error in one sentence when the store cannot name its types */
export async function* recordsOf(store: Store): AsyncGenerator<FoundRecord> {
  if (!store.types) throw new Error('this store cannot be gone through');
  for (const type of [...(await store.types())].sort()) {
    for (const record of (await store.list(type)).records) yield {...record, type, damage: damageOf(record)};
  }
}

function damageOf({key, revision, value}: StoredRecord): string | undefined {
  if (value.length === 0) return 'its bytes are not those that were written';
  if (value.subarray(0, encrypted.length).equals(encrypted)) return undefined;
  try {
    // What the server keeps for itself (the platform, fences) is plain JSON.
    const text = value[0] === openingBrace ? value : textOfStoredValue(value, readStoredHeader(value, key), revision);
    JSON.parse(text.toString());
    return undefined;
  } catch {
    return 'it holds no object';
  }
}
