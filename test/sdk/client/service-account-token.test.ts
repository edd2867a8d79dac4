import test, {type ExecutionContext} from 'ava';
import {Client, StatusError, types} from '../../../sdk/client/index.js';
import {findKubectls, kubectlFor} from '../../helpers/kubectl.js';
import {fileServer} from './client-server.js';

const server = fileServer({platform: 'kubernetes'});

/** The token is that of an account: the account is known, and may not do what it was not granted. */
async function belongsTo(t: ExecutionContext, token: string, account: string): Promise<void> {
  const {credentials: _administrator, ...connection} = server().api.connection;
  using client = new Client({...connection, credentials: {token}}, {platform: 'kubernetes'});
  const refused = await t.throwsAsync(client.resource(types.core.v1.Secret, 'default').list(), {instanceOf: StatusError});
  t.is(refused?.code, 403);
  t.true(refused?.message.includes(`User "system:serviceaccount:default:${account}"`), refused?.message);
  using stranger = new Client({...connection, credentials: {token: `${token}x`}});
  t.like(await t.throwsAsync(stranger.getJson('/api')), {code: 401});
}

test('a token that the client asks for authenticates as the service account [B-SA-3]', async (t) => {
  const accounts = server().api.resource(types.core.v1.ServiceAccount, 'default');
  await accounts.create({metadata: {name: 'robot'}});
  const answer = await accounts.subresource('token').create('robot', {spec: {audiences: [], expirationSeconds: 3600}});
  t.is(answer.kind, 'TokenRequest');
  await belongsTo(t, ('status' in answer && typeof answer.status === 'object' && answer.status.token) || '', 'robot');
});

const [kubectl] = findKubectls();
(kubectl ? test : test.skip)('kubectl create token answers a token that authenticates as the service account [B-SA-3]', async (t) => {
  await server()
    .api.resource(types.core.v1.ServiceAccount, 'default')
    .create({metadata: {name: 'builder'}});
  const token = await kubectlFor(t, kubectl!, server().kubeconfig).ok(['create', 'token', 'builder', '--namespace=default']);
  await belongsTo(t, token.trim(), 'builder');
});
