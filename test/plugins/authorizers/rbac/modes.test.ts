import test, {type ExecutionContext} from 'ava';
import {startTestServer, type ServerOptions} from '../../../../sdk/testing/index.js';
import {strangerClient, userClient} from '../../../helpers/user-client.js';

const path = '/api/v1/namespaces/default/configmaps';

/** Status codes of a user without rights, of a caller without credentials, and of the administrator. */
async function statuses(t: ExecutionContext, flags: ServerOptions['flags']): Promise<number[]> {
  const server = await startTestServer({flags});
  t.teardown(() => server.stop());
  const clients = [await userClient(t, server, 'ursula'), await strangerClient(t, server)];
  const answers = await Promise.all(clients.map((client) => client.get(path)));
  return [...answers.map(({status}) => status), (await server.client.get(path)).status];
}

test('[B-ANON-3] anonymous access is on by default, but not where authorization allows everything', async (t) => {
  t.deepEqual(await statuses(t, {}), [403, 403, 200]);
  t.deepEqual(await statuses(t, {'authorization-mode': ['AlwaysAllow']}), [200, 401, 200]);
  t.deepEqual(await statuses(t, {'authorization-mode': ['AlwaysAllow'], 'anonymous-auth': true}), [200, 200, 200]);
});

test('--authorization-mode names who decides, in order; the first that allows is enough, and system:masters may do everything', async (t) => {
  t.deepEqual(await statuses(t, {'authorization-mode': ['AlwaysDeny']}), [403, 403, 200]);
  t.deepEqual(await statuses(t, {'authorization-mode': ['RBAC', 'AlwaysAllow']}), [200, 401, 200]);
  await t.throwsAsync(startTestServer({flags: {'authorization-mode': ['Sometimes']}}), {message: /--authorization-mode/});
});

test('[B-ANON-2] with --anonymous-auth=false a request without credentials is answered 401', async (t) => {
  t.deepEqual(await statuses(t, {'anonymous-auth': false}), [403, 401, 200]);
});
