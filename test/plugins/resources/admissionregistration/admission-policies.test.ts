import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {causesOf, faultyFields, servedGroup, tableRows} from '../served-group.js';

const client = servedGroup(test, {runtimeConfig: {'admissionregistration.orch/v1alpha1': true}});
const url = (plural: string) => `/apis/admissionregistration.orch/v1alpha1/${plural}`;
const policies = 'validatingadmissionpolicies';
const bindings = 'validatingadmissionpolicybindings';
const rule = {operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments']};
const spec = {matchConstraints: {resourceRules: [rule]}, validations: [{expression: 'object.spec.replicas < 5'}]};

async function faults(plural: string, members: object): Promise<string[]> {
  return faultyFields(await client().post(url(plural), {metadata: {name: 'bad'}, spec: members})).map((field) =>
    field.replace('spec.', ''),
  );
}

test('policies are off until --runtime-config turns them on', async (t) => {
  await using server = await startTestServer();
  t.is((await server.client.get(url(policies))).status, 404);
  t.is((await client().get(url(policies))).status, 200);
});

test('a policy is filled in and shown', async (t) => {
  const made = await client().post(url(policies), {
    metadata: {name: 'small'},
    spec: {...spec, paramKind: {apiVersion: 'rules.example/v1', kind: 'Limit'}},
  });
  t.is(made.status, 201);
  t.like(made.json<object>(), {
    metadata: {generation: 1},
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {}, resourceRules: [{scope: '*'}]},
    },
  });
  t.like((await tableRows(client(), `${url(policies)}/small`))[0], {Validations: 1, ParamKind: 'rules.example/v1/Limit'});
});

test('a policy says what it is for and what must hold', async (t) => {
  t.deepEqual(await faults(policies, {failurePolicy: 'Retry'}), ['failurePolicy', 'matchConstraints', 'validations']);
  t.deepEqual(await faults(policies, {...spec, matchConstraints: {}}), ['matchConstraints.resourceRules']);
  t.deepEqual(await faults(policies, {...spec, paramKind: {}}), ['paramKind.apiVersion', 'paramKind.kind']);
  t.deepEqual(await faults(policies, {...spec, paramKind: {apiVersion: 'Bad Group/1v', kind: '9'}}), [
    'paramKind.apiVersion',
    'paramKind.apiVersion',
    'paramKind.kind',
  ]);
  t.deepEqual(await faults(policies, {...spec, paramKind: {apiVersion: 'a/b/c', kind: 'K'}}), ['paramKind.apiVersion']);
  const match = {matchPolicy: 'Roughly', excludeResourceRules: [{...rule, resourceNames: ['a', 'a', 'b/c']}], resourceRules: [{}]};
  t.deepEqual(await faults(policies, {...spec, matchConstraints: match}), [
    'matchConstraints.matchPolicy',
    'matchConstraints.resourceRules[0].operations',
    'matchConstraints.resourceRules[0].apiGroups',
    'matchConstraints.resourceRules[0].apiVersions',
    'matchConstraints.resourceRules[0].resources',
    'matchConstraints.excludeResourceRules[0].resourceNames[1]',
    'matchConstraints.excludeResourceRules[0].resourceNames[2]',
  ]);
});

test('an expression has a message of one line, and needs one when it has several', async (t) => {
  const check = async (validation: object) =>
    (await faults(policies, {...spec, validations: [validation]})).map((field) => field.replace('validations[0].', ''));
  t.deepEqual(await check({expression: '  '}), ['expression']);
  t.deepEqual(await check({expression: 'true', message: ' '}), ['message']);
  t.deepEqual(await check({expression: 'true', message: 'a\nb'}), ['message']);
  t.deepEqual(await check({expression: 'true &&\ntrue'}), ['message']);
  t.deepEqual(await check({expression: 'true', reason: 'Mood'}), ['reason']);
});

test('an expression that cannot be read is refused, with all others', async (t) => {
  const expressions = ['object.', 'object.spec.replicas < 5', "'open", 'quantity(object.a).isGreaterThan(quantity("1"))', '1 +'];
  const response = await client().post(url(policies), {
    metadata: {name: 'bad'},
    spec: {...spec, validations: expressions.map((expression) => ({expression}))},
  });
  t.deepEqual(
    faultyFields(response),
    // Kubernetes 1.26 has no quantities.
    [0, 2, 3, 4].map((index) => `spec.validations[${index}].expression`),
  );
  t.regex(causesOf(response)[0]!, /^spec\.validations\[0\]\.expression: Invalid value: "object\.": compilation failed: /);
});

