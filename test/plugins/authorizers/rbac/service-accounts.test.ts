import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {eventually} from '../../../helpers/eventually.js';
import {Accounts} from '../../authenticators/service-account/accounts.js';
import {account, Roles} from './roles.js';

test('[B-SA-1] service accounts of one name in two namespaces are two identities, and what one may do the other may not', async (t) => {
  const server = await startTestServer();
  t.teardown(() => server.stop());
  const roles = new Roles(t, server);
  const accounts = new Accounts(t, server);
  await roles.namespace('north');
  await roles.namespace('south');
  const uids = [await accounts.make('robot', 'north'), await accounts.make('robot', 'south')];
  const tokens = [
    await accounts.token('robot', {audiences: []}, 'north'),
    await accounts.token('robot', {audiences: []}, 'south'),
  ] as const;
  const [north, south] = [await accounts.whoAmI(tokens[0]), await accounts.whoAmI(tokens[1])];
  t.deepEqual([north.username, south.username], ['system:serviceaccount:north:robot', 'system:serviceaccount:south:robot']);
  t.deepEqual([north.uid, south.uid], uids);
  t.not(north.uid, south.uid);

  await roles.role('north', 'reader', [{verbs: ['list'], apiGroups: [''], resources: ['configmaps']}]);
  await roles.bind('north', 'Role', 'reader', account('north', 'robot'));
  const client = await accounts.client();
  const list = async (token: string, namespace: string) =>
    (await client.get(`/api/v1/namespaces/${namespace}/configmaps`, {authorization: `Bearer ${token}`})).status;
  t.is(
    await eventually(
      () => list(tokens[0], 'north'),
      (status) => status !== 403,
    ),
    200,
  );
  t.is(await list(tokens[0], 'south'), 403);
  t.is(await list(tokens[1], 'north'), 403);
  t.is(await list(tokens[1], 'south'), 403);

  t.is((await server.client.delete('/api/v1/namespaces/north/serviceaccounts/robot')).status, 200);
  t.is(
    await eventually(
      () => list(tokens[0], 'north'),
      (status) => status === 401,
    ),
    401,
  );
  t.is(await list(tokens[1], 'south'), 403);
});
