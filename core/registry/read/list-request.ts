import {badRequest, type ListOptions} from '../../../sdk/index.js';
import {checkFields, parseFieldSelector} from '../../api/selectors/field-selector.js';
import {parseLabelSelector} from '../../api/selectors/label-selector.js';
import type {Freshness} from '../../storage/follow/type-feed.js';
import type {ListQuery, Selection} from '../../storage/read/list-query.js';
import type {WatchStart} from '../../storage/watch/watch-query.js';
import type {ServedVersion} from '../served-version.js';
import {validateList, validateWatch} from './list-options.js';
import {versionFault} from './version-fault.js';

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
  const labels = labelSelector ? parseLabelSelector(labelSelector) : undefined;
  const fields = fieldSelector ? parseFieldSelector(fieldSelector) : undefined;
  if (fields) checkFields(version.selectableFields, fields, type.origin === 'built-in', version.fieldRefusal);
  return {
    ...(view.convertsOutOfProcess ? {view} : {}),
    ...(type.namespaced && namespace ? {namespace} : {}),
    ...(labels ? {labelSelector: labels} : {}),
    ...(fields ? {fieldSelector: fields} : {}),
  };
}

/**
 * Which state a list returns: the table in docs/semantics/versions.md#lists.
 *
 * @throws 400 for invalid values, 422 for combinations that are not allowed
 */
export function listQuery(served: ServedVersion, namespace: string, request: ListRequest): ListQuery {
  validateList(served, request);
  const selection = selectionOf(served, namespace, request);
  const {resourceVersionMatch, continue: continueToken} = request;
  const resourceVersion = request.resourceVersion || undefined;
  // There is no limit if it is missing, 0 or negative.
  const limit = request.limit !== undefined && request.limit > 0 ? request.limit : undefined;
  const base = {...selection, ...(limit === undefined ? {} : {limit})};
  const isPositive = resourceVersion !== undefined && resourceVersion !== '0';
  if (continueToken) {
    if (isPositive) throw badRequest('specifying resource version is not allowed when using continue');
    return {...base, freshness: 'any', continueToken};
  }
  checkVersion(resourceVersion, 'invalid resource version: ');
  const isExact = resourceVersionMatch === 'Exact' || (!resourceVersionMatch && limit !== undefined && isPositive);
  return {...base, freshness: isExact ? {exact: Number(resourceVersion)} : freshnessOf(resourceVersion)};
}

/** Which changes a watch shows, and whether it says when those that existed before it have all been shown. */
export interface SelectedWatch extends Selection {
  readonly start: WatchStart;
  /** A bookmark with an annotation ends the initial events, if the client takes bookmarks. */
  readonly marksEnd: boolean;
}

/**
 * Which changes a watch shows: docs/semantics/versions.md#watches. With the feature gate `WatchList`, `sendInitialEvents` says whether it begins with what exists.
 *
 * @throws as `listQuery`
 */
export function watchSelection(served: ServedVersion, namespace: string, request: ListRequest): SelectedWatch {
  validateWatch(served, request);
  const selection = selectionOf(served, namespace, request);
  const resourceVersion = request.resourceVersion || undefined;
  checkVersion(resourceVersion, '');
  const freshness = freshnessOf(resourceVersion);
  // Where clients may ask for the mark, it is also there for those that begin with what exists in the older way.
  const sendInitialEvents =
    request.sendInitialEvents ?? (typeof freshness !== 'object' && served.isEnabled('WatchList') ? true : undefined);
  const shown = {...selection, marksEnd: sendInitialEvents === true};
  if (sendInitialEvents === true) return {...shown, start: {kind: 'initial', freshness}};
  if (typeof freshness === 'object') return {...shown, start: {kind: 'after', revision: freshness.atLeast}};
  return {...shown, start: sendInitialEvents === false ? {kind: 'now', freshness} : {kind: 'initial', freshness}};
}

/** How recent a single object must be, by the `resourceVersion` of a get. @throws 400 for an invalid version */
export function getFreshness(resourceVersion: string | undefined): Freshness {
  checkVersion(resourceVersion || undefined, '');
  return freshnessOf(resourceVersion || undefined);
}

function freshnessOf(version: string | undefined): 'recent' | 'any' | {readonly atLeast: number} {
  if (version === undefined) return 'recent';
  return version === '0' ? 'any' : {atLeast: Number(version)};
}

/** @param prefix of the message: Kubernetes has one for lists. @throws 400, where Kubernetes has 500 for gets and watches */
function checkVersion(version: string | undefined, prefix: string): void {
  const fault = version === undefined ? undefined : versionFault(version);
  if (fault !== undefined) throw badRequest(prefix + fault);
}
