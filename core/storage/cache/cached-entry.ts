import type {ApiObject, StoredRecord} from '../../../sdk/index.js';
import {decodeJson} from '../../api/codec/json.js';
import type {CachedObject} from './cached-object.js';
import type {ParsedObjects} from './parsed-objects.js';
import {readStoredHeader, textOfStoredValue, withVersion, type StoredHeader} from './stored-value.js';
import type {TypeOptions} from '../type-options.js';

/** What all entries of one type share. */
export interface EntryContext {
  /** May be replaced when a type's definition changes. */
  options: TypeOptions;
  readonly parsed: ParsedObjects;
}

type EntryHeader = Pick<StoredHeader, 'writtenAt' | 'schemaMark' | 'versionOffset'>;

/**
 * The cache's form of an object: its JSON bytes, and what was once needed of its content. The parsed object is kept only
 * while it is among the last ones used; labels and selectable fields stay once they were asked for.
 */
export class CachedEntry implements CachedObject {
  #parsed: ApiObject | undefined;
  #labelMap: Readonly<Record<string, string>> | null | undefined;
  #fieldMap: Readonly<Record<string, string>> | undefined;
  #fieldOptions: TypeOptions | undefined;

  readonly writtenAt: number;
  readonly schemaMark: number;
  readonly #versionOffset: number;

  private constructor(
    private readonly context: EntryContext,
    readonly key: string,
    readonly revision: number,
    readonly bytes: Buffer,
    {writtenAt, schemaMark, versionOffset}: EntryHeader,
  ) {
    this.writtenAt = writtenAt;
    this.schemaMark = schemaMark;
    this.#versionOffset = versionOffset;
  }

  /** @throws StoreError `Corrupt` */
  static ofRecord(context: EntryContext, {key, revision, value}: StoredRecord): CachedEntry {
    const header = readStoredHeader(value, key);
    return new CachedEntry(context, key, revision, textOfStoredValue(value, header, revision), header);
  }

  get namespace(): string {
    return this.key.slice(0, Math.max(0, this.key.indexOf('/')));
  }

  get name(): string {
    return this.key.slice(this.key.indexOf('/') + 1);
  }

  object(): ApiObject {
    if (this.#parsed) return this.#parsed;
    const object = decodeJson(this.bytes).value as unknown as ApiObject;
    this.#hold(object);
    return object;
  }

  labels(): Readonly<Record<string, string>> | undefined {
    if (this.#labelMap === undefined) this.#labelMap = this.object().metadata.labels ?? null;
    return this.#labelMap ?? undefined;
  }

  fields(): Readonly<Record<string, string>> {
    const {options} = this.context;
    if (this.#fieldMap === undefined || this.#fieldOptions !== options) {
      this.#fieldMap = {...options.selectableFields(this), 'metadata.name': this.name, 'metadata.namespace': this.namespace};
      this.#fieldOptions = options;
    }
    return this.#fieldMap;
  }

  /** Takes an object that is equal to the bytes as the parsed form. Its resource version is set; it must not be changed afterwards. */
  adopt(object: ApiObject): void {
    object.metadata.resourceVersion = String(this.revision);
    this.#hold(object);
  }

  withRevision(revision: number): CachedEntry {
    const bytes = withVersion(this.bytes, this.#versionOffset, this.revision, revision);
    const entry = new CachedEntry(this.context, this.key, revision, bytes, {
      writtenAt: this.writtenAt,
      schemaMark: this.schemaMark,
      versionOffset: this.#versionOffset,
    });
    entry.#labelMap = this.#labelMap;
    entry.#fieldMap = this.#fieldMap;
    entry.#fieldOptions = this.#fieldOptions;
    return entry;
  }

  /** Called by `ParsedObjects` only. */
  forgetParsed(): void {
    this.#parsed = undefined;
  }

  #hold(object: ApiObject): void {
    this.#parsed = object;
    this.#labelMap ??= object.metadata.labels ?? null;
    this.context.parsed.add(this);
  }
}