test('a binding names its policy', async (t) => {
  t.deepEqual(await faults(bindings, {paramRef: {}}), ['policyName', 'paramRef.name']);
  t.deepEqual(await faults(bindings, {policyName: 'Not_Valid!'}), ['policyName']);
  t.deepEqual(await faults(bindings, {policyName: 'a/b', matchResources: {matchPolicy: 'Roughly'}}), [
    'policyName',
    'matchResources.matchPolicy',
  ]);
  t.is(
    (
      await client().post(url(bindings), {
        metadata: {name: 'bound'},
        spec: {policyName: 'small', paramRef: {name: 'p', namespace: 'ns'}, matchResources: {resourceRules: [rule]}},
      })
    ).status,
    201,
  );
  t.like((await tableRows(client(), `${url(bindings)}/bound`))[0], {PolicyName: 'small', ParamRef: 'ns/p'});
  t.is((await client().patch(`${url(bindings)}/bound`, {spec: {paramRef: null}})).status, 200);
  t.like((await tableRows(client(), `${url(bindings)}/bound`))[0], {ParamRef: '<unset>'});
});

test('who writes a policy may read the objects that it takes its parameters from, all of them; who binds it the one that is named', async (t) => {
  const rbac = '/apis/rbac.authorization.orch/v1';
  const grant = async (user: string, rules: object[]) => {
    t.is((await client().post(`${rbac}/clusterroles`, {metadata: {name: user}, rules})).status, 201);
    const roleRef = {apiGroup: 'rbac.authorization.orch', kind: 'ClusterRole', name: user};
    t.is(
      (await client().post(`${rbac}/clusterrolebindings`, {metadata: {name: user}, roleRef, subjects: [{kind: 'User', name: user}]}))
        .status,
      201,
    );
  };
  const write = {apiGroups: ['admissionregistration.orch'], resources: ['*'], verbs: ['*']};
  await grant('writer', [write]);
  await grant('reader', [write, {apiGroups: [''], resources: ['configmaps'], verbs: ['get']}]);
  await grant('reader-of-one', [write, {apiGroups: [''], resources: ['configmaps'], resourceNames: ['limits'], verbs: ['get']}]);
  const as = (user: string) => ({headers: {'impersonate-user': user}});
  const policy = (name: string, kind?: string) => ({
    metadata: {name},
    spec: {...spec, ...(kind ? {paramKind: {apiVersion: 'v1', kind}} : {})},
  });

  for (const user of ['writer', 'reader-of-one']) {
    const refused = await client().post(url(policies), policy('with-params', 'ConfigMap'), as(user));
    t.deepEqual(causesOf(refused), [
      `spec.paramKind: Forbidden: user "${user}" must have "get" permission on all objects of the referenced paramKind (kind=ConfigMap, apiVersion=v1)`,
    ]);
  }
  t.is((await client().post(url(policies), policy('without-params'), as('writer'))).status, 201);
  t.is((await client().post(url(policies), policy('with-params', 'ConfigMap'), as('reader'))).status, 201);
  t.is((await client().patch(`${url(policies)}/with-params`, {spec: {failurePolicy: 'Ignore'}}, undefined, as('writer'))).status, 200);
  t.deepEqual(
    faultyFields(await client().patch(`${url(policies)}/with-params`, {spec: {paramKind: {kind: 'Secret'}}}, undefined, as('reader'))),
    ['spec.paramKind'],
  );

  const bind = (user: string, name: string) =>
    client().post(
      `${url(bindings)}?dryRun=All`,
      {metadata: {name: 'with-params'}, spec: {policyName: 'with-params', paramRef: {name, namespace: 'default'}}},
      as(user),
    );
  t.deepEqual(faultyFields(await bind('writer', 'limits')), ['spec.paramRef']);
  t.deepEqual(faultyFields(await bind('reader-of-one', 'others')), ['spec.paramRef']);
  for (const user of ['reader', 'reader-of-one']) t.is((await bind(user, 'limits')).status, 201, user);
  t.is(
    (await client().post(`${url(bindings)}?dryRun=All`, {metadata: {name: 'bare'}, spec: {policyName: 'with-params'}}, as('writer')))
      .status,
    201,
  );
});

test('policies in v1alpha1 are not deprecated', async (t) => {
  await using server = await startTestServer({platform: 'kubernetes', release: '1.30', runtimeConfig: {'api/all': true}});
  const {headers} = await server.client.get('/apis/admissionregistration.k8s.io/v1alpha1/validatingadmissionpolicies');
  t.is(headers['warning'], undefined);
});
