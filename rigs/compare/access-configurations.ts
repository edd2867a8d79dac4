/** A configuration of access, as a file of `--authentication-config` or `--authorization-config` has it. */
export interface AccessConfiguration {
  readonly flag: 'authentication-config' | 'authorization-config';
  readonly content: unknown;
}

const group = 'apiserver.config.k8s.io';
const url = 'https://issuer.example.com';
const issuer = {url, audiences: ['a']};
const username = {claim: 'sub', prefix: ''};
const claimMappings = {username};

/** A certificate that signs others, and one that is none. */
const notCertificates = ['x', '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'];

function authentication(version: string, ...jwt: unknown[]): AccessConfiguration {
  return authenticationWith({apiVersion: `${group}/${version}`, kind: 'AuthenticationConfiguration', jwt});
}

function authenticationWith(content: unknown): AccessConfiguration {
  return {flag: 'authentication-config', content};
}

const entries = (...each: object[]) => each.map((more) => authentication('v1beta1', {issuer, claimMappings, ...more}));
const issuers = (...each: object[]) => entries(...each.map((more) => ({issuer: {...issuer, ...more}})));
const mappings = (...each: object[]) => entries(...each.map((more) => ({claimMappings: {username, ...more}})));
const rules = (...each: object[][]) => entries(...each.map((claimValidationRules) => ({claimValidationRules})));
const userRules = (...each: object[][]) => entries(...each.map((userValidationRules) => ({userValidationRules})));
const top = (...each: object[]) =>
  each.map((more) => authenticationWith({apiVersion: `${group}/v1beta1`, kind: 'AuthenticationConfiguration', ...more}));

