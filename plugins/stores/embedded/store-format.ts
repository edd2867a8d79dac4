import type {RootDatabase} from 'lmdb';
import {StoreError} from '../../../sdk/index.js';

type Database = RootDatabase<Buffer, number | string>;

const formatKey = 'format';
/** The format of this version; raised when the layout changes. */
const format = 'orch-store 1';

/** Makes an empty database a store. Rejects with one sentence if it is a store of another format, or no store. */
export function writeFormat(db: Database, directory: string): void {
  requireFormat(db, directory);
  if (db.get(formatKey) === undefined) db.putSync(formatKey, Buffer.from(format));
}

/** Rejects with one sentence unless it is empty or a store of this format. */
export function requireFormat(db: Database, directory: string): void {
  const found = db.get(formatKey)?.toString();
  if (found === format) return;
  if (found !== undefined) {
    throw new StoreError('Corrupt', `the store in ${directory} has the format "${found}", and this version of orch knows only "${format}"`);
  }
  if (db.getKeysCount({limit: 1}) > 0) throw new StoreError('Corrupt', `${directory} holds an LMDB database that is not a store of orch`);
}
