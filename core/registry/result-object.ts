import type {ApiObject, Status} from '../../sdk/index.js';
import {encodeJson} from '../api/codec/json.js';

/** An object on its way to a client: as bytes if that is enough, parsed if its contents are needed. */
export interface ResultObject {
  /** The complete JSON text in the version of the request. */
  readonly bytes: Buffer;
  /** Shared; callers must not modify it. */
  object(): ApiObject;
}

/** The outcome of a write. */
export interface WriteResult {
  readonly result: ResultObject;
  /** The object was created: answered with 201. */
  readonly created: boolean;
  /** The response of an operation that creates no object; `result` contains it too. */
  readonly status?: Status;
}

/** The outcome of a deletion. */
export interface DeleteResult {
  /** Whether the object has been removed; otherwise finalizers or a grace period delay that. */
  readonly removed: boolean;
  /** Its last state, or its current state while it terminates. */
  readonly result: ResultObject;
}

/** An object that is not in the store, such as the result of a dry run. */
export function transientObject(object: ApiObject): ResultObject {
  return new TransientObject(object);
}

class TransientObject implements ResultObject {
  readonly #object: ApiObject;
  #bytes: Buffer | undefined;

  constructor(object: ApiObject) {
    this.#object = object;
  }

  get bytes(): Buffer {
    return (this.#bytes ??= Buffer.from(encodeJson(this.#object)));
  }

  object(): ApiObject {
    return this.#object;
  }
}
