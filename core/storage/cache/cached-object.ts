import type {ApiObject} from '../../../sdk/index.js';

/** One state of one object as it was stored. Immutable. */
export interface CachedObject {
  /** `namespace/name`, or `name` for a cluster-scoped type. */
  readonly key: string;
  /** Empty for a cluster-scoped type. */
  readonly namespace: string;
  readonly name: string;
  /** Revision of the write that led to this state: the number in `metadata.resourceVersion`. */
  readonly revision: number;
  /** Complete JSON text in the storage version. Shared: callers must not change it. */
  readonly bytes: Buffer;
  /** Time of the write in milliseconds since 1970, by the clock of the server that made it. */
  readonly writtenAt: number;
  /** Tells which schema the object was brought into the form of when it was written; 0 when that is not known. */
  readonly schemaMark: number;
  /** Whether it is stored otherwise than it would be written now: with an older key, or not encrypted as it should be. */
  readonly stale: boolean;
  /** The parsed object. Shared: callers must not change it. */
  object(): ApiObject;
  /** `metadata.labels`. Shared: callers must not change it. */
  labels(): Readonly<Record<string, string>> | undefined;
  /** The values that field selectors compare, `metadata.name` and `metadata.namespace` among them. */
  fields(): Readonly<Record<string, string>>;
  /** The same state under another resource version: how a deletion reports what it removed. */
  withRevision(revision: number): CachedObject;
}
