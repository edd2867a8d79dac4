import {transientObject, type ResultObject} from './result-object.js';
import {scaleOf, withScale} from './scale.js';
import type {ApiObject} from '../../sdk/index.js';
import type {Subresource} from '../api/types/resource-type.js';
import type {Endpoint} from './endpoint.js';

/** How an endpoint of an object shows it and takes changes: the object itself, or a smaller object made of parts of it. */
export interface SubresourceView {
  /** What is shown of an object. */
  show(object: ResultObject): ResultObject;
  /** The body of a patch or update is compared with this. Must not be changed. */
  current(object: ApiObject): ApiObject;
  /** The whole object that a changed body stands for. */
  merge(object: ApiObject, body: ApiObject): ApiObject;
}

const wholeObject: SubresourceView = {
  show: (object) => object,
  current: (object) => object,
  merge: (_object, body) => body,
};

/** The view of the main endpoint, of `scale`, and of every subresource whose bodies are the objects themselves. */
export function viewOf(endpoint: Endpoint, subresource: Subresource | undefined): SubresourceView {
  if (subresource?.name !== 'scale') return wholeObject;
  const {definition} = subresource;
  return {
    show: (object) => transientObject(scaleOf(endpoint, object.object(), definition)),
    current: (object) => scaleOf(endpoint, object, definition),
    merge: (object, body) => withScale(object, body, definition),
  };
}
