import {StoreError, type ApiObject, type ObjectInCache, type ObjectMeta, type StoredRecord} from '../../../sdk/index.js';
import type {BufferPieces} from '../../../sdk/values/buffer-pieces.js';
import {decodeJson} from '../../api/codec/json.js';
import type {CachedObject} from './cached-object.js';
import type {ParsedObjects} from './parsed-objects.js';
import {beginsWith, labelsOfText, readStoredHeader, textOfStoredValue, withVersion, type StoredHeader} from './stored-value.js';
import type {UnreadableEntries} from './unreadable-entries.js';
import type {TypeEncryption} from '../encryption/value-encryption.js';
import type {TypeOptions} from './type-options.js';

/** What all entries of one type share. */
export interface EntryContext {
  /** May be replaced when a type's definition changes. */
  options: TypeOptions;
  readonly parsed: ParsedObjects;
  /** Undefined where nothing is encrypted. */
  readonly encryption: TypeEncryption | undefined;
  /** Notes objects that cannot be read. */
  readonly unreadable: UnreadableEntries;
}

type EntryHeader = Pick<StoredHeader, 'writtenAt' | 'schemaMark' | 'versionOffset'>;

const noText = Buffer.alloc(0);
const ownersText = Buffer.from('"ownerReferences":[');
const deletionText = Buffer.from('"deletionTimestamp":"');
/** The entry never expires: when it was written is not known. */
const noHeader: EntryHeader = {writtenAt: Infinity, schemaMark: 0, versionOffset: 0};

/**
 * The cache's form of an object: its JSON bytes, and what has been needed of its content so far. The parsed object is kept only
 * while it is among the most recently used; labels and selectable fields stay once computed.
 *
 * An object whose stored value cannot be decrypted or is damaged has an entry too, so that the other objects of its type can be used.
 * Key and revision of such an entry are valid; any access to its content throws the error.
 */
export class CachedEntry implements CachedObject, ObjectInCache {
  #parsed: ApiObject | undefined;
  #labelMap: Readonly<Record<string, string>> | null | undefined;
  #fieldMap: Readonly<Record<string, string>> | undefined;
  #fieldOptions: TypeOptions | undefined;
  #ownedOrDeleted: boolean | undefined;
  /** What `bytes` are known to begin with. */
  #prefix: Buffer | undefined;

  readonly writtenAt: number;
  readonly schemaMark: number;
  readonly #versionOffset: number;
  readonly #text: Buffer;
  /** The form in which it is stored (`TypeEncryption`); undefined if nothing is encrypted. */
  readonly #form: string | undefined;
  /** Why it cannot be read. */
  readonly fault: unknown;

  readonly #context: EntryContext;

  private constructor(
    context: EntryContext,
    readonly key: string,
    readonly revision: number,
    text: Buffer,
    {writtenAt, schemaMark, versionOffset}: EntryHeader,
    form: string | undefined,
    fault?: unknown,
  ) {
    this.#context = context;
    this.#text = text;
    this.writtenAt = writtenAt;
    this.schemaMark = schemaMark;
    this.#versionOffset = versionOffset;
    this.#form = form;
    this.fault = fault;
  }

  /**
   * The entry of a stored record; if that cannot be read, an entry whose content is unavailable.
   *
   * @param pieces where its text gets its memory from; its own by default
   */
  static ofRecord(context: EntryContext, {key, revision, value}: StoredRecord, pieces?: BufferPieces): CachedEntry {
    const {encryption} = context;
    try {
      if (value.length === 0) throw new StoreError('Corrupt', `the record ${JSON.stringify(key)} is damaged`);
      if (!encryption) return CachedEntry.ofValue(context, key, revision, value, undefined, pieces);
      const opened = encryption.open(key, value);
      return CachedEntry.ofValue(context, key, revision, opened.value, opened.form, pieces);
    } catch (error) {
      context.unreadable.note(key, revision, error);
      return new CachedEntry(context, key, revision, noText, noHeader, undefined, error);
    }
  }

