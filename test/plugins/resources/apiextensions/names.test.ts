import {testOnEachStore} from '../../../helpers/each-store.js';
import {eventually, until} from '../../../helpers/eventually.js';
import {
  awaitCondition,
  condition,
  definition,
  definitionsPath,
  establish,
  freshGroup,
  readDefinition,
  version,
  type Json,
} from './definition-fixture.js';

const storeTest = testOnEachStore();

/** A definition in a group under names of its own. */
function named(group: string, plural: string, names: Json): Json {
  return {...definition(group, [version()], {names: {plural, ...names}}), metadata: {name: `${plural}.${group}`}};
}

const conflicts: readonly (readonly [member: string, reason: string, names: Json, taken: string])[] = [
  ['plural', 'PluralConflict', {kind: 'Other'}, 'wd'],
  ['singular', 'SingularConflict', {kind: 'Other', singular: 'widget'}, 'widget'],
  ['shortNames', 'ShortNamesConflict', {kind: 'Other', shortNames: ['wd']}, 'wd'],
  ['kind', 'KindConflict', {kind: 'Widget', singular: 'other', listKind: 'OtherList'}, 'Widget'],
  ['listKind', 'ListKindConflict', {kind: 'Other', listKind: 'WidgetList'}, 'WidgetList'],
];

for (const [member, reason, names, taken] of conflicts) {
  storeTest(`a definition whose ${member} another type of its group has is not served until that one is gone`, async (t, {client}) => {
    const group = freshGroup();
    await establish(client, named(group, 'widgets', {kind: 'Widget', shortNames: ['wd']}));
    const plural = member === 'plural' ? 'wd' : 'others';
    const name = `${plural}.${group}`;
    t.is((await client.post(definitionsPath, named(group, plural, names))).status, 201);
    const refused = await awaitCondition(client, name, 'NamesAccepted', 'False');
    t.like(condition(refused, 'NamesAccepted'), {reason, message: `"${taken}" is already in use`});
    t.like(condition(refused, 'Established'), {status: 'False', reason: 'NotAccepted', message: 'not all names are accepted'});
    t.is((await client.get(`/apis/${group}/v1/${plural}`)).status, 404);
    t.is((await client.delete(`${definitionsPath}/widgets.${group}`)).status, 200);
    await awaitCondition(client, name, 'Established', 'True');
    t.is((await client.get(`/apis/${group}/v1/${plural}`)).status, 200);
  });
}

storeTest('a name that a definition gives up goes to the one that waits for it', async (t, {client}) => {
  const group = freshGroup();
  await establish(client, named(group, 'widgets', {kind: 'Widget', shortNames: ['wd']}));
  await client.post(definitionsPath, named(group, 'others', {kind: 'Other', shortNames: ['wd']}));
  await awaitCondition(client, `others.${group}`, 'NamesAccepted', 'False');
  t.is((await client.patch(`${definitionsPath}/widgets.${group}`, {spec: {names: {shortNames: ['wg']}}})).status, 200);
  await awaitCondition(client, `others.${group}`, 'NamesAccepted', 'True');
  const {status} = await eventually(
    () => readDefinition(client, `widgets.${group}`),
    ({status: {acceptedNames}}) => JSON.stringify(acceptedNames['shortNames']) !== '["wd"]',
  );
  t.deepEqual(status.acceptedNames['shortNames'], ['wg']);
});

storeTest('a served definition that asks for a taken name stays served under those that it has', async (t, {client}) => {
  const group = freshGroup();
  await establish(client, named(group, 'widgets', {kind: 'Widget', shortNames: ['wd']}));
  await establish(client, named(group, 'others', {kind: 'Other', shortNames: ['ot']}));
  t.is((await client.patch(`${definitionsPath}/others.${group}`, {spec: {names: {shortNames: ['wd']}}})).status, 200);
  const refused = await awaitCondition(client, `others.${group}`, 'NamesAccepted', 'False');
  t.is(condition(refused, 'Established')?.status, 'True');
  t.deepEqual(refused.status.acceptedNames['shortNames'], ['ot']);
  t.is((await client.get(`/apis/${group}/v1/others`)).status, 200);
});

storeTest("a definition cannot take the place of one of the server's own types", async (t, {client}) => {
  const group = 'coordination.orch';
  const body = named(group, 'leases', {kind: 'Tenancy', singular: 'tenancy'});
  (body['metadata'] as Json)['annotations'] = {'api-approved.orch': 'unapproved, a test'};
  t.is((await client.post(definitionsPath, body)).status, 201);
  const refused = await awaitCondition(client, `leases.${group}`, 'NamesAccepted', 'False');
  t.like(condition(refused, 'NamesAccepted'), {reason: 'PluralConflict', message: '"leases" is already in use'});
  t.like(condition(refused, 'KubernetesAPIApprovalPolicyConformant'), {status: 'False', reason: 'UnapprovedAnnotation'});
  t.true((await client.get('/apis/coordination.orch/v1')).body.includes('"kind":"Lease"'));
  t.is((await client.delete(`${definitionsPath}/leases.${group}`)).status, 200);
  await until('the deletion', async () => (await client.get(`${definitionsPath}/leases.${group}`)).status === 404);
  t.is((await client.get(`/apis/${group}/v1/leases`)).status, 200);
});
