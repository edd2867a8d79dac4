import {randomBytes} from 'node:crypto';
import type {Lineage, ShardStatus} from '../../../sdk/index.js';
import type {LineageFile} from '../../../sdk/stores/index.js';
import type {LmdbRecordTable} from './lmdb-record-table.js';
import type {TableLineage} from './table-lineage.js';

/** How far the counter jumps beyond all known revisions when a history is replaced and the clock was set back. */
const jump = 1_000_000;

/** A store that cannot be used before an operator has decided. */
export class StoreMissing extends Error {
  override readonly name = 'StoreMissing';
}

/** Why a table cannot be the store that is remembered; undefined when it can. */
export function missingIn(table: LmdbRecordTable | undefined, remembered: Lineage | undefined): string | undefined {
  const found = table?.lineage;
  if (found?.restoring) return 'a restore into it was not finished: run "orch store restore" again';
  if (remembered === undefined) return undefined;
  if (table === undefined || (found === undefined && table.lastRevision === 0)) {
    return `it is empty, and had come to revision ${remembered.revision}`;
  }
  return found !== undefined && found.store !== remembered.store ? 'it holds another store than the one that was here' : undefined;
}

/**
 * Verifies that an opened table continues the history that the data directory remembers. An older state, and a copied file of unknown age, begin
 * a new epoch above all revisions that may have been given out, so that revisions stay unique.
 *
 * @returns the history from now on, and why it is a new one
 * @throws StoreMissing in one sentence if the data is missing
 */
export function continueHistory(
  table: LmdbRecordTable,
  remembered: Lineage | undefined,
): {lineage: TableLineage; reason: string | undefined} {
  const missing = missingIn(table, remembered);
  if (missing !== undefined) {
    throw new StoreMissing(
      `the store in ${table.directory} has lost its data (${missing}): put it back, or accept the loss with "orch store accept-loss"`,
    );
  }
  const found = table.lineage;
  const reason = found === undefined ? undefined : breakIn(table, found, remembered);
  if (found !== undefined && reason === undefined) return {lineage: found, reason};
  const epoch = freshId();
  const lineage = {store: found?.store ?? epoch, epoch, place: table.place};
  table.begin(lineage, reason === undefined ? undefined : nextRevision(table, remembered));
  return {lineage, reason};
}

/** Begins a new epoch with the present data, regardless of what is remembered. */
export function acceptLoss(table: LmdbRecordTable, file: LineageFile): void {
  const remembered = file.get(0);
  const epoch = freshId();
  const lineage = {store: table.lineage?.store ?? epoch, epoch, place: table.place};
  const revision = nextRevision(table, remembered);
  table.begin(lineage, revision);
  file.note(0, {store: lineage.store, epoch, revision, commit: '', at: Date.now()});
}

/** Begins a history that is to be filled, above a revision and all known ones: no server uses the table before `finishRestore`. */
export function beginRestore(table: LmdbRecordTable, file: LineageFile, above: number): {lineage: TableLineage; revision: number} {
  const epoch = freshId();
  const lineage = {store: epoch, epoch, place: table.place};
  const revision = nextRevision(table, file.get(0), above);
  table.begin({...lineage, restoring: true}, revision);
  return {lineage, revision};
}

/** Makes the filled table the store, up to a revision. */
export function finishRestore(table: LmdbRecordTable, file: LineageFile, lineage: TableLineage, revision: number): void {
  table.begin(lineage, revision);
  file.note(0, {store: lineage.store, epoch: lineage.epoch, revision, commit: '', at: Date.now()});
}

/** The status of the one shard. */
export function statusOf(table: LmdbRecordTable | undefined, remembered: Lineage | undefined): ShardStatus {
  const found = table?.lineage;
  const lineage =
    table === undefined || found === undefined
      ? undefined
      : {store: found.store, epoch: found.epoch, revision: table.lastRevision, commit: table.lastCommit, at: Date.now()};
  return {shard: 0, lineage, remembered, records: table?.countRecords() ?? 0, missing: missingIn(table, remembered)};
}

function breakIn(table: LmdbRecordTable, found: TableLineage, remembered: Lineage | undefined): string | undefined {
  if (found.place !== table.place) return 'it was copied';
  if (remembered === undefined) return undefined;
  const {revision, commit} = remembered;
  const last = table.lastCommit;
  if (table.lastRevision < revision) return `it is at revision ${table.lastRevision}, and had come to ${revision}`;
  if (found.epoch !== remembered.epoch) return 'it is of another time';
  // A compacted change cannot be compared any more.
  if (table.lastRevision === revision && commit !== '' && last !== '' && last !== commit) return `its revision ${revision} is another one`;
  return undefined;
}

/** Above all revisions ever given out, even unknown ones: no history gives out one revision per microsecond. */
function nextRevision(table: LmdbRecordTable, remembered: Lineage | undefined, above = 0): number {
  const highest = Math.max(table.lastRevision, remembered?.revision ?? 0, above);
  const microseconds = Date.now() * 1000;
  return microseconds > highest ? microseconds : highest + jump;
}

function freshId(): string {
  return randomBytes(12).toString('base64url');
}
