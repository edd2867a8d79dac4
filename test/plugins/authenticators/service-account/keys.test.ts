import {createPrivateKey, generateKeyPairSync} from 'node:crypto';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {SignJWT} from 'jose';
import {startTestServer} from '@orch-api/orch/testing';
import {until} from '../../../helpers/eventually.js';
import {recordingLogger} from '../../../helpers/recording-logger.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {Accounts, claimsOf} from './accounts.js';

const newKey = () =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: {type: 'pkcs8', format: 'pem'},
    publicKeyEncoding: {type: 'spki', format: 'pem'},
  });
const keyId = (token: string) => (JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as {kid: string}).kid;

test('--service-account-signing-key-file signs and is exchanged while the server runs: a key in --service-account-key-file still verifies, one that is gone does not', async (t) => {
  const folder = tempFolder(t);
  const [signing, verifying] = [join(folder, 'signing.key'), join(folder, 'verifying.pub')];
  const [first, second, third] = [newKey(), newKey(), newKey()];
  writeFileSync(signing, first.privateKey);
  writeFileSync(verifying, first.publicKey);
  const {logger, lines} = recordingLogger();
  const server = await startTestServer({
    logger,
    flags: {'service-account-signing-key-file': signing, 'service-account-key-file': [verifying]},
  });
  t.teardown(() => server.stop());
  const accounts = new Accounts(t, server);
  await accounts.make('robot');
  const old = await accounts.token('robot');
  t.is(await accounts.status(old), 403, 'known, without rights');

  writeFileSync(signing, second.privateKey);
  const fresh = await until('the new key signs', async () => {
    const token = await accounts.token('robot');
    return keyId(token) === keyId(old) ? undefined : token;
  });
  t.is(await accounts.status(fresh), 403);
  t.is(await accounts.status(old), 403, 'the old key still verifies');
  const {keys} = (await server.client.get('/openid/v1/jwks')).json<{keys: {kid: string}[]}>();
  t.true([keyId(old), keyId(fresh)].every((id) => keys.some(({kid}) => kid === id)));

  writeFileSync(signing, 'broken');
  await until('the broken key is told', async () => {
    await accounts.status(fresh);
    return lines.some(({level, fields}) => level === 'error' && /signing.key contains no PEM key/.test(String(fields['err'])));
  });
  t.is(await accounts.status(fresh), 403, 'the keys before stay');

  writeFileSync(signing, second.privateKey);
  writeFileSync(verifying, third.publicKey);
  await until('the first key is gone', async () => (await accounts.status(old)) === 401);
  t.is(await accounts.status(fresh), 403);
});

test('a key file that cannot be used keeps the server from starting, in words', async (t) => {
  const folder = tempFolder(t);
  const file = join(folder, 'signing.key');
  writeFileSync(file, 'nothing');
  const start = (flags: Record<string, unknown>) => startTestServer({flags});
  await t.throwsAsync(start({'service-account-signing-key-file': file}), {
    message: /signing.key contains no PEM key of service account tokens/,
  });
  await t.throwsAsync(start({'service-account-key-file': [join(folder, 'absent')]}), {message: /absent cannot be read: ENOENT/});
});

test('tokens of further issuers are accepted if one of several keys in a file has signed them, however it is named; the first issuer signs', async (t) => {
  const file = join(tempFolder(t), 'other.pub');
  const [one, two, stranger] = [newKey(), newKey(), newKey()];
  writeFileSync(file, `-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n${one.privateKey}\n${two.publicKey}`);
  const issuers = ['https://a.example.com', 'https://b.example.com'];
  await using server = await startTestServer({
    flags: {
      'service-account-issuer': issuers,
      'service-account-key-file': [file],
      'service-account-jwks-uri': 'https://keys.example.com/jwks',
    },
  });
  const accounts = new Accounts(t, server);
  await accounts.make('robot');
  const own = await accounts.token('robot');
  const claims = claimsOf(own);
  t.is(claims.iss, issuers[0]!);
  t.deepEqual(claims.aud, issuers);
  const signed = (key: string, changed: object) =>
    new SignJWT({...claims, ...changed}).setProtectedHeader({alg: 'ES256', kid: 'as others name it'}).sign(createPrivateKey(key));
  for (const key of [one.privateKey, two.privateKey]) t.is(await accounts.status(await signed(key, {iss: issuers[1]})), 403);
  t.is((await accounts.whoAmI(await signed(two.privateKey, {iss: issuers[1]}))).username, 'system:serviceaccount:default:robot');
  t.is(await accounts.status(await signed(stranger.privateKey, {iss: issuers[1]})), 401);
  t.is(await accounts.status(await signed(one.privateKey, {iss: 'https://c.example.com'})), 401);
  t.is(await accounts.status(await signed(one.privateKey, {iss: issuers[1], aud: ['elsewhere']})), 401);
  const document = (await server.client.get('/.well-known/openid-configuration')).json<{issuer: string; jwks_uri: string}>();
  t.deepEqual([document.issuer, document.jwks_uri], [issuers[0]!, 'https://keys.example.com/jwks']);
  t.is((await server.client.get('/openid/v1/jwks')).json<{keys: object[]}>().keys.length, 3);
});

test('issuers and addresses of keys that cannot be used keep the server from starting, in words', async (t) => {
  await t.throwsAsync(startTestServer({flags: {'service-account-issuer': ['1:2']}}), {
    message: /--service-account-issuer contains a colon/,
  });
  await t.throwsAsync(startTestServer({flags: {'service-account-jwks-uri': 'http://a.example.com'}}), {
    message: /--service-account-jwks-uri must be an https URL/,
  });
});
