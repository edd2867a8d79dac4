import type {OpenApiNode} from './openapi-input.js';

function query(name: string, type: 'string' | 'integer' | 'boolean', description: string): OpenApiNode {
  return {name, in: 'query', description, schema: {type, uniqueItems: true}};
}

function path(name: string, description: string): OpenApiNode {
  return {name, in: 'path', description, required: true, schema: {type: 'string', uniqueItems: true}};
}

const dryRun = query('dryRun', 'string', 'All: the request is carried out in every respect, but nothing is kept.');
const fieldManager = query('fieldManager', 'string', 'Name of the client, for the record of who set which fields.');
const fieldValidation = query('fieldValidation', 'string', 'What happens to unknown and duplicate fields: Ignore, Warn or Strict.');
const force = query('force', 'boolean', 'For apply only: take over fields that belong to somebody else.');
const resourceVersion = query('resourceVersion', 'string', 'The version that the answer must have or be newer than.');

/** Parameters of all operations on a path. */
export const commonParameters = [query('pretty', 'string', 'true: the answer is laid out for people.')];
export const nameParameter = path('name', 'Name of the object.');
export const namespaceParameter = path('namespace', 'Namespace of the object.');

/** Parameters that select objects of a collection. */
const selectionParameters = [
  query('continue', 'string', 'Token of an earlier answer: the next page.'),
  query('fieldSelector', 'string', 'Only objects whose fields have these values.'),
  query('labelSelector', 'string', 'Only objects with these labels.'),
  query('limit', 'integer', 'The most objects that one answer may carry.'),
  resourceVersion,
  query('resourceVersionMatch', 'string', 'How resourceVersion is meant: NotOlderThan or Exact.'),
  query('timeoutSeconds', 'integer', 'When the request ends at the latest, in seconds.'),
];

const watchParameters = [
  query('allowWatchBookmarks', 'boolean', 'Whether a watch may carry bookmarks.'),
  query('sendInitialEvents', 'boolean', 'Whether a watch begins with the objects that there are.'),
  query('watch', 'boolean', 'true: answer changes as they happen, not a list.'),
];

const deletionParameters = [
  dryRun,
  query('gracePeriodSeconds', 'integer', 'Seconds given for an orderly end; 0 is at once.'),
  query('orphanDependents', 'boolean', 'Replaced by propagationPolicy.'),
  query('propagationPolicy', 'string', 'What becomes of dependents: Orphan, Background or Foreground.'),
];

/** Query parameters by `x-kubernetes-action`. */
export const actionParameters: Readonly<Record<string, readonly OpenApiNode[]>> = {
  get: [resourceVersion],
  list: [...watchParameters, ...selectionParameters],
  post: [dryRun, fieldManager, fieldValidation],
  put: [dryRun, fieldManager, fieldValidation],
  patch: [dryRun, fieldManager, fieldValidation, force],
  delete: deletionParameters,
  deletecollection: [...deletionParameters, ...selectionParameters],
};
