import type {ApiObject} from '../../sdk/index.js';
import {encodeJson} from '../api/codec/json.js';
import {convertTo} from '../api/types/convert.js';
import type {ResourceTypeVersion} from '../api/types/resource-type.js';
import type {CachedObject} from '../storage/cached-object.js';

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

/** A stored object in the version that a request asks for. Where it is stored in that version the stored bytes are used as they are. */
export function inVersion(cached: CachedObject, version: ResourceTypeVersion): ResultObject {
  return isStoredIn(cached, version) ? cached : transientObject(convertTo(cached.object(), version));
}

/** There may be objects from a time when another version was the storage version, also one that the type no longer has. */
function isStoredIn({bytes}: CachedObject, version: ResourceTypeVersion): boolean {
  if (!version.isStorageVersion) return false;
  const {storedPrefix} = version;
  // Every object of every list passes here: a loop from the end, where versions differ, takes a fifth of Buffer.compare's time.
  for (let index = storedPrefix.length - 1; index >= 0; index--) if (bytes[index] !== storedPrefix[index]) return false;
  return true;
}