const authenticationCases: readonly AccessConfiguration[] = [
  ...['v1', 'v1beta1', 'v1alpha1', 'v2', 'v1beta2'].map((version) =>
    authentication(version, {issuer: {...issuer, url: ''}, claimMappings}),
  ),
  authenticationWith({kind: 'AuthenticationConfiguration', jwt: []}),
  authenticationWith({apiVersion: `${group}/v1beta1`, jwt: []}),
  authenticationWith({apiVersion: `${group}/v1beta1`, kind: 'Other'}),
  authenticationWith({apiVersion: `${group}/v1beta1`, kind: 'AuthorizationConfiguration'}),
  authenticationWith({apiVersion: 'v1', kind: 'AuthenticationConfiguration'}),
  ...top({more: 1}, {jwt: [{issuer, claimMappings, x: 1}], y: 2}, {jwt: [{issuer: {...issuer, urls: 'x'}, claimMappings}]}),
  ...top(
    {anonymous: {enabled: false, conditions: [{path: '/livez'}]}},
    {anonymous: {conditions: [{path: '/livez'}, {path: '/healthz'}]}},
    {anonymous: {enabled: true, paths: ['/livez']}},
    {anonymous: {enabled: false, conditions: [{path: '/livez'}]}, jwt: [{issuer: {...issuer, url: ''}, claimMappings}]},
  ),
  ...issuers(
    {url: ''},
    {url: 'http://issuer.example.com'},
    {url: 'https://issuer.example.com?x=y'},
    {url: 'https://issuer.example.com#x'},
    {url: 'issuer.example.com'},
    {url: 'http://issuer.example.com?x=y#z'},
    {audiences: []},
    {audiences: ['']},
    {audiences: ['a', 'a'], audienceMatchPolicy: 'MatchAny'},
    {audiences: ['a', 'b']},
    {audiences: ['a', '', 'a']},
    {audiences: ['a', 'b'], audienceMatchPolicy: 'MatchAll'},
    {audiences: ['a'], audienceMatchPolicy: 'MatchAll'},
    {discoveryURL: url},
    {discoveryURL: `${url}/`},
    {discoveryURL: `${url}//`},
    {discoveryURL: 'http://issuer.example.com/x'},
    {discoveryURL: 'https://issuer.example.com/x?y=z#w'},
    {url: '', discoveryURL: 'http://x'},
    {egressSelectorType: 'other'},
    {egressSelectorType: 'etcd'},
    {egressSelectorType: 'Cluster'},
    {url: '', audiences: [], discoveryURL: 'ftp://x', audienceMatchPolicy: 'Other'},
  ),
  ...notCertificates.slice(0, 1).flatMap((certificateAuthority) => issuers({certificateAuthority})),
  authentication('v1beta1', {issuer, claimMappings}, {issuer, claimMappings}),
  authentication('v1beta1', {issuer, claimMappings}, {issuer, claimMappings}, {issuer, claimMappings}),
  authentication(
    'v1beta1',
    {issuer: {...issuer, discoveryURL: `${url}/d`}, claimMappings},
    {issuer: {url: `${url}/2`, audiences: ['a'], discoveryURL: `${url}/d`}, claimMappings},
  ),
  authentication('v1beta1', {}, {}),
  authentication('v1beta1', {claimMappings}),
  authentication('v1beta1', {issuer}),
  authentication('v1beta1', ...Array.from({length: 65}, () => ({issuer, claimMappings}))),
  ...entries(
    {claimMappings: {}},
    {claimMappings: {username: {}}},
    {claimMappings: {username: {claim: 'sub'}}},
    {claimMappings: {username: {prefix: 'x'}}},
    {claimMappings: {username: {claim: 'sub', expression: 'claims.sub'}}},
    {claimMappings: {username: {expression: 'claims.sub', prefix: 'x'}}},
    {claimMappings: {username: {expression: 'claims.sub', prefix: ''}}},
    {claimMappings: {username: {claim: 'sub', expression: 'claims.sub', prefix: ''}}},
    {claimMappings: {username: {expression: 'claims.email'}}},
    {claimMappings: {username: {expression: 'claims.?email.orValue("")'}}},
    {claimMappings: {username: {expression: 'claims.email + "x"'}}},
    {claimMappings: {username: {expression: '"x" + claims.email'}, extra: [{key: 'example.org/x', valueExpression: 'claims.other'}]}},
    {claimMappings: {groups: {claim: 'g'}}},
    {claimMappings: {uid: {claim: 'u', expression: 'claims.u'}}},
  ),
  ...mappings(
    {groups: {claim: 'g'}},
    {groups: {claim: 'g', expression: 'claims.g', prefix: ''}},
    {groups: {expression: 'claims.g', prefix: ''}},
    {uid: {claim: 'u', expression: 'claims.u'}},
    {uid: {}, groups: {prefix: 'x', claim: ''}, extra: [{}]},
    {extra: [{key: '', valueExpression: ''}]},
    {extra: [{key: 'foo', valueExpression: '"x"'}]},
    {extra: [{key: '/foo', valueExpression: '"x"'}]},
    {extra: [{key: 'example.org/', valueExpression: '"x"'}]},
    {extra: [{key: 'Example.org/foo', valueExpression: '"x"'}]},
    {extra: [{key: 'example.org/Foo', valueExpression: '"x"'}]},
    {extra: [{key: 'example.org/f o', valueExpression: '"x"'}]},
    {extra: [{key: 'k8s.io/foo', valueExpression: '"x"'}]},
    {extra: [{key: 'x.kubernetes.io/foo', valueExpression: '"x"'}]},
    {extra: [{key: 'example.org/foo', valueExpression: ''}]},
    {
      extra: [
        {key: 'example.org/foo', valueExpression: '"x"'},
        {key: 'example.org/foo', valueExpression: '"y"'},
      ],
    },
    {extra: [{key: '-a.b/foo', valueExpression: '"x"'}]},
    {extra: [{key: 'A/B'}, {key: 'kubernetes.io/x'}]},
  ),
  ...rules(
    [{}],
    [{claim: 'a', expression: 'true'}],
    [{claim: 'a', message: 'm'}],
    [{claim: 'a'}, {claim: 'a'}],
    [{expression: 'true', requiredValue: 'x'}],
    [{expression: 'true'}, {expression: 'true'}],
    [{requiredValue: 'x'}],
    [{message: 'x'}],
    [{}, {claim: 'a', message: 'm'}, {claim: 'a'}, {expression: 'true', requiredValue: 'b'}],
  ),
  ...userRules([{}], [{message: 'x'}], [{expression: 'true'}, {expression: 'true'}], [{}, {}]),
];

const connectionInfo = {type: 'KubeConfigFile', kubeConfigFile: '/nowhere/webhook.yaml'};
const hook = {timeout: '3s', subjectAccessReviewVersion: 'v1', failurePolicy: 'NoOpinion', connectionInfo};

function authorization(version: string, ...authorizers: unknown[]): AccessConfiguration {
  return authorizationWith({apiVersion: `${group}/${version}`, kind: 'AuthorizationConfiguration', authorizers});
}

function authorizationWith(content: unknown): AccessConfiguration {
  return {flag: 'authorization-config', content};
}

