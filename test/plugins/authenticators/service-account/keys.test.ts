import {generateKeyPairSync} from 'node:crypto';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {startTestServer} from '../../../../sdk/testing/index.js';
import {until} from '../../../helpers/eventually.js';
import {recordingLogger} from '../../../helpers/recording-logger.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {Accounts} from './accounts.js';

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
