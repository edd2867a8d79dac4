import test from 'ava';
import {kubernetes} from '../../../../core/api/naming/kubernetes.js';
import {encodeObject, openEnvelope} from '../../../../core/api/protobuf/envelope.js';
import {decodeCarried} from '../../../helpers/decode-carried.js';
import {rulesStatus} from '../../../../plugins/resources/authorization/rules-status.js';
import {startTestServer} from '@orch-api/orch/testing';
import type {ApiObject, JsonObject} from '@orch-api/orch/sdk';
import {eventually} from '../../../helpers/eventually.js';
import {userClient} from '../../../helpers/user-client.js';
import {builtInCatalog} from '../../../core/api/schema/catalog-fixture.js';
import {Roles, user} from '../../authorizers/rbac/roles.js';
import {causesOf, faultyFields, servedGroup} from '../served-group.js';

const client = servedGroup(test);
const base = '/apis/authorization.orch/v1';
const local = `${base}/namespaces/default/localsubjectaccessreviews`;
const pods = {verb: 'get', resource: 'pods', namespace: 'default'};
interface RulesStatus {
  resourceRules: {verbs: string[]; apiGroups: string[]; resources: string[]; resourceNames?: string[]}[];
  nonResourceRules: {verbs: string[]; nonResourceURLs: string[]}[];
  incomplete: boolean;
  evaluationError?: string;
}
interface Answer {
  status: {allowed: boolean; reason?: string};
}

test('a caller learns what it may do, a subject what others may', async (t) => {
  const allowed = async (path: string, spec: object) => {
    const response = await client().post(path, {spec});
    t.is(response.status, 201);
    return response.json<Answer>().status.allowed;
  };
  t.true(await allowed(`${base}/selfsubjectaccessreviews`, {resourceAttributes: pods}));
  t.true(await allowed(`${base}/selfsubjectaccessreviews`, {nonResourceAttributes: {path: '/metrics', verb: 'get'}}));
  for (const path of [`${base}/subjectaccessreviews`, local]) {
    t.false(await allowed(path, {user: 'jo', resourceAttributes: pods}));
    t.true(await allowed(path, {user: 'jo', groups: ['system:masters'], resourceAttributes: pods}));
  }
  t.is((await client().get(`${base}/selfsubjectaccessreviews`)).status, 405);
});

test('[A-SVC-6] the decision about a subject is in the answer, and the review needs no name', async (t) => {
  const review = {spec: {user: 'jo', groups: ['system:masters'], resourceAttributes: pods}};
  for (const body of [review, {apiVersion: 'authorization.orch/v1', kind: 'SubjectAccessReview', metadata: {}, ...review}]) {
    const response = await client().post(`${base}/subjectaccessreviews`, body);
    t.is(response.status, 201);
    const answer = response.json<Answer & ApiObject>();
    t.is(answer.kind, 'SubjectAccessReview');
    t.true(answer.status.allowed);
    t.falsy(answer.metadata.name);
  }
});

test('[A-SVC-7] a review is not kept: it is neither read, listed, watched nor deleted', async (t) => {
  const collection = `${base}/subjectaccessreviews`;
  const sent = await client().post(collection, {spec: {user: 'jo', resourceAttributes: pods}});
  t.is(sent.status, 201);
  // What is not stored has neither version nor identity.
  const {uid, resourceVersion} = sent.json<ApiObject>().metadata;
  t.deepEqual([uid, resourceVersion], [undefined, undefined]);
  const answers = await Promise.all([
    client().get(collection),
    client().get(`${collection}?watch=1&timeoutSeconds=1`),
    client().delete(collection),
    client().get(`${collection}/jo`),
    client().delete(`${collection}/jo`),
  ]);
  t.deepEqual(
    answers.map(({status}) => status),
    [405, 405, 405, 405, 405],
  );
  const {resources} = (await client().get(base)).json<{resources: {name: string; verbs: string[]}[]}>();
  t.deepEqual(resources.find(({name}) => name === 'subjectaccessreviews')?.verbs, ['create']);
});

test('a review asks one question about somebody', async (t) => {
  const review = (spec: object, metadata: object = {}) => client().post(`${base}/subjectaccessreviews`, {metadata, spec});
  const both = {user: 'jo', resourceAttributes: pods, nonResourceAttributes: {path: '/', verb: 'get'}};
  t.deepEqual(faultyFields(await review({})), ['spec.resourceAttributes', 'spec.user']);
  t.deepEqual(faultyFields(await review(both)), ['spec.nonResourceAttributes']);
  t.deepEqual(causesOf(await review({user: 'jo', resourceAttributes: pods}, {name: 'x'})), [
    'metadata: Invalid value: {"name":"x"}: must be empty',
  ]);
  t.deepEqual(faultyFields(await client().post(`${base}/selfsubjectaccessreviews`, {metadata: {labels: {a: 'b'}}, spec: {}})), [
    'spec.resourceAttributes',
    'metadata',
  ]);
});

