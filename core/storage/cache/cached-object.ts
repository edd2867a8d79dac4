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
  /** Identifies the schema that the object was written with; 0 if unknown. */
  readonly schemaMark: number;
  /** Whether it would now be stored differently: it has an older key, or is not encrypted although it should be. */
  readonly stale: boolean;
  /** Whether `bytes` begin so. Remembers the last answer that was yes: every member of every list is asked. */
  beginsWith(prefix: Buffer): boolean;
  /** The parsed object. Shared: callers must not change it. */
  object(): ApiObject;
  /** `metadata.labels`. Shared: callers must not change it. */
  labels(): Readonly<Record<string, string>> | undefined;
  /** The values that field selectors compare, `metadata.name` and `metadata.namespace` among them. */
  fields(): Readonly<Record<string, string>>;
  /** The same state with another resource version: a deletion reports what it removed this way. */
  withRevision(revision: number): CachedObject;
}
