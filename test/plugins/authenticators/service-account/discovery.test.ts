import test from 'ava';
import {createLocalJWKSet, jwtVerify, type JSONWebKeySet} from 'jose';
import {startTestServer} from '@orch-api/orch/testing';
import {strangerClient} from '../../../helpers/user-client.js';
import {Accounts} from './accounts.js';

test('others can check tokens by the published keys; service accounts may read these, strangers may not', async (t) => {
  const issuer = 'https://issuer.example.com';
  const server = await startTestServer({flags: {'service-account-issuer': [issuer], 'api-audiences': ['here', 'there']}});
  t.teardown(() => server.stop());
  const accounts = new Accounts(t, server);
  await accounts.make('relying');
  const token = await accounts.token('relying');
  const client = await accounts.client();
  const headers = {authorization: `Bearer ${token}`};
  const configuration = await client.get('/.well-known/openid-configuration', headers);
  t.deepEqual(configuration.json(), {
    issuer,
    jwks_uri: `${server.url}/openid/v1/jwks`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  });
  const keys = await client.get('/openid/v1/jwks', headers);
  t.is(keys.headers['content-type'], 'application/jwk-set+json');
  const set = keys.json<JSONWebKeySet>();
  for (const path of ['/.well-known/openid-configuration', '/openid/v1/jwks']) {
    t.is(
      (await client.get(`${path}/`, headers)).text,
      (await client.get(path, headers)).text,
      'with a slash at the end, as generated clients ask',
    );
  }
  t.false(keys.text.includes('"d"'));
  const {payload} = await jwtVerify(token, createLocalJWKSet(set), {issuer, audience: 'there'});
  t.deepEqual(payload.aud, ['here', 'there']);
  t.is(payload.sub, 'system:serviceaccount:default:relying');
  t.is((await (await strangerClient(t, server)).get('/openid/v1/jwks')).status, 403);
});

test('under the platform kubernetes claims, types and annotations are those of Kubernetes', async (t) => {
  const server = await startTestServer({platform: 'kubernetes'});
  t.teardown(() => server.stop());
  const {client} = server;
  const body = {apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {audiences: []}};
  t.is(
    (await client.post('/api/v1/namespaces/default/serviceaccounts', {apiVersion: 'v1', kind: 'ServiceAccount', metadata: {name: 'kay'}}))
      .status,
    201,
  );
  const answer = await client.post('/api/v1/namespaces/default/serviceaccounts/kay/token', body);
  t.is(answer.status, 201, answer.body.toString());
  const claims = JSON.parse(
    Buffer.from(answer.json<{status: {token: string}}>().status.token.split('.')[1]!, 'base64url').toString(),
  ) as Record<string, {namespace?: string}>;
  t.is(claims['kubernetes.io']!.namespace, 'default');
  t.is(claims['iss'] as unknown, 'https://kubernetes.default.svc.cluster.local');
});
