import {rename, rm} from 'node:fs/promises';
import {StoreError, type FilledRecord, type RestoreOptions, type StoreFiller} from '../../../sdk/index.js';
import type {LineageFile} from '../../../sdk/stores/index.js';
import {beginRestore, finishRestore} from './continuity.js';
import {LmdbRecordTable} from './lmdb-record-table.js';
import type {TableLineage} from './table-lineage.js';

/** Fills the folder of a store. The previous contents are kept beside it. */
export class EmbeddedFiller implements StoreFiller {
  readonly #table: LmdbRecordTable;
  readonly #remembered: LineageFile;
  readonly #lineage: TableLineage;
  #revision: number;

  private constructor(table: LmdbRecordTable, remembered: LineageFile, above: number) {
    this.#table = table;
    this.#remembered = remembered;
    const {lineage, revision} = beginRestore(table, remembered, above);
    this.#lineage = lineage;
    this.#revision = revision;
  }

  /** @throws StoreError `Exists` when the folder holds records that may not go; `Unavailable` when a server uses it */
  static async open(directory: string, remembered: LineageFile, {replace, above}: RestoreOptions): Promise<EmbeddedFiller> {
    await makeRoom(directory, replace);
    const table = await LmdbRecordTable.open(directory);
    try {
      return new EmbeddedFiller(table, remembered, above);
    } catch (error) {
      await table.close();
      throw error;
    }
  }

  async fill(records: readonly FilledRecord[]): Promise<void> {
    const time = Date.now();
    const written = records.map((record) => ({...record, revision: ++this.#revision, time, previous: 0, deleted: false}));
    await this.#table.write({records: written, floor: undefined, remove: []});
  }

  async finish(): Promise<void> {
    finishRestore(this.#table, this.#remembered, this.#lineage, this.#revision);
  }

  async close(): Promise<void> {
    await this.#table.close();
    await this.#remembered.close();
  }
}

/** Leaves a folder without records: a half-filled one goes, and another store is moved aside, if it may. */
async function makeRoom(directory: string, replace: boolean): Promise<void> {
  if (!(await LmdbRecordTable.exists(directory))) return;
  let table: LmdbRecordTable;
  try {
    table = await LmdbRecordTable.open(directory);
  } catch (error) {
    // A damaged store may be moved aside; one that another process uses may not.
    if (!replace || !StoreError.is(error) || error.code !== 'Corrupt') throw error;
    return moveAside(directory);
  }
  // The claim is held until the folder has been moved, so that no other process opens it.
  try {
    if (table.lineage?.restoring) return await rm(directory, {recursive: true});
    const records = table.countRecords();
    if (records === 0) return;
    if (!replace) throw new StoreError('Exists', `the store in ${directory} is not empty: it holds ${records} records`);
    await moveAside(directory);
  } finally {
    await table.close();
  }
}

function moveAside(directory: string): Promise<void> {
  return rename(directory, `${directory}.replaced-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`);
}
