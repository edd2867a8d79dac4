import {encodeJson} from '../../api/codec/json.js';
import type {CachedObject} from '../../storage/cache/cached-object.js';
import type {ChangeType, FrameEncoder} from '../../storage/watch/frame-encoder.js';
import {toWatchStatus} from '../store-errors.js';

const heads: Readonly<Record<ChangeType, Buffer>> = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
};
const tail = Buffer.from('}\n');

/** Encodes watch events as lines of JSON, with the objects as stored, or in another version. */
export class JsonFrameEncoder implements FrameEncoder {
  readonly key: string;

  readonly #type: {readonly apiVersion: string; readonly kind: string};
  readonly #initialEventsEndKey: string | undefined;
  readonly #textOf: (object: CachedObject) => Buffer;

  /**
   * @param type `apiVersion` and `kind` of bookmarks; that of the objects, which is the storage version
   * @param textOf the complete JSON text of an object in that version; encoders of the same type must agree, as frames are shared
   * @param initialEventsEndKey annotation of the bookmark after the initial events, as the naming profile spells `orch/initial-events-end`
   */
  constructor(
    type: {readonly apiVersion: string; readonly kind: string},
    initialEventsEndKey?: string,
    textOf: (object: CachedObject) => Buffer = ({bytes}) => bytes,
  ) {
    this.#type = type;
    this.#initialEventsEndKey = initialEventsEndKey;
    this.#textOf = textOf;
    this.key = `json|${type.apiVersion}|${type.kind}|${initialEventsEndKey}`;
  }

  encode(type: ChangeType, object: CachedObject): Buffer {
    const head = heads[type];
    const bytes = this.#textOf(object);
    const frame = Buffer.allocUnsafe(head.length + bytes.length + tail.length);
    head.copy(frame, 0);
    bytes.copy(frame, head.length);
    tail.copy(frame, head.length + bytes.length);
    return frame;
  }

  bookmark(revision: number, initialEventsEnd: boolean): Buffer {
    const {apiVersion, kind} = this.#type;
    const annotations = initialEventsEnd && this.#initialEventsEndKey ? {annotations: {[this.#initialEventsEndKey]: 'true'}} : {};
    return eventLine({type: 'BOOKMARK', object: {kind, apiVersion, metadata: {resourceVersion: String(revision), ...annotations}}});
  }

  error(error: unknown): Buffer {
    return eventLine({type: 'ERROR', object: toWatchStatus(error)});
  }
}

/** An event as a line of JSON. */
export function eventLine(event: object): Buffer {
  return Buffer.from(`${encodeJson(event)}\n`);
}
