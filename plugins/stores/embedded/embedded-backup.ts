import type {BackupRecord, BackupTaker} from '../../../sdk/index.js';
import type {LmdbRecordTable} from './lmdb-record-table.js';
import {recordAt} from './log-reader.js';
import {StoreIndex} from './store-index.js';

/** Bytes handed over at once. */
const pieceBytes = 2 * 1024 * 1024;

/**
 * Hands over the records of a table that is read at one moment. Only their names and revisions are held in memory.
 *
 * @returns the revision of that moment
 */
export async function backUp(table: LmdbRecordTable, take: BackupTaker, signal: AbortSignal): Promise<number> {
  const index = new StoreIndex(table.floor);
  index.load(table.headers(0));
  let piece: BackupRecord[] = [];
  let bytes = 0;
  for (const type of index.types()) {
    for (const [key, revision] of index.live(type)) {
      const {value} = recordAt(table, revision);
      piece.push({type, key, revision, value, isChange: false});
      bytes += value?.length ?? 0;
      if (bytes < pieceBytes) continue;
      signal.throwIfAborted();
      await take(piece);
      [piece, bytes] = [[], 0];
    }
  }
  await take(piece);
  return index.revision;
}
