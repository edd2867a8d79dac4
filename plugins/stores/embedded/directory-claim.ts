import {join} from 'node:path';
import type {RootDatabase} from 'lmdb';
import {StoreError} from '../../../sdk/index.js';
import {looksLikeLmdb} from './lmdb-file.js';

type Lmdb = typeof import('lmdb');
type ClaimDatabase = RootDatabase<Buffer, string>;

const ownerKey = 'owner';
/** The LMDB environment that records the process that uses a store. Unlike the store's own file it is never replaced. */
export const claimFile = 'claim.mdb';

/**
 * Makes a process the only user of the folder of a store, from before it opens the store's file until after it has closed it.
 *
 * LMDB itself admits many processes; what makes it a lock here:
 * - A process that has read holds a slot in LMDB's reader table and, until it closes the environment or ends in whatever way, a
 *   kernel lock on a byte of the lock file. `readerCheck` clears the slots whose process is gone, so a slot is proof
 *   of life that neither `kill -9`, a reused process id nor another container on the same disk can fake.
 * - The owner's process id is written in a write transaction, of which LMDB runs one at a time over all processes. Of two
 *   that race for a directory, the second finds the first as a living owner.
 */
export class DirectoryClaim {
  readonly #db: ClaimDatabase;

  private constructor(db: ClaimDatabase) {
    this.#db = db;
  }

  /** Rejects with one sentence when another store of this process, or another process, has claimed the folder. */
  static async take(lmdb: Lmdb, directory: string): Promise<DirectoryClaim> {
    const path = join(directory, claimFile);
    if (!(await looksLikeLmdb(path))) {
      throw new StoreError('Corrupt', `${path} is damaged: remove it when no process uses the store`);
    }
    const db: ClaimDatabase = lmdb.open<Buffer, string>({
      path,
      noSubdir: true,
      encoding: 'binary',
      overlappingSync: false,
      eventTurnBatching: false,
    });
    try {
      writeOwner(db, directory);
      return new DirectoryClaim(db);
    } catch (error) {
      await db.close();
      throw error;
    }
  }

  release(): Promise<void> {
    return this.#db.close();
  }
}

function writeOwner(db: ClaimDatabase, directory: string): void {
  // A slot of our own id before the first read: another store of this process, or of the same id in another container.
  if (readers(db).includes(process.pid)) throw inUse(directory, process.pid);
  db.get(ownerKey);
  db.transactionSync(() => {
    db.readerCheck();
    const alive = readers(db);
    const owner = Number(db.get(ownerKey)?.toString());
    const ownSlots = alive.filter((pid) => pid === process.pid).length;
    if (owner === process.pid ? ownSlots > 1 : alive.includes(owner)) throw inUse(directory, owner);
    db.putSync(ownerKey, Buffer.from(String(process.pid)));
  });
}

/** Process ids in the reader table, one for each slot. LMDB offers it as text only: a line a slot, the id first. */
function readers(db: ClaimDatabase): number[] {
  return [...db.readerList().matchAll(/^ *(\d+) /gm)].map((match) => Number(match[1]));
}

function inUse(directory: string, pid: number): StoreError {
  return new StoreError('Unavailable', `the store in ${directory} is in use by process ${pid}`);
}
