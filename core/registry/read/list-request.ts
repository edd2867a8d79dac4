import {badRequest, FieldPath, forbiddenField, invalidObject, notSupported, type FieldError, type ListOptions} from '../../../sdk/index.js';
import {checkFields, parseFieldSelector} from '../../api/selectors/field-selector.js';
import {parseLabelSelector} from '../../api/selectors/label-selector.js';
import type {Freshness} from '../../storage/follow/type-feed.js';
import type {ListQuery, Selection} from '../../storage/read/list-query.js';
import type {WatchStart} from '../../storage/watch/watch-query.js';
import type {ServedVersion} from '../served-version.js';

/**
 * The options of a list, a watch or a deletion of a collection, as sent by a client (Kubernetes' `ListOptions`). Empty strings count as
 * absent.
 */
export interface ListRequest extends ListOptions {
  readonly resourceVersionMatch?: string | undefined;
  readonly allowWatchBookmarks?: boolean;
  readonly sendInitialEvents?: boolean | undefined;
}

/**
 * Which objects are selected.
 *
 * @param namespace empty for all namespaces
 * @throws 400 for invalid selectors, and for fields that the type does not support in field selectors
 */
function selectionOf({version, view, type}: ServedVersion, namespace: string, {labelSelector, fieldSelector}: ListRequest): Selection {
  const fields = fieldSelector ? parseFieldSelector(fieldSelector) : undefined;
  if (fields) checkFields(version.selectableFields, fields);
  return {
    ...(view.convertsOutOfProcess ? {view} : {}),
    ...(type.namespaced && namespace ? {namespace} : {}),
    ...(labelSelector ? {labelSelector: parseLabelSelector(labelSelector)} : {}),
    ...(fields ? {fieldSelector: fields} : {}),
  };
}

/**
 * Which state a list returns: the table in docs/semantics/versions.md#lists.
 *
 * @throws 400 for invalid values, 422 for combinations that are not allowed
 */
export function listQuery(served: ServedVersion, namespace: string, request: ListRequest): ListQuery {
  const selection = selectionOf(served, namespace, request);
  const {resourceVersionMatch, continue: continueToken} = request;
  const resourceVersion = request.resourceVersion || undefined;
  checkVersion(resourceVersion);
  checkMatch(request, false);
  // There is no limit if it is missing, 0 or negative.
  const limit = request.limit !== undefined && request.limit > 0 ? request.limit : undefined;
  const base = {...selection, ...(limit === undefined ? {} : {limit})};
  const isPositive = resourceVersion !== undefined && resourceVersion !== '0';
  if (continueToken) {
    if (isPositive) throw badRequest('specifying resource version is not allowed when using continue');
    return {...base, freshness: 'any', continueToken};
  }
  const isExact = resourceVersionMatch === 'Exact' || (!resourceVersionMatch && limit !== undefined && isPositive);
  return {...base, freshness: isExact ? {exact: Number(resourceVersion)} : freshnessOf(resourceVersion)};
}

/**
 * Which changes a watch shows: docs/semantics/versions.md#watches; `sendInitialEvents` as newer clients use it.
 *
 * @throws as `listQuery`
 */
export function watchSelection(served: ServedVersion, namespace: string, request: ListRequest): Selection & {readonly start: WatchStart} {
  const selection = selectionOf(served, namespace, request);
  const {sendInitialEvents} = request;
  const resourceVersion = request.resourceVersion || undefined;
  checkVersion(resourceVersion);
  checkMatch(request, true);
  const freshness = freshnessOf(resourceVersion);
  if (sendInitialEvents === true) return {...selection, start: {kind: 'initial', freshness}};
  if (typeof freshness === 'object') return {...selection, start: {kind: 'after', revision: freshness.atLeast}};
  return {...selection, start: sendInitialEvents === false ? {kind: 'now', freshness} : {kind: 'initial', freshness}};
}

/** How recent a single object must be, by the `resourceVersion` of a get. @throws 400 for an invalid version */
export function getFreshness(resourceVersion: string | undefined): Freshness {
  checkVersion(resourceVersion || undefined);
  return freshnessOf(resourceVersion || undefined);
}

function freshnessOf(version: string | undefined): 'recent' | 'any' | {readonly atLeast: number} {
  if (version === undefined) return 'recent';
  return version === '0' ? 'any' : {atLeast: Number(version)};
}

function checkVersion(version: string | undefined): void {
  if (version === undefined || (/^\d{1,16}$/.test(version) && Number.isSafeInteger(Number(version)))) return;
  throw badRequest(`parameter resourceVersion is not a version of this server: ${JSON.stringify(version)}`);
}

/** Rules for `resourceVersionMatch` and `sendInitialEvents` (Kubernetes' validation of ListOptions). */
function checkMatch(request: ListRequest, isWatch: boolean): void {
  const {resourceVersion, sendInitialEvents, continue: continueToken} = request;
  const match = request.resourceVersionMatch || undefined;
  const path = FieldPath.of('resourceVersionMatch');
  const faults: FieldError[] = [];
  if (isWatch && sendInitialEvents !== undefined) {
    if (match === undefined) faults.push(forbiddenField(path, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
    else if (match !== 'NotOlderThan') faults.push(notSupported(path, match, ['NotOlderThan']));
  } else {
    if (sendInitialEvents !== undefined)
      faults.push(forbiddenField(FieldPath.of('sendInitialEvents'), 'sendInitialEvents is forbidden for list'));
    if (match !== undefined) {
      if (isWatch) faults.push(forbiddenField(path, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
      if (!resourceVersion) faults.push(forbiddenField(path, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
      if (continueToken) faults.push(forbiddenField(path, 'resourceVersionMatch is forbidden when continue is provided'));
      if (match !== 'Exact' && match !== 'NotOlderThan') faults.push(notSupported(path, match, ['Exact', 'NotOlderThan']));
      if (match === 'Exact' && resourceVersion === '0')
        faults.push(forbiddenField(path, 'resourceVersionMatch "Exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (faults.length > 0) throw invalidObject({group: '', kind: 'ListOptions'}, '', faults);
}
