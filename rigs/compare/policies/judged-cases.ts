import {constraints, create, on, validating, type PolicyCase} from './policy-case.js';

const data = {a: '1', b: 'x'};
const every = [on('CREATE', 'UPDATE', 'DELETE')];
const held = {method: 'POST', path: 'configmaps', body: {metadata: {name: 'held'}, data: {a: '1'}}} as const;
const changed = {method: 'PATCH', path: 'configmaps/held', body: {data: {a: '2'}}} as const;
const removed = {method: 'DELETE', path: 'configmaps/held?dryRun=All'} as const;
const limits = (name: string, labels: object = {}, limit = '1') => ({
  path: 'configmaps',
  body: {metadata: {name, labels}, data: {limit}},
});
const paramKind = {apiVersion: 'v1', kind: 'ConfigMap'};
const byParam = {paramKind, validations: [{expression: 'params == null || object.data.a == params.data.limit', message: 'limited'}]};
const reader = [
  {
    path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    body: {metadata: {name: 'policy-cases'}, rules: [{apiGroups: [''], resources: ['configmaps'], verbs: ['*']}]},
  },
  {
    path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    body: {
      metadata: {name: 'policy-cases'},
      roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'policy-cases'},
      subjects: [{apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice'}],
    },
  },
];
/** Far more than a single evaluation may take. */
const dear =
  '[1,2,3,4,5,6,7,8,9].all(a, [1,2,3,4,5,6,7,8,9].all(b, [1,2,3,4,5,6,7,8,9].all(c, [1,2,3,4,5,6,7,8,9].all(d, [1,2,3,4,5,6,7,8,9].all(e, [1,2,3,4,5,6,7,8,9].all(f, [1,2,3,4,5,6,7,8,9].all(g, a + b + c + d + e + f + g > 0)))))))';

/** Single expressions that are true or not, or fail, by the object. */
const single: Readonly<Record<string, string>> = {
  'field-is': "object.data.a == '1'",
  'field-missing': "object.data.nothing == 'x'",
  'field-deep': "object.spec.nothing == 'x'",
  'field-has': 'has(object.data.a)',
  'key-missing': "object.data['nothing'] == 'x'",
  'index-out': '[1, 2][5] == 1',
  divided: 'size(object.data) / 0 == 1',
  'no-overload': 'object.data + 1 == 2',
  'no-number': 'int(object.data.b) == 1',
  'is-null': 'oldObject == null',
  'of-null': "oldObject.data.a == '1'",
  operation: "request.operation == 'UPDATE'",
  names: "request.name == 'c' && request.namespace.startsWith('case-') && request.dryRun",
  kinds:
    "request.kind.kind == 'ConfigMap' && request.resource.resource == 'configmaps' && request.requestKind.version == 'v1' && request.subResource == ''",
  who: "request.userInfo.username == 'nobody'",
  groups: "'system:masters' in request.userInfo.groups",
  'namespace-name': 'namespaceObject.metadata.name == request.namespace',
  'namespace-label': "namespaceObject.metadata.labels['team'] == 'a'",
  'namespace-uid': "namespaceObject.metadata.UID != ''",
  'namespace-phase': "namespaceObject.status.phase == 'Active'",
  'namespace-finalizers': "namespaceObject.spec.finalizers == ['kubernetes']",
  'namespace-conditions': 'namespaceObject.status.conditions.size() == 0',
  'namespace-has': 'has(namespaceObject.metadata.annotations)',
  'nested-or': "object.data.nothing == 'x' || object.data.a == '1'",
  'nested-and': "object.data.nothing == 'x' && object.data.a == '2'",
  labels: "object.metadata.labels.tier == 'front'",
  version: "object.apiVersion == 'v1' && object.kind == 'ConfigMap'",
  regex: "object.data.a.matches('^[0-9]+$')",
  'regex-fails': 'object.data.a.matches(object.data.regex)',
  lines: "object.data.a == '1' &&\n  object.data.b == 'y'",
  spaces: "  object.data.a == '2'  ",
  'too-dear': dear,
  'may-read': "authorizer.group('').resource('configmaps').namespace(request.namespace).check('get').allowed()",
  'may-do-that': "authorizer.requestResource.check('create').allowed()",
  'may-not': "authorizer.group('').resource('secrets').namespace(request.namespace).name('x').check('get').allowed()",
  'may-path': "authorizer.path('/metrics').check('get').allowed()",
  account: "authorizer.serviceAccount('default', 'default').group('').resource('pods').namespace('default').check('create').allowed()",
  'account-wrong': "authorizer.serviceAccount('default', 'Not a name').group('').resource('pods').check('create').allowed()",
  'path-empty': "authorizer.path(' ').check('get').allowed()",
  'resource-empty': "authorizer.group('').resource('').check('get').allowed()",
  reason: "authorizer.group('').resource('secrets').check('get').reason() == 'x'",
  'no-error':
    "!authorizer.group('').resource('secrets').check('get').errored() && authorizer.group('').resource('secrets').check('get').error() == ''",
  'two-checks':
    "authorizer.group('').resource('pods').check('get').allowed() || authorizer.group('').resource('configmaps').check('get').allowed()",
  'three-checks':
    "authorizer.group('').resource('pods').check('a').allowed() || authorizer.group('').resource('pods').check('b').allowed() || authorizer.group('').resource('pods').check('c').allowed()",
  'checks-in-list': "['a', 'b', 'c', 'd'].all(v, !authorizer.group('').resource('pods').check(v).allowed())",
};

const bySingle = Object.entries(single).map(([name, expression]) =>
  validating(name, {validations: [{expression}]}, [create(data), create(data, 'alice')]),
);

/** Policies that judge requests. */
export const judgedCases: readonly PolicyCase[] = [
  validating('first', {validations: [{expression: 'true'}]}, [create(data)], {setup: reader}),
  ...bySingle,
  validating(
    'ignored',
    {failurePolicy: 'Ignore', validations: [{expression: "object.data.nothing == 'x'"}, {expression: "object.data.a == '2'"}]},
    [create(data), create({a: '2'})],
  ),
  validating(
    'messages',
    {
      validations: [
        {expression: "object.data.a != '1'", message: ' one '},
        {expression: "object.data.a != '2'", reason: 'Forbidden'},
        {expression: "object.data.a != '3'", reason: 'RequestEntityTooLarge', message: 'large'},
        {expression: "object.data.a != '4'", reason: 'Unauthorized', message: 'who'},
        {expression: "object.data.a != '5'", messageExpression: "'it is ' + object.data.a", message: 'not this'},
        {expression: "object.data.a != '6'", messageExpression: "object.data.nothing + ''", message: 'instead'},
        {expression: "object.data.a != '7'", messageExpression: "'two\\nlines'"},
        {expression: "object.data.a != '8'", messageExpression: "'  '"},
        {expression: "object.data.a != '9'", messageExpression: "' trimmed '"},
      ],
    },
    ['1', '2', '3', '4', '5', '6', '7', '8', '9'].map((a) => create({a})),
  ),
  validating(
    'all-of-them',
    {validations: [{expression: 'false', message: 'one'}, {expression: 'object.x == 1'}, {expression: 'false', message: 'three'}]},
    [create(data)],
    {
      bindings: [{validationActions: ['Warn', 'Audit']}],
    },
  ),
  validating('audited', {validations: [{expression: 'false', message: 'noted'}]}, [create(data)], {
    bindings: [{validationActions: ['Audit']}],
  }),
  validating('denied-and-audited', {validations: [{expression: 'false', message: 'noted'}]}, [create(data)], {
    bindings: [{validationActions: ['Audit', 'Deny']}],
  }),
  validating(
    'warned',
    {validations: [{expression: "object.data.a == '2'", messageExpression: "'a is ' + object.data.a"}]},
    [create(data), create({a: '2'})],
    {
      bindings: [{validationActions: ['Warn']}],
    },
  ),
  validating('two-bindings', {validations: [{expression: 'false', message: 'no'}]}, [create(data)], {
    bindings: [{validationActions: ['Warn']}, {validationActions: ['Deny']}],
  }),
  validating(
    'annotated',
    {
      auditAnnotations: [
        {key: 'size', valueExpression: "'size ' + string(object.data.size())"},
        {key: 'none', valueExpression: "has(object.spec) ? 'x' : null"},
        {key: 'blank', valueExpression: "' '"},
        {
          key: 'long',
          valueExpression:
            "[1,2,3,4,5,6,7,8,9,10,11,12].map(i, '0123456789'.split('').map(j, '0123456789'.split('').map(k, '0123456789').join('')).join('')).join('')",
        },
      ],
    },
    [create(data)],
  ),
  validating('annotation-fails', {auditAnnotations: [{key: 'a', valueExpression: "object.data.nothing + ''"}]}, [create(data)], {
    bindings: [{validationActions: ['Audit']}],
  }),
  validating('annotation-ignored', {failurePolicy: 'Ignore', auditAnnotations: [{key: 'a', valueExpression: "object.data.nothing + ''"}]}, [
    create(data),
  ]),
  validating('annotation-and-denial', {validations: [{expression: 'false'}], auditAnnotations: [{key: 'a', valueExpression: "'seen'"}]}, [
    create(data),
  ]),
  validating(
    'conditions',
    {
      matchConditions: [
        {name: 'a', expression: "object.data.a == '1'"},
        {name: 'b', expression: "object.data.b == 'x'"},
      ],
      validations: [{expression: 'false', message: 'selected'}],
    },
    [create(data), create({a: '1', b: 'y'}), create({a: '2'}), create({a: '1'}), create({})],
  ),
  validating(
    'conditions-fail',
    {
      matchConditions: [
        {name: 'a', expression: "object.data.x == '1'"},
        {name: 'b', expression: "object.data.y == 'x'"},
      ],
      validations: [{expression: 'true'}],
    },
    [create(data), create({x: '1'}), create({x: '2'})],
  ),
  validating(
    'conditions-ignored',
    {
      failurePolicy: 'Ignore',
      matchConditions: [{name: 'a', expression: "object.data.x == '1'"}],
      validations: [{expression: 'false'}],
    },
    [create(data), create({x: '1'})],
  ),
  validating(
    'conditions-namespace',
    {
      matchConditions: [{name: 'a', expression: "namespaceObject.metadata.name != ''"}],
      validations: [{expression: 'false'}],
    },
    [create(data)],
  ),
  validating(
    'conditions-authorizer',
    {
      matchConditions: [{name: 'a', expression: "!authorizer.group('').resource('secrets').check('get').allowed()"}],
      validations: [{expression: 'false', message: 'not you'}],
    },
    [create(data), create(data, 'alice')],
  ),
  validating(
    'conditions-warned',
    {matchConditions: [{name: 'a', expression: 'object.x == 1'}], validations: [{expression: 'true'}]},
    [create(data)],
    {
      bindings: [{validationActions: ['Warn', 'Audit']}],
    },
  ),
  validating(
    'variables',
    {
      variables: [
        {name: 'a', expression: "'a' in object.data ? int(object.data.a) : 0"},
        {name: 'twice', expression: 'variables.a * 2'},
        {name: 'bad', expression: 'object.data.nothing'},
        {name: 'unused', expression: '1 / 0'},
      ],
      validations: [
        {expression: 'variables.twice < 10', messageExpression: "'twice is ' + string(variables.twice)"},
        {expression: "variables.a != 3 || variables.bad == 'x'"},
        {expression: 'variables.a != 4 || has(variables.bad) || true'},
      ],
    },
    ['1', '3', '4', '7', 'x'].map((a) => create({a})),
  ),
  validating(
    'variables-dear',
    {variables: [{name: 'a', expression: dear}], validations: [{expression: 'true || variables.a'}, {expression: 'variables.a'}]},
    [create(data)],
  ),
  validating(
    'variables-namespace',
    {
      variables: [{name: 'team', expression: "namespaceObject.metadata.?labels.?team.orValue('none')"}],
      validations: [{expression: "variables.team == 'x'", messageExpression: "'team ' + variables.team"}],
    },
    [create(data)],
  ),
  validating(
    'variables-authorizer',
    {
      variables: [{name: 'isAdmin', expression: "authorizer.path('/x').check('get').allowed()"}],
      validations: [{expression: 'variables.isAdmin', message: 'only administrators'}],
    },
    [create(data), create(data, 'alice')],
  ),
  validating(
    'operations',
    {
      matchConstraints: constraints('operations', ...every),
      validations: [
        {expression: "request.operation != 'DELETE' || oldObject.data.a == '3'", messageExpression: "'kept: ' + oldObject.data.a"},
        {expression: "request.operation != 'UPDATE' || object.data.a == oldObject.data.a", message: 'fixed'},
        {expression: "request.operation != 'DELETE' || object == null"},
      ],
    },
    [held, changed, removed],
  ),
  validating('param-named', byParam, [create({a: '1'}), create({a: '2'})], {
    setup: [limits('limit')],
    bindings: [{validationActions: ['Deny'], paramRef: {name: 'limit', parameterNotFoundAction: 'Deny'}}],
  }),
  validating('param-missing', byParam, [create({a: '1'})], {
    bindings: [{validationActions: ['Deny'], paramRef: {name: 'limit', parameterNotFoundAction: 'Deny'}}],
  }),
  validating('param-missing-warned', byParam, [create({a: '1'})], {
    bindings: [{validationActions: ['Warn'], paramRef: {name: 'limit', parameterNotFoundAction: 'Deny'}}],
  }),
  validating('param-missing-ignored', {...byParam, failurePolicy: 'Ignore'}, [create({a: '1'})], {
    bindings: [{validationActions: ['Deny'], paramRef: {name: 'limit', parameterNotFoundAction: 'Deny'}}],
  }),
  validating('param-allowed', byParam, [create({a: '1'})], {
    bindings: [{validationActions: ['Deny'], paramRef: {name: 'limit', parameterNotFoundAction: 'Allow'}}],
  }),
  validating('param-none', byParam, [create({a: '1'})]),
  validating('param-selected', byParam, [create({a: '1'}), create({a: '2'}), create({a: '3'})], {
    setup: [limits('one', {use: 'yes'}), limits('two', {use: 'yes'}), limits('other', {}, '3')],
    bindings: [{validationActions: ['Deny'], paramRef: {selector: {matchLabels: {use: 'yes'}}, parameterNotFoundAction: 'Deny'}}],
  }),
  validating('param-none-selected', byParam, [create({a: '1'})], {
    bindings: [{validationActions: ['Deny'], paramRef: {selector: {matchLabels: {use: 'yes'}}, parameterNotFoundAction: 'Deny'}}],
  }),
  validating('param-elsewhere', byParam, [create({a: '1'}), create({a: '2'})], {
    setup: [limits('limit')],
    bindings: [
      {validationActions: ['Deny'], paramRef: {name: 'limit', namespace: 'case-param-elsewhere', parameterNotFoundAction: 'Deny'}},
    ],
  }),
  validating(
    'param-unknown',
    {paramKind: {apiVersion: 'unknown.example/v1', kind: 'Thing'}, validations: [{expression: 'true'}]},
    [create(data)],
    {
      bindings: [{validationActions: ['Deny'], paramRef: {name: 'x', parameterNotFoundAction: 'Allow'}}],
    },
  ),
  validating(
    'param-of-cluster',
    {paramKind: {apiVersion: 'v1', kind: 'Namespace'}, validations: [{expression: "params.metadata.name == 'default'"}]},
    [create(data)],
    {
      bindings: [{validationActions: ['Deny'], paramRef: {name: 'default', parameterNotFoundAction: 'Deny'}}],
    },
  ),
  validating(
    'param-in-namespace',
    {paramKind: {apiVersion: 'v1', kind: 'Namespace'}, validations: [{expression: 'true'}]},
    [create(data)],
    {
      bindings: [{validationActions: ['Deny'], paramRef: {name: 'default', namespace: 'default', parameterNotFoundAction: 'Deny'}}],
    },
  ),
  validating(
    'param-kind',
    {paramKind, validations: [{expression: "params.kind == 'ConfigMap' && params.apiVersion == 'v1' && has(params.metadata.uid)"}]},
    [create(data)],
    {
      setup: [limits('limit')],
      bindings: [{validationActions: ['Deny'], paramRef: {name: 'limit', parameterNotFoundAction: 'Deny'}}],
    },
  ),
  validating(
    'param-condition',
    {
      paramKind,
      matchConditions: [{name: 'a', expression: 'object.data.a == params.data.limit'}],
      validations: [{expression: 'false', message: 'the same'}],
    },
    [create({a: '1'}), create({a: '2'})],
    {
      setup: [limits('limit')],
      bindings: [{validationActions: ['Deny'], paramRef: {name: 'limit', parameterNotFoundAction: 'Deny'}}],
    },
  ),
];