test('a local review stays in its namespace', async (t) => {
  t.deepEqual(faultyFields(await client().post(local, {spec: {user: 'jo', resourceAttributes: {...pods, namespace: 'other'}}})), [
    'spec.resourceAttributes.namespace',
  ]);
  t.deepEqual(faultyFields(await client().post(local, {spec: {user: 'jo', nonResourceAttributes: {path: '/', verb: 'get'}}})), [
    'spec.nonResourceAttributes',
  ]);
  t.is((await client().post(local, {metadata: {namespace: 'other'}, spec: {user: 'jo', resourceAttributes: pods}})).status, 400);
  const answer = await client().post(local, {metadata: {namespace: 'default'}, spec: {user: 'jo', resourceAttributes: pods}});
  t.like(answer.json<object>(), {metadata: {namespace: 'default'}, status: {allowed: false}});
});

test('kubectl may send and read a review in the binary form', async (t) => {
  await using server = await startTestServer({platform: 'kubernetes'});
  const kind = {group: 'authorization.k8s.io', version: 'v1', kind: 'SelfSubjectAccessReview'};
  const {node} = builtInCatalog(kubernetes).schema('authorization.orch/v1#/definitions/SelfSubjectAccessReview');
  const body = encodeObject({metadata: {}, spec: {resourceAttributes: pods}, status: {allowed: false}} as JsonObject, kind, node);
  const type = 'application/vnd.kubernetes.protobuf';
  const response = await server.client.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', body, {
    headers: {'content-type': type, accept: type},
  });
  t.is(response.status, 201);
  t.like(decodeCarried(openEnvelope(response.body), node), {spec: {resourceAttributes: {verb: 'get'}}, status: {allowed: true}});
});

test('an administrator may do everything, and the rules say so completely', async (t) => {
  const response = await client().post(`${base}/selfsubjectrulesreviews`, {spec: {namespace: 'default'}});
  t.is(response.status, 201);
  t.deepEqual(response.json<{status: object}>().status, {
    resourceRules: [{verbs: ['*'], apiGroups: ['*'], resources: ['*']}],
    nonResourceRules: [{verbs: ['*'], nonResourceURLs: ['*']}],
    incomplete: false,
  });
  t.is((await client().post(`${base}/selfsubjectrulesreviews`, {spec: {}})).status, 400);
});

test('the rules of roles are all that there is: the answer is complete', async (t) => {
  await using server = await startTestServer();
  const roles = new Roles(t, server);
  await roles.clusterRole('looks', [
    {verbs: ['get', 'list'], apiGroups: ['apps'], resources: ['deployments', 'deployments/scale'], resourceNames: ['web']},
    {verbs: ['get'], nonResourceURLs: ['/metrics', '/logs/*']},
  ]);
  await roles.bindCluster('looks', user('rita'));
  await roles.role('default', 'writes', [{verbs: ['*'], apiGroups: [''], resources: ['configmaps']}]);
  await roles.bind('default', 'Role', 'writes', user('rita'));
  await roles.bind('default', 'Role', 'gone', user('rita'));
  const rita = await userClient(t, server, 'rita');
  const rulesIn = async (namespace: string) =>
    (await rita.post(`${base}/selfsubjectrulesreviews`, {spec: {namespace}})).json<{status: RulesStatus}>().status;
  const status = await eventually(
    () => rulesIn('default'),
    ({evaluationError}) => evaluationError !== undefined,
  );
  t.false(status.incomplete);
  t.is(status.evaluationError, 'role.rbac.authorization.orch "gone" not found');
  const looks = {verbs: ['get', 'list'], apiGroups: ['apps'], resources: ['deployments', 'deployments/scale'], resourceNames: ['web']};
  const writes = {verbs: ['*'], apiGroups: [''], resources: ['configmaps']};
  const named = ({resources}: {resources: string[]}) => ['deployments', 'configmaps'].includes(resources[0]!);
  t.deepEqual(status.resourceRules.filter(named), [looks, writes]);
  t.deepEqual(
    status.nonResourceRules.find(({nonResourceURLs}) => nonResourceURLs.includes('/metrics')),
    {verbs: ['get'], nonResourceURLs: ['/metrics', '/logs/*']},
  );
  const elsewhere = await rulesIn('other');
  t.deepEqual(elsewhere.resourceRules.filter(named), [looks]);
  t.false(elsewhere.incomplete);
  t.is(elsewhere.evaluationError, undefined);
});

test('rules beyond what an answer lists are left out, and the answer says so', (t) => {
  const rule = {verbs: ['get'], apiGroups: [''], resources: ['x'.repeat(100_000)]};
  const status = rulesStatus({resourceRules: Array.from({length: 20}, () => rule), nonResourceRules: [], incomplete: false}) as RulesStatus;
  t.is(status.resourceRules.length, 10);
  t.true(status.incomplete);
  t.is(status.evaluationError, 'there are more rules than an answer lists');
});
