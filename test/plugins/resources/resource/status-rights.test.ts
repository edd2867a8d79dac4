import test from 'ava';
import {causesOf, servedGroup} from '../served-group.js';

const newest = servedGroup(test, {release: '1.36', platform: 'kubernetes'});
const older = servedGroup(test, {release: '1.35', platform: 'kubernetes'});
const claims = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
const roles = '/apis/rbac.authorization.k8s.io/v1';
const group = 'resource.k8s.io';
const device = {driver: 'd.example.com', pool: 'p', device: 'one'};
const allocation = {devices: {results: [{request: 'r', ...device}]}};
const onNode = {
  ...allocation,
  nodeSelector: {nodeSelectorTerms: [{matchFields: [{key: 'metadata.name', operator: 'In', values: ['n1']}]}]},
};
const account = 'system:serviceaccount:default:driver';
const shown = (user: string) => `User ${JSON.stringify(user)}`;

type Client = ReturnType<typeof newest>;

/** Lets a user do something, and returns what asks as that user. */
async function userWith(client: Client, user: string, ...rules: object[]) {
  const all = [{apiGroups: [group], resources: ['resourceclaims', 'resourceclaims/status'], verbs: ['*']}, ...rules];
  const name = user.replaceAll(':', '-');
  await client.post(`${roles}/clusterroles`, {metadata: {name}, rules: all});
  const subjects = [{kind: 'User', name: user, apiGroup: 'rbac.authorization.k8s.io'}];
  const roleRef = {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name};
  await client.post(`${roles}/clusterrolebindings`, {metadata: {name}, roleRef, subjects});
  return (claim: string, status: object, headers: Record<string, string> = {}) =>
    client.patch(`${claims}/${claim}/status`, {status}, undefined, {headers: {'impersonate-user': user, ...headers}});
}

async function claimNamed(client: Client, name: string, status?: object): Promise<void> {
  const spec = {devices: {requests: [{name: 'r', exactly: {deviceClassName: 'x'}}]}};
  const made = await client.post(claims, {metadata: {name}, spec});
  if (made.status !== 201) throw new Error(made.body.toString());
  if (status) await client.patch(`${claims}/${name}/status`, {status});
}

test('what is allocated to a claim changes with a right to resourceclaims/binding', async (t) => {
  const client = newest();
  await claimNamed(client, 'bound');
  const alice = await userWith(client, 'alice');
  const wanted = 'changing status.allocation or status.reservedFor requires resource="resourceclaims/binding", verb="patch" permission';
  const cannot = `${shown('alice')} cannot patch resource "resourceclaims/binding" in API group "${group}" at the cluster scope`;
  t.deepEqual(causesOf(await alice('bound', {allocation})), [
    `status.allocation: Forbidden: ${wanted}: resourceclaims.${group} is forbidden: ${cannot}`,
  ]);
  const binder = await userWith(client, 'binder', {apiGroups: [group], resources: ['resourceclaims/binding'], verbs: ['patch']});
  t.is((await binder('bound', {allocation})).status, 200);
  t.is((await alice('bound', {allocation})).status, 200, 'nothing changes');
  // What was said of devices goes with them.
  t.is((await client.patch(`${claims}/bound/status`, {status: {devices: [{...device, data: {a: 1}}]}})).status, 200);
  const freed = await binder('bound', {allocation: null, reservedFor: null, devices: null});
  t.is(freed.status, 200, freed.body.toString());
});

test('what a driver says of its devices changes with a right to resourceclaims/driver under its name', async (t) => {
  const client = newest();
  await claimNamed(client, 'driven', {allocation});
  const alice = await userWith(client, 'anna');
  const wanted = 'changing status.devices requires resource="resourceclaims/driver", verb="[arbitrary-node:patch]" permission';
  const cannot = `${shown('anna')} cannot arbitrary-node:patch resource "resourceclaims/driver" in API group "${group}" in the namespace "default"`;
  const devices = [{...device, data: {a: 1}}];
  t.deepEqual(causesOf(await alice('driven', {devices})), [
    `status.devices: Forbidden: ${wanted}: resourceclaims.${group} "d.example.com" is forbidden: ${cannot}`,
  ]);
  const rule = {
    apiGroups: [group],
    resources: ['resourceclaims/driver'],
    resourceNames: ['d.example.com'],
    verbs: ['arbitrary-node:patch'],
  };
  const driver = await userWith(client, 'driver', rule);
  t.is((await driver('driven', {devices})).status, 200);
});

test('an account of the node that devices were allocated on needs the right for that node alone', async (t) => {
  const client = newest();
  await claimNamed(client, 'near', {allocation: onNode});
  const rule = {apiGroups: [group], resources: ['resourceclaims/driver'], verbs: ['associated-node:patch']};
  const driver = await userWith(client, account, rule);
  const from = (node: string) => ({'impersonate-extra-authentication.kubernetes.io%2fnode-name': node});
  const devices = [{...device, data: {a: 1}}];
  t.regex(causesOf(await driver('near', {devices}, from('n2')))[0]!, /verb="\[arbitrary-node:patch\]"/);
  t.is((await driver('near', {devices}, from('n1'))).status, 200);
});

test('before 1.36 who may update the status of a claim may update all of it', async (t) => {
  const client = older();
  await claimNamed(client, 'free');
  const alice = await userWith(client, 'alice');
  t.is((await alice('free', {allocation, devices: [{...device, data: {a: 1}}]})).status, 200);
});
