/** A request about access. */
export interface AccessRequest {
  readonly path: string;
  readonly body: object;
}

const authorization = '/apis/authorization.k8s.io/v1';
const sar = (spec: object, more: object = {}): AccessRequest => ({path: `${authorization}/subjectaccessreviews`, body: {spec, ...more}});
const selfReview = (spec: object): AccessRequest => ({path: `${authorization}/selfsubjectaccessreviews`, body: {spec}});
const local = (spec: object): AccessRequest => ({path: `${authorization}/namespaces/default/localsubjectaccessreviews`, body: {spec}});

/** Objects that the requests are about, in order. */
export const accessObjects: readonly AccessRequest[] = [
  {path: '/api/v1/nodes', body: {metadata: {name: 'one'}}},
  {path: '/api/v1/nodes', body: {metadata: {name: 'two'}}},
  ...['robot', 'other'].map((name) => ({path: '/api/v1/namespaces/default/serviceaccounts', body: {metadata: {name}}})),
  {path: '/api/v1/namespaces/default/secrets', body: {metadata: {name: 'bound'}}},
  {
    path: '/api/v1/namespaces/default/pods',
    body: {
      metadata: {name: 'runs'},
      spec: {
        nodeName: 'one',
        serviceAccountName: 'robot',
        automountServiceAccountToken: false,
        imagePullSecrets: [{name: 'pull'}],
        containers: [{name: 'c', image: 'i', envFrom: [{configMapRef: {name: 'env'}}, {secretRef: {name: 'env-secret'}}]}],
        volumes: [
          {name: 'claim', persistentVolumeClaim: {claimName: 'disk'}},
          {
            name: 'own',
            ephemeral: {volumeClaimTemplate: {spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}}}},
          },
          {name: 'map', projected: {sources: [{configMap: {name: 'projected'}}]}},
        ],
      },
    },
  },
  {
    path: '/api/v1/namespaces/default/pods',
    body: {
      metadata: {name: 'waits'},
      spec: {serviceAccountName: 'other', automountServiceAccountToken: false, containers: [{name: 'c', image: 'i'}]},
    },
  },
];

interface Question {
  readonly verb: string;
  readonly group?: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly fieldSelector?: object;
}

const asNode = (resourceAttributes: Question, node = 'one') =>
  sar({user: `system:node:${node}`, groups: ['system:nodes', 'system:authenticated'], resourceAttributes});

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];
const targets: readonly Omit<Question, 'verb'>[] = [
  {resource: 'secrets', namespace: 'default', name: 'pull'},
  {resource: 'secrets', namespace: 'default', name: 'unknown'},
  {resource: 'configmaps', namespace: 'default', name: 'projected'},
  {resource: 'serviceaccounts', namespace: 'default', name: 'robot'},
  {resource: 'serviceaccounts', namespace: 'default', name: 'robot', subresource: 'token'},
  {resource: 'persistentvolumeclaims', namespace: 'default', name: 'disk'},
  {resource: 'persistentvolumeclaims', namespace: 'default', name: 'runs-own', subresource: 'status'},
  {resource: 'persistentvolumes', name: 'volume'},
  {resource: 'pods', namespace: 'default', name: 'runs'},
  {resource: 'pods', namespace: 'default', name: 'waits'},
  {resource: 'pods', namespace: 'default'},
  {resource: 'pods', namespace: 'default', name: 'runs', subresource: 'status'},
  {resource: 'pods', namespace: 'default', name: 'runs', subresource: 'eviction'},
  {resource: 'pods', fieldSelector: {rawSelector: 'spec.nodeName=one'}},
  {resource: 'nodes', name: 'one'},
  {resource: 'nodes', name: 'two'},
  {resource: 'nodes'},
  {resource: 'nodes', name: 'one', subresource: 'status'},
  {resource: 'events', namespace: 'default'},
  {group: 'events.k8s.io', resource: 'events', namespace: 'default'},
  {group: 'coordination.k8s.io', resource: 'leases', namespace: 'kube-node-lease', name: 'one'},
  {group: 'coordination.k8s.io', resource: 'leases', namespace: 'kube-node-lease', name: 'two'},
  {group: 'storage.k8s.io', resource: 'csinodes', name: 'one'},
  {group: 'storage.k8s.io', resource: 'csinodes', name: 'two'},
  {group: 'storage.k8s.io', resource: 'volumeattachments', name: 'a'},
  {group: 'resource.k8s.io', resource: 'resourceslices', name: 'slice'},
  {group: 'resource.k8s.io', resource: 'resourceslices', fieldSelector: {rawSelector: 'spec.nodeName=one'}},
  {group: 'resource.k8s.io', resource: 'resourceclaims', namespace: 'default', name: 'claim'},
  {group: 'certificates.k8s.io', resource: 'podcertificaterequests', namespace: 'default', name: 'request'},
  {group: 'certificates.k8s.io', resource: 'certificatesigningrequests', name: 'request'},
  {group: 'certificates.k8s.io', resource: 'clustertrustbundles', name: 'bundle'},
];

