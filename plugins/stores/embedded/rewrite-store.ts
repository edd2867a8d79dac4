import {mkdir, rename, rm, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {StoreError, type RewrittenStore} from '../../../sdk/index.js';
import {missingIn, StoreMissing} from './continuity.js';
import {dataFile, lockFile, LmdbRecordTable} from './lmdb-record-table.js';
import {syncDirectories} from './sync-directories.js';

/** The copy grows in a folder of this name within that of the store. */
const copyFolder = 'copy';

/**
 * Replaces a store by a copy of its records, atomically and durably. LMDB never clears a page: deleted or overwritten data stays in the file
 * until other records reuse its space.
 *
 * Rejects in one sentence if another process uses the store or there is no space for the copy; the store is then unchanged.
 */
export async function rewriteStore(directory: string): Promise<RewrittenStore> {
  if (!(await LmdbRecordTable.exists(directory))) throw new StoreError('Unavailable', `there is no store in ${directory}`);
  const file = join(directory, dataFile);
  const copyDirectory = join(directory, copyFolder);
  const table = await LmdbRecordTable.open(directory);
  let copy: LmdbRecordTable | undefined;
  try {
    if (table.lineage?.restoring) throw new StoreMissing(missingIn(table, undefined));
    const before = await stat(file);
    // Left over from an interrupted run.
    await rm(copyDirectory, {recursive: true, force: true});
    await mkdir(copyDirectory, {mode: 0o700});
    await table.copyTo(copyDirectory);
    copy = await LmdbRecordTable.open(copyDirectory);
    requireSame(copy, table);
    // Otherwise the copy would count as a state of unknown age.
    if (table.lineage) copy.begin({...table.lineage, place: copy.place}, undefined);
    // Nobody else opens them to write: this process has the claim.
    await rename(join(copyDirectory, lockFile), join(directory, lockFile));
    await rename(join(copyDirectory, dataFile), file);
    await syncDirectories(directory, undefined);
    return {bytesBefore: before.size, bytes: (await stat(file)).size};
  } finally {
    await rm(copyDirectory, {recursive: true, force: true});
    await copy?.close();
    await table.close();
  }
}

function requireSame(copy: LmdbRecordTable, table: LmdbRecordTable): void {
  const facts = (one: LmdbRecordTable) => JSON.stringify([one.floor, one.lastRevision, one.lastCommit, one.countRecords()]);
  if (facts(copy) !== facts(table)) throw new StoreError('Corrupt', `the copy of the store in ${table.directory} lacks records`);
}
