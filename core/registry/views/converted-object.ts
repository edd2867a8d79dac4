import type {ApiObject} from '../../../sdk/index.js';
import {decodeJson, encodeJson} from '../../api/codec/json.js';
import type {ResourceTypeVersion} from '../../api/types/resource-type.js';
import {beginsWith} from '../../storage/cache/stored-value.js';
import type {CachedObject} from '../../storage/cache/cached-object.js';

/** A stored object in a form other than the stored one. */
export class ConvertedObject implements CachedObject {
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  readonly writtenAt: number;
  readonly schemaMark: number;
  readonly stale: boolean;
  #object: ApiObject | undefined;
  #bytes: Buffer | undefined;
  #labels: Readonly<Record<string, string>> | null | undefined;
  #fields: Readonly<Record<string, string>> | undefined;
  readonly #version: ResourceTypeVersion;

  /** @param object the other form, in `version`; this object takes ownership of it */
  constructor(
    stored: Pick<CachedObject, 'key' | 'namespace' | 'name' | 'revision' | 'writtenAt' | 'stale'>,
    object: ApiObject,
    version: ResourceTypeVersion,
  ) {
    this.#version = version;
    ({key: this.key, namespace: this.namespace, name: this.name, revision: this.revision, writtenAt: this.writtenAt} = stored);
    this.schemaMark = version.schemaMark;
    this.stale = stored.stale;
    this.#object = object;
  }

  /** Members are in the order of the store, so the version can be read from the start of the text. */
  get bytes(): Buffer {
    if (!this.#bytes) {
      const {apiVersion, kind, metadata, ...members} = this.#object!;
      this.#bytes = Buffer.from(encodeJson({apiVersion, kind, metadata, ...members}));
    }
    return this.#bytes;
  }

  beginsWith(prefix: Buffer): boolean {
    return beginsWith(this.bytes, prefix);
  }

  object(): ApiObject {
    return this.#object ?? (decodeJson(this.#bytes!).value as unknown as ApiObject);
  }

  labels(): Readonly<Record<string, string>> | undefined {
    if (this.#labels === undefined) this.#labels = this.object().metadata.labels ?? null;
    return this.#labels ?? undefined;
  }

  fields(): Readonly<Record<string, string>> {
    return (this.#fields ??= {
      ...this.#version.selectableFieldValues(this.object()),
      'metadata.name': this.name,
      'metadata.namespace': this.namespace,
    });
  }

  withRevision(revision: number): ConvertedObject {
    const object = this.object();
    return new ConvertedObject(
      {...this.#identity(), revision},
      {...object, metadata: {...object.metadata, resourceVersion: String(revision)}},
      this.#version,
    );
  }

  /** Keeps only the text, for objects that stay in memory for a long time. */
  pack(): this {
    void this.bytes;
    this.#object = undefined;
    return this;
  }

  #identity() {
    const {key, namespace, name, writtenAt, stale} = this;
    return {key, namespace, name, writtenAt, stale};
  }
}
