import test from 'ava';
import {startTestServer} from '../../../../sdk/testing/index.js';
import {faultyFields, servedGroup, tableRows} from '../served-group.js';

const client = servedGroup(test, {runtimeConfig: {'admissionregistration.orch/v1alpha1': true}});
const url = (plural: string) => `/apis/admissionregistration.orch/v1alpha1/${plural}`;
const policies = 'validatingadmissionpolicies';
const bindings = 'validatingadmissionpolicybindings';
const rule = {operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments']};
const spec = {matchConstraints: {resourceRules: [rule]}, validations: [{expression: 'object.spec.replicas < 5'}]};

async function faults(plural: string, members: object): Promise<string[]> {
  return faultyFields(await client().post(url(plural), {metadata: {name: 'bad'}, spec: members})).map((field) => field.replace('spec.', ''));
}

test('policies are off until --runtime-config turns them on', async (t) => {
  await using server = await startTestServer();
  t.is((await server.client.get(url(policies))).status, 404);
  t.is((await client().get(url(policies))).status, 200);
});

test('a policy is filled in and shown', async (t) => {
  const made = await client().post(url(policies), {metadata: {name: 'small'}, spec: {...spec, paramKind: {apiVersion: 'rules.example/v1', kind: 'Limit'}}});
  t.is(made.status, 201);
  t.like(made.json<object>(), {
    metadata: {generation: 1},
    spec: {failurePolicy: 'Fail', matchConstraints: {matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {}, resourceRules: [{scope: '*'}]}},
  });
  t.like((await tableRows(client(), `${url(policies)}/small`))[0], {Validations: 1, ParamKind: 'rules.example/v1/Limit'});
});

test('a policy says what it is for and what must hold', async (t) => {
  t.deepEqual(await faults(policies, {failurePolicy: 'Retry'}), ['failurePolicy', 'matchConstraints', 'validations']);
  t.deepEqual(await faults(policies, {...spec, matchConstraints: {}}), ['matchConstraints.resourceRules']);
  t.deepEqual(await faults(policies, {...spec, paramKind: {}}), ['paramKind.apiVersion', 'paramKind.kind']);
  t.deepEqual(await faults(policies, {...spec, paramKind: {apiVersion: 'Bad Group/1v', kind: '9'}}), ['paramKind.apiVersion', 'paramKind.apiVersion', 'paramKind.kind']);
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
  const check = async (validation: object) => (await faults(policies, {...spec, validations: [validation]})).map((field) => field.replace('validations[0].', ''));
  t.deepEqual(await check({expression: '  '}), ['expression']);
  t.deepEqual(await check({expression: 'true', message: ' '}), ['message']);
  t.deepEqual(await check({expression: 'true', message: 'a\nb'}), ['message']);
  t.deepEqual(await check({expression: 'true &&\ntrue'}), ['message']);
  t.deepEqual(await check({expression: 'true', reason: 'Mood'}), ['reason']);
});

test('a binding names its policy', async (t) => {
  t.deepEqual(await faults(bindings, {paramRef: {}}), ['policyName', 'paramRef.name']);
  t.deepEqual(await faults(bindings, {policyName: 'a/b', matchResources: {matchPolicy: 'Roughly'}}), ['policyName', 'matchResources.matchPolicy']);
  t.is((await client().post(url(bindings), {metadata: {name: 'bound'}, spec: {policyName: 'small', paramRef: {name: 'p', namespace: 'ns'}, matchResources: {resourceRules: [rule]}}})).status, 201);
  t.like((await tableRows(client(), `${url(bindings)}/bound`))[0], {PolicyName: 'small', ParamRef: 'ns/p'});
  t.is((await client().patch(`${url(bindings)}/bound`, {spec: {paramRef: null}})).status, 200);
  t.like((await tableRows(client(), `${url(bindings)}/bound`))[0], {ParamRef: '<unset>'});
});
