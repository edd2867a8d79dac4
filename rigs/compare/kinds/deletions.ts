import type {JsonValue} from '../../../sdk/index.js';
import type {CompareRequest} from '../compare-request.js';
import {dryRun, withQuery, type KindContext, type KnownType} from './request-kind.js';

/** With a body its options count, not those of the path. */
const dry = {dryRun: ['All']};
const head = {apiVersion: 'v1', kind: 'DeleteOptions', ...dry};
const bodies: readonly JsonValue[] = [
  dry,
  head,
  {...head, gracePeriodSeconds: 0},
  {...head, gracePeriodSeconds: -1},
  {...head, gracePeriodSeconds: 'x'},
  {...head, gracePeriodSeconds: 1.5},
  {...head, preconditions: {uid: 'other'}},
  {...head, preconditions: {resourceVersion: '1'}},
  {...head, preconditions: {uid: 'other', resourceVersion: '1'}},
  {...head, preconditions: {uid: ''}},
  {...head, preconditions: {resourceVersion: ''}},
  {...head, preconditions: {resourceVersion: 'x'}},
  {...head, preconditions: 5},
  {...head, preconditions: {uid: 5}},
  {...head, preconditions: {unknown: 5}},
  {...head, propagationPolicy: 'Orphan'},
  {...head, propagationPolicy: 'Foreground'},
  {...head, propagationPolicy: 'Background'},
  {...head, propagationPolicy: 'x'},
  {...head, propagationPolicy: ''},
  {...head, propagationPolicy: 5},
  {...head, orphanDependents: true},
  {...head, orphanDependents: 'x'},
  {...head, orphanDependents: false, propagationPolicy: 'Orphan'},
  {...head, dryRun: ['All']},
  {...head, dryRun: ['x']},
  {...head, dryRun: ['All', 'All']},
  {...head, dryRun: 'All'},
  {...head, unknown: 1},
  {...head, ignoreStoreReadErrorWithClusterBreakingPotential: true},
  {...head, ignoreStoreReadErrorWithClusterBreakingPotential: true, gracePeriodSeconds: 1},
  {...head, ignoreStoreReadErrorWithClusterBreakingPotential: 'x'},
  {...head, apiVersion: 'meta.k8s.io/v1'},
  {...head, apiVersion: 'apps/v1'},
  {...head, apiVersion: 'apps/v9'},
  {...head, apiVersion: 'nothing.example/v1'},
  {...head, apiVersion: 'v2'},
  {...head, kind: 'Pod'},
  {...head, kind: ''},
  {kind: 'DeleteOptions', ...dry},
  {apiVersion: 'v1', ...dry},
];
/** For an object that is not there: whoever takes them for options deletes. */
const unsafe: readonly JsonValue[] = [{}, [], 5, 'x', null];

function of({collection, object, title}: KnownType): CompareRequest[] {
  const missing = object.replace(/[^/]+$/, 'missing');
  return [
    {method: 'DELETE', path: withQuery(missing, [dryRun]), about: `${title} missing`},
    ...unsafe.map((body) => ({method: 'DELETE', path: missing, body, about: `${title} ${JSON.stringify(body)}`})),
    ...bodies.flatMap((body): CompareRequest[] => {
      const about = `${title} ${JSON.stringify(body).slice(0, 200)}`;
      return [
        {method: 'DELETE', path: withQuery(object, [dryRun]), body, about},
        {method: 'DELETE', path: withQuery(missing, [dryRun]), body, about},
        {method: 'DELETE', path: withQuery(collection, [dryRun]), body, about},
        {method: 'DELETE', path: withQuery(object, [dryRun, ['propagationPolicy', 'Orphan'], ['gracePeriodSeconds', '5']]), body, about},
      ];
    }),
  ];
}

/** Deletions with options in their body. */
export function deletionRequests({types}: KindContext): CompareRequest[] {
  return types.flatMap(of);
}
