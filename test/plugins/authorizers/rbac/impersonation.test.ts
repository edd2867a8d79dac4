import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../../helpers/eventually.js';
import type {HttpsClient} from '../../../helpers/https-client.js';
import {strangerClient, userClient} from '../../../helpers/user-client.js';
import {whoAmI, whoAmIServed, type Identity} from '../../authenticators/identity.js';
import {Roles, user, type Rule} from './roles.js';

let server: TestServer;
test.before(async () => {
  server = await startTestServer(whoAmIServed);
});
test.after.always(() => server?.stop());

type Headers = Record<string, string | string[]>;

/** Who a caller turns out to be with headers, once it may use them. */
function become(client: HttpsClient, headers: Headers): Promise<Identity> {
  return eventually(
    () => whoAmI(client, headers),
    (found) => found !== 403,
  ) as Promise<Identity>;
}

const rule = (resources: string[], more: Partial<Rule> = {}, apiGroups = ['']): Rule => ({
  verbs: ['impersonate'],
  apiGroups,
  resources,
  ...more,
});

test('[B-IMP-3] [B-IMP-10] [B-IMP-15] acting as a user needs the verb impersonate on users; resource names say on which', async (t) => {
  const roles = new Roles(t, server);
  await roles.clusterRole('as-users', [rule(['users'], {resourceNames: ['jane', 'joe']})]);
  const ida = await userClient(t, server, 'ida');
  t.is(await whoAmI(ida, {'impersonate-user': 'jane'}), 403);
  await roles.bindCluster('as-users', user('ida'));
  t.deepEqual(await become(ida, {'impersonate-user': 'jane'}), {username: 'jane', groups: ['system:authenticated']});
  t.is(await whoAmI(ida, {'impersonate-user': 'root'}), 403);
  t.is(await whoAmI(ida, {'impersonate-user': 'system:serviceaccount:default:default'}), 403);
  t.is(await whoAmI(ida, {'impersonate-user': 'jane', 'impersonate-group': 'team'}), 403);
});

test('[B-IMP-4] [B-IMP-11] acting in groups needs the verb on every one of them', async (t) => {
  const roles = new Roles(t, server);
  await roles.clusterRole('as-teams', [rule(['users']), rule(['groups'], {resourceNames: ['red', 'blue']})]);
  await roles.bindCluster('as-teams', user('gus'));
  const gus = await userClient(t, server, 'gus');
  t.deepEqual((await become(gus, {'impersonate-user': 'jane', 'impersonate-group': ['red', 'blue']})).groups, [
    'red',
    'blue',
    'system:authenticated',
  ]);
  t.is(await whoAmI(gus, {'impersonate-user': 'jane', 'impersonate-group': ['red', 'system:masters']}), 403);
});

test('[B-IMP-12] acting as a service account needs the verb on it, also by a role in its namespace; it comes with its groups', async (t) => {
  const roles = new Roles(t, server);
  await roles.role('default', 'as-robots', [rule(['serviceaccounts'], {resourceNames: ['robot']})]);
  await roles.bind('default', 'Role', 'as-robots', user('sam'));
  const sam = await userClient(t, server, 'sam');
  const found = await become(sam, {'impersonate-user': 'system:serviceaccount:default:robot'});
  t.deepEqual(found.groups, ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated']);
  t.is(await whoAmI(sam, {'impersonate-user': 'system:serviceaccount:orch-system:robot'}), 403);
});

test('[B-IMP-6] [B-IMP-8] [B-IMP-13] [B-IMP-14] extra fields and a uid need the verb on userextras/NAME and uids in the group of authentication', async (t) => {
  const roles = new Roles(t, server);
  const group = ['authentication.orch'];
  await roles.clusterRole('as-extras', [
    rule(['users']),
    rule(['userextras/acme.com/project'], {resourceNames: ['one', 'two']}, group),
    rule(['uids'], {}, group),
  ]);
  await roles.bindCluster('as-extras', user('eve'));
  const eve = await userClient(t, server, 'eve');
  const headers = {'impersonate-user': 'jane', 'Impersonate-Extra-ACME.com%2Fproject': ['one', 'two'], 'impersonate-uid': 'any thing'};
  t.deepEqual(await become(eve, headers), {
    username: 'jane',
    uid: 'any thing',
    groups: ['system:authenticated'],
    extra: {'acme.com/project': ['one', 'two']},
  });
  t.is(await whoAmI(eve, {...headers, 'Impersonate-Extra-ACME.com%2Fproject': 'three'}), 403);
  t.is(await whoAmI(eve, {'impersonate-user': 'jane', 'impersonate-extra-other': 'one'}), 403);
});

test('[B-IMP-16] the right to act as users and groups comes from the whole cluster, not from one namespace', async (t) => {
  const roles = new Roles(t, server);
  await roles.clusterRole('as-anybody', [rule(['users', 'groups', 'serviceaccounts'])]);
  await roles.bind('default', 'ClusterRole', 'as-anybody', user('loc'));
  const loc = await userClient(t, server, 'loc');
  await become(loc, {'impersonate-user': 'system:serviceaccount:default:default'});
  t.is(await whoAmI(loc, {'impersonate-user': 'jane'}), 403);
});

test('[B-IMP-1] the request counts as that of the other user: the rights of the caller are of no account', async (t) => {
  const {client} = server;
  const path = '/api/v1/namespaces/default/configmaps';
  t.is((await client.get(path)).status, 200);
  t.is((await client.get(path, {headers: {'impersonate-user': 'jane'}})).status, 403);
  const roles = new Roles(t, server);
  await roles.clusterRole('of-mary', [{verbs: ['list'], apiGroups: [''], resources: ['configmaps']}]);
  await roles.bindCluster('of-mary', user('mary'));
  await eventually(
    async () => (await client.get(path, {headers: {'impersonate-user': 'mary'}})).status,
    (status) => status === 200,
  );
});

test('[B-IMP-2] [B-IMP-5] [B-IMP-7] [B-IMP-9] the caller must be known first, and no header goes without a user', async (t) => {
  const stranger = await strangerClient(t, server);
  t.is(await whoAmI(stranger, {authorization: 'Bearer wrong', 'impersonate-user': 'jane'}), 401);
  for (const headers of [{'impersonate-group': 'team'}, {'impersonate-uid': '1'}, {'impersonate-extra-a': 'b'}] as Record<
    string,
    string
  >[]) {
    const {status} = await server.client.get('/api/v1/namespaces', {headers});
    t.is(status, 400, JSON.stringify(headers));
  }
});

test('one request is made as one user with one uid: headers that say it twice are refused', async (t) => {
  const messageFor = async (headers: Record<string, string | string[]>) => {
    const {status, json} = await server.client.get('/api/v1/namespaces', {headers: headers as Record<string, string>});
    return [status, json<{message?: string}>().message];
  };
  const twice = (name: string) => [400, `header ${name} must not be repeated`];
  t.deepEqual(await messageFor({'Impersonate-User': ['jane', 'root']}), twice('Impersonate-User'));
  t.deepEqual(await messageFor({'Impersonate-User': ['jane', 'jane']}), twice('Impersonate-User'));
  t.deepEqual(await messageFor({'Impersonate-User': ['', 'jane']}), twice('Impersonate-User'));
  t.deepEqual(await messageFor({'Impersonate-User': 'jane', 'Impersonate-Uid': ['1', '2']}), twice('Impersonate-Uid'));
});
