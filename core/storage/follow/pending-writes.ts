import type {ApiObject, LogEntry} from '../../../sdk/index.js';
import {TransientMap} from '../../../sdk/values/transient-map.js';
import {CachedEntry, type EntryContext} from '../cache/cached-entry.js';

/** A commit in flight, or one acknowledged before the log delivered it. */
export interface PendingWrite {
  readonly key: string;
  /** The stored bytes: `value`, encrypted if required. */
  readonly stored: Buffer;
  /** How that is encrypted (`TypeEncryption`). */
  readonly form: string | undefined;
  readonly value: Buffer;
  readonly object: ApiObject;
  /** 0 until the commit is acknowledged. */
  revision: number;
  /** Created by whichever comes first: the log entry or the acknowledgement. */
  entry: CachedEntry | undefined;
}

/**
 * Matches a write of this server with its entry in the log, so that its bytes are assembled once and the object
 * just written need not be parsed.
 */
export class PendingWrites {
  readonly #byKey = new TransientMap<string, PendingWrite[]>();
  readonly #context: EntryContext;

  constructor(context: EntryContext) {
    this.#context = context;
  }

  begin(key: string, value: Buffer, object: ApiObject): PendingWrite {
    const {stored, form} = this.#context.encryption?.seal(key, value) ?? {stored: value, form: undefined};
    const write: PendingWrite = {key, stored, form, value, object, revision: 0, entry: undefined};
    const others = this.#byKey.get(key);
    if (others) others.push(write);
    else this.#byKey.set(key, [write]);
    return write;
  }

  /** The entry for a change that the log delivers: that of our own write if it is one. */
  entryFor({key, revision}: LogEntry, value: Buffer): CachedEntry {
    for (const write of this.#byKey.get(key) ?? []) {
      const ours =
        write.revision === revision || (write.revision === 0 && !write.entry && (write.stored === value || write.stored.equals(value)));
      if (!ours) continue;
      write.entry ??= this.#build(write, revision);
      if (write.revision !== 0) this.end(write);
      return write.entry;
    }
    return CachedEntry.ofRecord(this.#context, {key, revision, value});
  }

  /**
   * The entry of an acknowledged commit.
   *
   * @param awaitLog the log has yet to deliver it and will ask for the same entry
   */
  answered(write: PendingWrite, revision: number, awaitLog: boolean): CachedEntry {
    if (write.entry?.revision !== revision) {
      // An entry with another revision came from an identical write of another server; it has the parsed object now.
      write.entry = write.entry
        ? CachedEntry.ofValue(this.#context, write.key, revision, write.value, write.form)
        : this.#build(write, revision);
      write.revision = revision;
      if (!awaitLog) this.end(write);
    } else {
      this.end(write);
    }
    return write.entry;
  }

  /** The state that an acknowledged write has led to, if it is newer than a revision and the log has yet to deliver it. */
  answeredAfter(key: string, revision: number): CachedEntry | undefined {
    let newest: CachedEntry | undefined;
    for (const {entry, ...write} of this.#byKey.get(key) ?? []) {
      if (entry && write.revision > (newest?.revision ?? revision)) newest = entry;
    }
    return newest;
  }

  /** The commit failed, or its entry will not come. */
  end(write: PendingWrite): void {
    const left = this.#byKey.get(write.key)?.filter((other) => other !== write);
    if (left && left.length > 0) this.#byKey.set(write.key, left);
    else this.#byKey.delete(write.key);
  }

  /** No log entry will come for commits that were already acknowledged. */
  clear(): void {
    this.#byKey.clear();
  }

  #build(write: PendingWrite, revision: number): CachedEntry {
    const entry = CachedEntry.ofValue(this.#context, write.key, revision, write.value, write.form);
    entry.adopt(write.object);
    return entry;
  }
}
