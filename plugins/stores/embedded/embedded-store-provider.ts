import {join} from 'node:path';
import {
  CooperativeScheduler,
  inject,
  injectable,
  store,
  Tokens,
  type BackupTaker,
  type Logger,
  type RestoreOptions,
  type RewrittenStore,
  type Scheduler,
  type ShardStatus,
  type Store,
  type StoreFiller,
  type StoreOpenOptions,
  type StoreProvider,
} from '../../../sdk/index.js';
import {LineageFile, lineagePath} from '../../../sdk/stores/index.js';
import {acceptLoss, continueHistory, missingIn, statusOf, StoreMissing} from './continuity.js';
import {backUp} from './embedded-backup.js';
import {EmbeddedFiller} from './embedded-filler.js';
import {EmbeddedStore} from './embedded-store.js';
import {commitOf, LmdbRecordTable} from './lmdb-record-table.js';
import {rewriteStore} from './rewrite-store.js';

/** Opens the store in the folder `store` of the data directory, which one process uses exclusively. */
@store()
@injectable()
export class EmbeddedStoreProvider implements StoreProvider {
  readonly #logger: Logger;
  readonly #sync: boolean;
  readonly #scheduler: Scheduler;

  constructor(
    @inject(Tokens.Logger) logger: Logger,
    @inject(Tokens.Config) {unsafeNoFsync}: {readonly unsafeNoFsync: boolean} = {unsafeNoFsync: false},
    @inject(Tokens.Scheduler) scheduler: Scheduler = new CooperativeScheduler(),
  ) {
    this.#logger = logger;
    this.#sync = !unsafeNoFsync;
    this.#scheduler = scheduler;
  }

  async open({url, dataDir, historyMillis}: StoreOpenOptions, signal: AbortSignal): Promise<Store> {
    if (!/^embedded:?$/.test(url)) {
      throw new Error(`--store ${url} is not understood: the embedded store is "embedded", its place is the data directory`);
    }
    signal.throwIfAborted();
    const table = await LmdbRecordTable.open(folderOf(dataDir), {sync: this.#sync});
    try {
      signal.throwIfAborted();
      const remembered = await this.#remembered(dataDir);
      const {lineage, reason} = continueHistory(table, remembered.get(0));
      if (reason !== undefined) {
        this.#logger.warn(
          {reason, revision: table.floor},
          'the store does not go on where it was: a new history begins, and clients list again',
        );
      }
      const note = (revision: number, commit: string) =>
        remembered.note(0, {store: lineage.store, epoch: lineage.epoch, revision, commit, at: Date.now()});
      const [revision, commit] = [table.lastRevision, table.lastCommit];
      const opened = new EmbeddedStore(table, {
        historyMillis,
        scheduler: this.#scheduler,
        epoch: lineage.epoch,
        lineage: () => remembered.get(0),
        onCutFailure: (error) => this.#logger.warn({err: error}, 'the log of the store could not be cut'),
        onWritten: (record) => note(record.revision, commitOf(record)),
        onClose: () => remembered.close(),
      });
      note(revision, commit);
      return opened;
    } catch (error) {
      await table.close();
      throw error;
    }
  }

  async status({dataDir}: StoreOpenOptions): Promise<readonly ShardStatus[]> {
    const remembered = (await this.#remembered(dataDir)).get(0);
    // Opening would create a missing store.
    if (!(await LmdbRecordTable.exists(folderOf(dataDir)))) return [statusOf(undefined, remembered)];
    const table = await LmdbRecordTable.openToRead(folderOf(dataDir));
    try {
      return [statusOf(table, remembered)];
    } finally {
      await table.close();
    }
  }

  async acceptLoss({dataDir}: StoreOpenOptions): Promise<readonly ShardStatus[]> {
    const remembered = await this.#remembered(dataDir);
    const table = await LmdbRecordTable.open(folderOf(dataDir));
    try {
      const before = statusOf(table, remembered.get(0));
      if (before.missing !== undefined) acceptLoss(table, remembered);
      return [before];
    } finally {
      await table.close();
      await remembered.close();
    }
  }

  async backup({dataDir}: StoreOpenOptions, take: BackupTaker, signal: AbortSignal): Promise<readonly number[]> {
    const table = await LmdbRecordTable.openToRead(folderOf(dataDir));
    try {
      if (table.lineage?.restoring) throw new StoreMissing(missingIn(table, undefined));
      return [await backUp(table, take, signal)];
    } finally {
      await table.close();
    }
  }

  async restore({dataDir}: StoreOpenOptions, how: RestoreOptions): Promise<StoreFiller> {
    return EmbeddedFiller.open(folderOf(dataDir), await this.#remembered(dataDir), how);
  }

  rewrite({dataDir}: StoreOpenOptions): Promise<RewrittenStore> {
    return rewriteStore(folderOf(dataDir));
  }

  #remembered(dataDir: string): Promise<LineageFile> {
    const identity = 'embedded';
    return LineageFile.open(lineagePath(dataDir, identity), identity, (error) =>
      this.#logger.error({err: error}, 'how far the store has come cannot be remembered in the data directory'),
    );
  }
}

function folderOf(dataDir: string): string {
  return join(dataDir, 'store');
}
