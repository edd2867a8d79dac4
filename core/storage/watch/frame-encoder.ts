import type {CachedObject} from '../cache/cached-object.js';

/** Types of the events that carry an object's change. */
export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/**
 * Writes watch events in one representation. Frames are made once for all watches whose encoders have the same key, so an
 * encoder must be a pure function of its arguments. If it throws, these watches end with a 500.
 */
export interface FrameEncoder {
  /** The same for encoders that write the same bytes: media type, version, columns and anything else that matters. */
  readonly key: string;
  /** The complete frame of an event. For `DELETED` the object is the last state with the version of the deletion. */
  encode(type: ChangeType, object: CachedObject): Buffer;
  /** The frame of the first change in a stream, if it differs (column definitions of a Table). */
  encodeFirst?(type: ChangeType, object: CachedObject): Buffer;
  /** @param initialEventsEnd whether the bookmark ends the initial events and has the annotation that says so */
  bookmark(revision: number, initialEventsEnd: boolean): Buffer;
  /** @param error a `StorageError`, or what a view or this encoder threw */
  error(error: unknown): Buffer;
}
