import type {ListMeta, ObjectMeta} from './object-meta.js';

/** A JSON value. Integers beyond 2^53 are bigint, so that they survive unchanged. */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;

/** A JSON object. `__proto__` is an ordinary member: never assign members of foreign input without `setMember`. */
export interface JsonObject {
  [member: string]: JsonValue | undefined;
}

/** What all objects of all types have in common. */
export interface ResourceObject {
  apiVersion?: string;
  kind?: string;
  metadata?: ObjectMeta;
}

/** An instance of a resource type. Members beyond the metadata depend on the kind. */
export interface ApiObject {
  apiVersion?: string;
  kind?: string;
  metadata: ObjectMeta;
  [member: string]: unknown;
}

/** A collection as a list response carries it. */
export interface ApiList<T extends ApiObject = ApiObject> {
  apiVersion: string;
  kind: string;
  metadata: ListMeta;
  items: T[];
}

/** What a watch delivers. An `ERROR` event carries a Status, a `BOOKMARK` only a resource version. */
export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

export interface WatchEvent<T extends ApiObject = ApiObject> {
  type: WatchEventType;
  object: T;
}
