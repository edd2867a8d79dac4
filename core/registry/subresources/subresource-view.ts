import {transientObject, type ResultObject} from '../result-object.js';
import {scaleOf, scaleToAdmit, scaleToChange, withScale} from './scale.js';
import type {ApiObject} from '../../../sdk/index.js';
import type {Subresource} from '../../api/types/resource-type.js';
import {matchPath, type ServedVersion} from '../served-version.js';

/** How an endpoint shows an object and accepts changes: as the object itself, or as a smaller object made of parts of it. */
export interface SubresourceView {
  /** The object as clients see it. */
  show(object: ResultObject): ResultObject;
  /** The object to which the body of a patch or update is compared. Must not be modified. */
  current(object: ApiObject): ApiObject;
  /** The whole object that results from a changed body. @throws 400 for a body of another kind that does not identify its object */
  merge(object: ApiObject, body: ApiObject): ApiObject;
  /** The part of an object that admission sees and may change; undefined if that is the object itself. */
  readonly admitted?: (object: ApiObject) => ApiObject;
  /** Whether a PUT must name a version if the type requires one. */
  readonly needsVersion: boolean;
}

const wholeObject: SubresourceView = {
  show: (object) => object,
  current: (object) => object,
  merge: (_object, body) => body,
  needsVersion: true,
};

/** The view of the main endpoint, of `scale`, and of every subresource whose bodies are the objects themselves. */
export function viewOf(served: ServedVersion, subresource: Subresource | undefined): SubresourceView {
  if (subresource?.name !== 'scale') return wholeObject;
  const {definition} = subresource;
  return {
    show: (object) => transientObject(scaleOf(served, object.object(), definition)),
    current: (object) => scaleToChange(object, definition),
    admitted: (object) => scaleToAdmit(object, definition),
    needsVersion: false,
    merge: (object, body) => {
      matchPath(served, body, {namespace: object.metadata.namespace ?? '', name: object.metadata.name!});
      return withScale(served, object, body, definition);
    },
  };
}
