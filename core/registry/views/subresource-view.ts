import {transientObject, type ResultObject} from '../result-object.js';
import {matchPath} from '../write/validate-object.js';
import {scaleOf, scaleToAdmit, scaleToChange, withScale} from './scale.js';
import type {ApiObject} from '../../../sdk/index.js';
import type {Subresource} from '../../api/types/resource-type.js';
import type {ServedVersion} from '../served-version.js';

/** How an endpoint of an object shows it and takes changes: the object itself, or a smaller object made of parts of it. */
export interface SubresourceView {
  /** What is shown of an object. */
  show(object: ResultObject): ResultObject;
  /** The body of a patch or update is compared with this. Must not be changed. */
  current(object: ApiObject): ApiObject;
  /** The whole object that a changed body stands for. @throws 400 for a body of another kind that does not say of what object it is */
  merge(object: ApiObject, body: ApiObject): ApiObject;
  /** What admission sees of an object, and may change; undefined where that is the object itself. */
  readonly admitted?: (object: ApiObject) => ApiObject;
  /** Whether a PUT must name a version where the type demands that. */
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
      return withScale(object, body, definition);
    },
  };
}
