import type {RootDatabase} from 'lmdb';
import {StoreError} from '../../../sdk/index.js';

const formatKey = 'format';
const ownerKey = 'owner';
/** What this version reads and writes; raised when the layout changes. */
const format = 'orch-store 1';

/**
 * Makes this process the only user of an LMDB environment that was just opened and not read yet.
 *
 * LMDB itself admits many processes; what makes it a lock here:
 * - A process that has read holds a slot in LMDB's reader table and, until it closes the environment or ends in whatever way, a
 *   kernel lock on a byte of the lock file. `readerCheck` clears the slots whose process is gone, so a slot is proof
 *   of life that neither `kill -9`, a reused process id nor another container on the same disk can fake.
 * - The owner's process id is written in a write transaction, of which LMDB runs one at a time over all processes. Of two
 *   that race for a directory, the second finds the first as a living owner.
 *
 * Rejects with one sentence when the directory is in use, or holds something else than a store of this format.
 */
export function claimDirectory(db: RootDatabase<Buffer, number | string>, directory: string): void {
  // A slot of our own id before the first read: another store of this process, or of the same id in another container.
  if (readers(db).includes(process.pid)) throw inUse(directory, process.pid);
  db.get(ownerKey);
  db.transactionSync(() => {
    requireFormat(db, directory);
    db.readerCheck();
    const alive = readers(db);
    const owner = Number(db.get(ownerKey)?.toString());
    const ownSlots = alive.filter((pid) => pid === process.pid).length;
    if (owner === process.pid ? ownSlots > 1 : alive.includes(owner)) throw inUse(directory, owner);
    db.putSync(formatKey, Buffer.from(format));
    db.putSync(ownerKey, Buffer.from(String(process.pid)));
  });
}

/** Rejects with one sentence what is not a store of this format. */
export function requireFormat(db: RootDatabase<Buffer, number | string>, directory: string): void {
  const found = db.get(formatKey)?.toString();
  if (found === format) return;
  if (found !== undefined) {
    throw new StoreError('Corrupt', `the store in ${directory} has the format "${found}", and this version of orch knows only "${format}"`);
  }
  if (db.getKeysCount({limit: 1}) > 0) throw new StoreError('Corrupt', `${directory} holds an LMDB database that is not a store of orch`);
}

/** Process ids in the reader table, one for each slot. LMDB offers it as text only: a line a slot, the id first. */
function readers(db: RootDatabase<Buffer, number | string>): number[] {
  return [...db.readerList().matchAll(/^ *(\d+) /gm)].map((match) => Number(match[1]));
}

function inUse(directory: string, pid: number): StoreError {
  return new StoreError('Unavailable', `the store in ${directory} is in use by process ${pid}`);
}