const selectors: readonly object[] = [
  {},
  {rawSelector: 'a=b'},
  {rawSelector: 'a=b', requirements: [{key: 'a', operator: 'In', values: ['b']}]},
  {rawSelector: '&'},
  {rawSelector: 'a in (b,c),!d'},
  {rawSelector: 'a>1'},
  {requirements: []},
  {requirements: [{}]},
  {requirements: [{key: 'a', operator: 'In'}]},
  {requirements: [{key: 'a', operator: 'In', values: []}]},
  {requirements: [{key: 'a', operator: 'NotIn', values: ['b', 'c']}]},
  {requirements: [{key: 'a', operator: 'Exists', values: ['b']}]},
  {requirements: [{key: 'a', operator: 'DoesNotExist', values: ['b']}]},
  {requirements: [{key: 'a', operator: 'Exists'}]},
  {requirements: [{key: 'a', operator: 'Newer', values: ['b']}]},
  {requirements: [{key: '', operator: 'In', values: ['b']}]},
  {requirements: [{key: 'a b', operator: 'In', values: ['b c']}]},
  {
    requirements: [
      {key: 'a', operator: 'In', values: ['b']},
      {key: 'a', operator: 'Newer'},
    ],
  },
  {
    requirements: [
      {key: 'a', operator: 'Exists', values: ['b']},
      {key: '', operator: 'In'},
    ],
  },
];
const pods = {verb: 'list', resource: 'pods', namespace: 'default'};
const withSelectors = selectors.flatMap((selector) => [
  sar({user: 'jo', resourceAttributes: {...pods, fieldSelector: selector}}),
  sar({user: 'jo', resourceAttributes: {...pods, labelSelector: selector}}),
  selfReview({resourceAttributes: {...pods, labelSelector: selector, fieldSelector: selector}}),
  local({user: 'jo', resourceAttributes: {...pods, labelSelector: selector, fieldSelector: selector}}),
]);

const shapes: readonly AccessRequest[] = [
  sar({}),
  sar({user: 'jo'}),
  sar({resourceAttributes: pods}),
  sar({user: 'jo', resourceAttributes: pods, nonResourceAttributes: {path: '/', verb: 'get'}}),
  sar({user: 'jo', resourceAttributes: {}}),
  sar({user: 'jo', nonResourceAttributes: {}}),
  sar({groups: ['system:masters'], resourceAttributes: pods}),
  sar({user: 'jo', resourceAttributes: pods}, {metadata: {name: 'x'}}),
  sar({user: 'jo', nonResourceAttributes: {path: '/version', verb: 'get'}}),
  sar({user: 'system:anonymous', groups: ['system:unauthenticated'], nonResourceAttributes: {path: '/version', verb: 'get'}}),
  sar({user: 'system:anonymous', groups: ['system:unauthenticated'], nonResourceAttributes: {path: '/api', verb: 'get'}}),
  local({user: 'jo', nonResourceAttributes: {path: '/', verb: 'get'}}),
  local({user: 'jo', resourceAttributes: {...pods, namespace: 'other'}}),
  local({user: 'jo', resourceAttributes: {verb: 'list', resource: 'pods'}}),
  selfReview({}),
  sar({user: 'system:node:', groups: ['system:nodes'], resourceAttributes: pods}),
  sar({user: 'system:node:one', groups: [], resourceAttributes: pods}),
];

const token = (account: string, body: object): AccessRequest => ({
  path: `/api/v1/namespaces/default/serviceaccounts/${account}/token`,
  body,
});
const bound = (boundObjectRef: object, account = 'robot') => token(account, {spec: {boundObjectRef}});
const tokens: readonly AccessRequest[] = [
  token('robot', {}),
  token('robot', {spec: {audiences: ['x', 'y']}}),
  token('robot', {spec: {expirationSeconds: 599}}),
  token('robot', {spec: {expirationSeconds: 600}}),
  token('robot', {spec: {expirationSeconds: 4294967297}}),
  token('nobody', {}),
  token('robot', {metadata: {name: 'other'}}),
  token('robot', {metadata: {namespace: 'other'}}),
  token('robot', {metadata: {name: 'robot', namespace: 'default'}}),
  token('robot', {metadata: {uid: '00000000-0000-0000-0000-000000000000'}}),
  bound({kind: 'Pod', apiVersion: 'v1', name: 'runs'}),
  bound({kind: 'Pod', apiVersion: 'v1', name: 'waits'}, 'other'),
  bound({kind: 'Pod', apiVersion: 'v1', name: 'waits'}),
  bound({kind: 'Pod', apiVersion: 'v1', name: 'gone'}),
  bound({kind: 'Pod', apiVersion: 'v1', name: 'runs', uid: '00000000-0000-0000-0000-000000000000'}),
  bound({kind: 'Pod', apiVersion: 'v2', name: 'runs'}),
  bound({kind: 'Pod', name: 'runs'}),
  bound({kind: 'Secret', apiVersion: 'v1', name: 'bound'}),
  bound({kind: 'Secret', apiVersion: 'v1', name: 'gone'}),
  bound({kind: 'Secret', apiVersion: 'v1', name: 'bound', uid: '00000000-0000-0000-0000-000000000000'}),
  bound({kind: 'Node', apiVersion: 'v1', name: 'one'}),
  bound({kind: 'Node', apiVersion: 'v1', name: 'gone'}),
  bound({kind: 'Node', apiVersion: 'v1', name: 'one', uid: '00000000-0000-0000-0000-000000000000'}),
  bound({kind: 'ConfigMap', apiVersion: 'v1', name: 'x'}),
  bound({kind: 'Deployment', apiVersion: 'apps/v1', name: 'x'}),
  bound({}),
  {path: '/apis/authentication.k8s.io/v1/tokenreviews', body: {spec: {}}},
  {path: '/apis/authentication.k8s.io/v1/tokenreviews', body: {spec: {token: 'nobody knows this'}}},
  {path: '/apis/authentication.k8s.io/v1/tokenreviews', body: {spec: {token: 'a.b.c', audiences: ['x']}}},
];

/** Requests whose answers depend on nothing but the objects above. */
export const accessRequests: readonly AccessRequest[] = [
  ...targets.flatMap((target) => verbs.map((verb) => asNode({verb, ...target}))),
  ...withSelectors,
  ...shapes,
  ...tokens,
];
