import {constants} from 'node:os';
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
    const db = await openClaim(lmdb, path);
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

/** How often it is tried to open an environment while others close it, and the longest pause in between, in milliseconds. */
const openAttempts = 20;
const openPauseMillis = 25;

/**
 * Opens the environment of claims. LMDB destroys its locks when their last user closes it; a process that opens it in that very moment has no
 * locks (`EINVAL`) until all that have it open have closed it. So does this process, and tries again.
 */
async function openClaim(lmdb: Lmdb, path: string): Promise<ClaimDatabase> {
  // `isRoot`: closing the database closes the environment, as for one that `open` returns. `open` would leave it open where it throws.
  const options = {path, noSubdir: true, encoding: 'binary', overlappingSync: false, eventTurnBatching: false, isRoot: true} as const;
  for (let attempt = 1; ; attempt++) {
    const Claim = lmdb.openAsClass<Buffer, string>(options) as unknown as new (name: null, settings: object) => ClaimDatabase;
    try {
      return new Claim(null, options);
    } catch (error) {
      await (Object.create(Claim.prototype as object, {isRoot: {value: true}}) as ClaimDatabase).close();
      if ((error as {code?: unknown}).code !== constants.errno.EINVAL || attempt === openAttempts) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, Math.random() * openPauseMillis));
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
