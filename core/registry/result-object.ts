import type {ApiObject, Status} from '../../sdk/index.js';
import {encodeJson} from '../api/codec/json.js';

/** An object on its way to a client: as bytes where they are enough, parsed where somebody has to look into it. */
export interface ResultObject {
  /** Complete JSON text in the version of the request. */
  readonly bytes: Buffer;
  /** Shared: callers must not change it. */
  object(): ApiObject;
}

/** The outcome of a write. */
export interface WriteResult {
  readonly result: ResultObject;
  /** The object came into being: answered with 201. */
  readonly created: boolean;
  /** What an operation answers that makes no object: `result` is that too. */
  readonly status?: Status;
}

/** What a deletion has done. */
export interface DeleteResult {
  /** The object is gone; otherwise finalizers or a grace period hold it. */
  readonly removed: boolean;
  /** Its last state, or its state as it waits. */
  readonly result: ResultObject;
}

/** An object that is not in the store, such as the outcome of a dry run. */
export function transientObject(object: ApiObject): ResultObject {
  let bytes: Buffer | undefined;
  return {
    get bytes() {
      return (bytes ??= Buffer.from(encodeJson(object)));
    },
    object: () => object,
  };
}
