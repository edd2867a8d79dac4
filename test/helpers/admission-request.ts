import type {AdmissionRequest} from '../../sdk/index.js';

/** The creation of a ConfigMap in the namespace `team`, but for what a test wants to be different. */
export function admissionRequest(change: Partial<AdmissionRequest> = {}): AdmissionRequest {
  const kind = change.kind ?? {group: '', version: 'v1', kind: 'ConfigMap'};
  const resource = change.resource ?? {group: '', version: 'v1', resource: 'configmaps'};
  return {
    operation: 'CREATE',
    kind,
    resource,
    subresource: '',
    forms: [{kind, resource}],
    namespace: 'team',
    name: 'settings',
    object: {metadata: {name: 'settings', namespace: 'team'}},
    oldObject: undefined,
    options: {},
    dryRun: false,
    user: {username: 'ada', groups: []},
    ofCollection: false,
    round: 0,
    signal: undefined,
    shownAs: (object) => object,
    patch: () => Promise.reject(new Error('nothing can be patched in this test')),
    merge: () => Promise.reject(new Error('nothing can be patched in this test')),
    runAgain: () => undefined,
    warn: () => undefined,
    annotate: () => undefined,
    ...change,
  };
}