const webhook = (settings: object | undefined, name = 'w') => ({type: 'Webhook', name, ...(settings ? {webhook: settings} : {})});
const hooks = (...each: object[]) => each.map((more) => authorization('v1beta1', webhook({...hook, ...more})));
const conditions = (...each: string[][]) =>
  hooks(
    ...each.map((texts) => ({
      matchConditionSubjectAccessReviewVersion: 'v1',
      matchConditions: texts.map((expression) => ({expression})),
    })),
  );
const rbac = {type: 'RBAC', name: 'rbac'};

const authorizationCases: readonly AccessConfiguration[] = [
  ...['v1', 'v1beta1', 'v1alpha1', 'v2', 'v1beta2'].map((version) => authorization(version)),
  authorizationWith({kind: 'AuthorizationConfiguration'}),
  authorizationWith({apiVersion: `${group}/v1beta1`}),
  authorizationWith({apiVersion: `${group}/v1beta1`, kind: 'Other'}),
  authorizationWith({apiVersion: `${group}/v1beta1`, kind: 'AuthorizationConfiguration', more: 1}),
  authorizationWith({apiVersion: `${group}/v1beta1`, kind: 'AuthorizationConfiguration', authorizers: [{...rbac, order: 1}]}),
  authorization('v1beta1', {}),
  authorization('v1beta1', {}, {}),
  authorization('v1beta1', {name: 'x'}),
  authorization('v1beta1', {type: 'RBAC'}),
  authorization('v1beta1', {type: 'RBAC', name: 'other'}),
  authorization('v1beta1', {type: 'RBAC', name: 'RBAC'}),
  authorization('v1beta1', {type: 'RBAC', name: 'a b'}),
  authorization('v1beta1', {type: 'Node', name: 'nodes'}, {type: 'RBAC', name: 'roles'}),
  authorization('v1beta1', rbac, rbac),
  authorization('v1beta1', rbac, {type: 'Node', name: 'rbac'}),
  authorization('v1beta1', {...rbac, webhook: {}}),
  authorization('v1beta1', webhook(undefined)),
  authorization('v1beta1', webhook(undefined), webhook(undefined)),
  authorization('v1beta1', webhook({})),
  authorization('v1beta1', webhook({}), webhook({}, 'x')),
  authorization('v1beta1', webhook(hook), webhook(hook)),
  ...hooks(
    {},
    {timeout: '0s'},
    {timeout: '31s'},
    {timeout: '-1s'},
    {timeout: '1m'},
    {timeout: '1x'},
    {timeout: 'x'},
    {timeout: '5'},
    {authorizedTTL: '-1s'},
    {unauthorizedTTL: '-5m'},
    {unauthorizedTTL: '1y'},
    {authorizedTTL: '0s', unauthorizedTTL: '0s'},
    {subjectAccessReviewVersion: ''},
    {subjectAccessReviewVersion: 'v2'},
    {subjectAccessReviewVersion: 'v1alpha1'},
    {failurePolicy: ''},
    {failurePolicy: 'Allow'},
    {failurePolicy: 'deny'},
    {connectionInfo: {}},
    {connectionInfo: {type: 'KubeConfigFile'}},
    {connectionInfo: {type: 'KubeConfigFile', kubeConfigFile: ''}},
    {connectionInfo: {type: 'KubeConfigFile', kubeConfigFile: 'relative.yaml'}},
    {connectionInfo: {type: 'KubeConfigFile', kubeConfigFile: '/'}},
    {connectionInfo: {type: 'KubeConfigFile', kubeConfigFile: '/dev/null'}},
    {matchConditionSubjectAccessReviewVersion: 'v1beta1'},
    {matchConditionSubjectAccessReviewVersion: 'v2', matchConditions: [{expression: 'true'}]},
    {matchConditions: [{expression: 'true'}]},
    {matchConditions: [{}]},
    {matchConditions: [{expression: 'true', message: 'x'}]},
    {cacheAuthorizedRequest: true},
    {timeout: '0s', authorizedTTL: '-1s', unauthorizedTTL: '-1s', subjectAccessReviewVersion: 'x', failurePolicy: 'x', connectionInfo: {}},
  ),
  ...conditions(
    [''],
    ['  '],
    ['true', 'true'],
    ['request.user == 1'],
    ['request.foo'],
    ['request.user'],
    ['request.resourceAttributes.foo == ""'],
    ["has(request.resourceAttributes) && request.resourceAttributes.namespace == 'x'", 'request.'],
    Array.from({length: 65}, (_, index) => `request.user == 'u${index}'`),
  ),
];

/** Configurations none of which can be used, each with its faults. */
export const accessConfigurations: readonly AccessConfiguration[] = [...authenticationCases, ...authorizationCases];
