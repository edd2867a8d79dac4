import {badRequest, FieldPath, forbiddenField, invalidObject, notSupported, type FieldError} from '../../sdk/index.js';
import type {ResourceTypeVersion} from '../api/types/resource-type.js';
import {checkFields, parseFieldSelector, type FieldSelector} from '../api/selectors/field-selector.js';
import {parseLabelSelector, type LabelSelector} from '../api/selectors/label-selector.js';
import type {ServedVersion} from '../registry/served-version.js';
import type {ListQuery, Freshness} from '../storage/read/list-query.js';
import {isTrue} from './request-info.js';

/** Parameters of list, watch and deletecollection as a client sent them, checked one by one. */
export interface ListParameters {
  readonly labelSelector: LabelSelector | undefined;
  readonly fieldSelector: FieldSelector | undefined;
  readonly limit: number | undefined;
  readonly continueToken: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly resourceVersionMatch: 'Exact' | 'NotOlderThan' | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  readonly timeoutSeconds: number | undefined;
}

/**
 * Reads the parameters of a list or watch.
 *
 * @throws 400 for values that cannot be read and fields that the type does not select by, 422 for combinations that are not allowed
 */
export function parseListParameters(query: URLSearchParams, version: ResourceTypeVersion, verb: 'list' | 'watch'): ListParameters {
  const labels = query.get('labelSelector');
  const fields = query.get('fieldSelector');
  const fieldSelector = fields ? parseFieldSelector(fields) : undefined;
  if (fieldSelector) checkFields(version.selectableFields, fieldSelector);
  const match = query.get('resourceVersionMatch') || undefined;
  const parameters: ListParameters = {
    labelSelector: labels ? parseLabelSelector(labels) : undefined,
    fieldSelector,
    limit: count(query, 'limit'),
    continueToken: query.get('continue') || undefined,
    resourceVersion: query.get('resourceVersion') || undefined,
    resourceVersionMatch: match as ListParameters['resourceVersionMatch'],
    allowWatchBookmarks: isTrue(query.get('allowWatchBookmarks')),
    sendInitialEvents: query.has('sendInitialEvents') ? isTrue(query.get('sendInitialEvents')) : undefined,
    timeoutSeconds: count(query, 'timeoutSeconds'),
  };
  checkVersion(parameters.resourceVersion);
  checkMatch(parameters, verb === 'watch');
  return parameters;
}

/** How fresh a single object must be: the `resourceVersion` parameter of get. */
export function parseReadLevel(query: URLSearchParams): Freshness {
  const version = query.get('resourceVersion') || undefined;
  checkVersion(version);
  return freshnessOf(version);
}

/** Which state a list answers: the table in docs/semantics/versions.md#lists. */
export function listQuery(parameters: ListParameters, {view, type}: ServedVersion, namespace: string): ListQuery {
  const {labelSelector, fieldSelector, limit, continueToken, resourceVersion, resourceVersionMatch} = parameters;
  const base = {
    ...(view.convertsOutOfProcess ? {view} : {}),
    ...(type.namespaced && namespace ? {namespace} : {}),
    ...(labelSelector ? {labelSelector} : {}),
    ...(fieldSelector ? {fieldSelector} : {}),
    ...(limit === undefined ? {} : {limit}),
  };
  if (continueToken !== undefined) {
    if (resourceVersion !== undefined && resourceVersion !== '0') {
      throw badRequest('specifying resource version is not allowed when using continue');
    }
    return {...base, freshness: 'any', continueToken};
  }
  const positive = resourceVersion !== undefined && resourceVersion !== '0';
  const exact = resourceVersionMatch === 'Exact' || (resourceVersionMatch === undefined && limit !== undefined && positive);
  return {...base, freshness: exact ? {exact: Number(resourceVersion)} : freshnessOf(resourceVersion)};
}

/** How new an answer must be by a `resourceVersion` parameter. */
export function freshnessOf(version: string | undefined): Freshness {
  if (version === undefined) return 'recent';
  return version === '0' ? 'any' : {atLeast: Number(version)};
}

function checkVersion(version: string | undefined): void {
  if (version === undefined || (/^\d{1,16}$/.test(version) && Number.isSafeInteger(Number(version)))) return;
  throw badRequest(`parameter resourceVersion is not a version of this server: ${JSON.stringify(version)}`);
}

/** Rules for `resourceVersionMatch` and `sendInitialEvents` (Kubernetes' validation of ListOptions). */
function checkMatch(parameters: ListParameters, watch: boolean): void {
  const {resourceVersion, resourceVersionMatch: match, continueToken, sendInitialEvents} = parameters;
  const path = FieldPath.of('resourceVersionMatch');
  const faults: FieldError[] = [];
  if (watch && sendInitialEvents !== undefined) {
    if (match === undefined) faults.push(forbiddenField(path, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
    else if (match !== 'NotOlderThan') faults.push(notSupported(path, match, ['NotOlderThan']));
  } else {
    if (sendInitialEvents !== undefined)
      faults.push(forbiddenField(FieldPath.of('sendInitialEvents'), 'sendInitialEvents is forbidden for list'));
    if (match !== undefined) {
      if (watch) faults.push(forbiddenField(path, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
      if (resourceVersion === undefined)
        faults.push(forbiddenField(path, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
      if (continueToken !== undefined) faults.push(forbiddenField(path, 'resourceVersionMatch is forbidden when continue is provided'));
      if (match !== 'Exact' && match !== 'NotOlderThan') faults.push(notSupported(path, match, ['Exact', 'NotOlderThan']));
      if (match === 'Exact' && resourceVersion === '0')
        faults.push(forbiddenField(path, 'resourceVersionMatch "Exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (faults.length > 0) throw invalidObject({group: '', kind: 'ListOptions'}, '', faults);
}

/** A whole number of 64 bits. Without one, with 0 and with a negative one there is no limit. */
function count(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = /^[+-]?\d{1,19}$/.test(text) ? BigInt(text.replace('+', '')) : undefined;
  if (value === undefined || BigInt.asIntN(64, value) !== value)
    throw badRequest(`parameter ${name} must be an integer, not ${JSON.stringify(text)}`);
  return value > 0n ? Number(value) : undefined;
}