  /**
   * The entry of a plain or already decrypted value.
   *
   * @param form the form in which it is stored
   * @throws StoreError `Corrupt`
   */
  static ofValue(context: EntryContext, key: string, revision: number, value: Buffer, form?: string, pieces?: BufferPieces): CachedEntry {
    const header = readStoredHeader(value, key);
    return new CachedEntry(context, key, revision, textOfStoredValue(value, header, revision, pieces), header, form);
  }

  /** Its bytes are damaged: no other key or setting will make them readable. */
  get isDamaged(): boolean {
    return StoreError.is(this.fault) && this.fault.code === 'Corrupt';
  }

  get bytes(): Buffer {
    if (this.fault !== undefined) throw this.fault;
    return this.#text;
  }

  /** Length of `bytes`; 0 if they are unavailable. */
  get size(): number {
    return this.#text.length;
  }

  get stale(): boolean {
    const {encryption} = this.#context;
    return encryption !== undefined && !encryption.writes(this.#form);
  }

  get namespace(): string {
    return this.key.slice(0, Math.max(0, this.key.indexOf('/')));
  }

  get name(): string {
    return this.key.slice(this.key.indexOf('/') + 1);
  }

  beginsWith(prefix: Buffer): boolean {
    if (this.#prefix === prefix) return true;
    if (!beginsWith(this.bytes, prefix)) return false;
    this.#prefix = prefix;
    return true;
  }

  object(): ApiObject {
    if (this.#parsed) return this.#parsed;
    const object = decodeJson(this.bytes).value as unknown as ApiObject;
    this.#hold(object);
    return object;
  }

  labels(): Readonly<Record<string, string>> | undefined {
    if (this.#labelMap === undefined && !this.#parsed) this.#labelMap = labelsOfText(this.bytes, this.#versionOffset);
    if (this.#labelMap === undefined) this.#labelMap = this.object().metadata.labels ?? null;
    return this.#labelMap ?? undefined;
  }

  get mayBeOwnedOrDeleted(): boolean {
    return (this.#ownedOrDeleted ??= this.#parsed
      ? isOwnedOrDeleted(this.#parsed.metadata)
      : this.bytes.includes(ownersText) || this.bytes.includes(deletionText));
  }

  metadata(): Readonly<ObjectMeta> {
    return (this.#parsed ?? (decodeJson(this.bytes).value as unknown as ApiObject)).metadata;
  }

  fields(): Readonly<Record<string, string>> {
    const {options} = this.#context;
    if (this.#fieldMap === undefined || this.#fieldOptions !== options) {
      this.#fieldMap = {...options.selectableFields(this), 'metadata.name': this.name, 'metadata.namespace': this.namespace};
      this.#fieldOptions = options;
    }
    return this.#fieldMap;
  }

  /** Uses an object that equals the bytes as the parsed form. Sets its resource version; it must not be changed afterwards. */
  adopt(object: ApiObject): void {
    object.metadata.resourceVersion = String(this.revision);
    this.#hold(object);
  }

  withRevision(revision: number): CachedEntry {
    const bytes = withVersion(this.bytes, this.#versionOffset, this.revision, revision);
    const header = {writtenAt: this.writtenAt, schemaMark: this.schemaMark, versionOffset: this.#versionOffset};
    const entry = new CachedEntry(this.#context, this.key, revision, bytes, header, this.#form);
    entry.#labelMap = this.#labelMap;
    entry.#fieldMap = this.#fieldMap;
    entry.#fieldOptions = this.#fieldOptions;
    entry.#ownedOrDeleted = this.#ownedOrDeleted;
    return entry;
  }

  /** Called by `ParsedObjects` only. */
  forgetParsed(): void {
    this.#parsed = undefined;
  }

  #hold(object: ApiObject): void {
    this.#parsed = object;
    this.#labelMap ??= object.metadata.labels ?? null;
    this.#context.parsed.add(this);
  }
}

function isOwnedOrDeleted({ownerReferences, deletionTimestamp}: Readonly<ObjectMeta>): boolean {
  return (ownerReferences?.length ?? 0) > 0 || Boolean(deletionTimestamp);
}

/** The entry itself. @throws StorageError `Unreadable`, StoreError `Corrupt` when its content cannot be had */
export function readable<E extends CachedEntry | undefined>(entry: E): E {
  if (entry?.fault !== undefined) throw entry.fault;
  return entry;
}
