import test from 'ava';
import {createPrivateKey, X509Certificate} from 'node:crypto';
import {readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {connect, createServer, type TLSSocket} from 'node:tls';
import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import {ensurePki, type PkiOptions} from '../../../core/pki/ensure-pki.js';
import {PkiError} from '../../../core/pki/pki-error.js';
import {tempFolder} from '../../helpers/temp-folder.js';

const options: PkiOptions = {bindAddress: '127.0.0.1', platform: 'orch'};
const day = 24 * 60 * 60 * 1000;

test('the first start makes a CA, serving and administrator certificates and the key for service accounts', async (t) => {
  const folder = tempFolder(t);
  const pki = await ensurePki(folder, options);
  const ca = new X509Certificate(pki.caCertificate);
  t.true(ca.ca);
  t.is(ca.publicKey.asymmetricKeyType, 'ec');
  t.is(ca.publicKey.asymmetricKeyDetails?.namedCurve, 'prime256v1');
  t.true(Math.abs(Date.parse(ca.validTo) - Date.now() - 3650 * day) < day);
  t.is(readFileSync(pki.caFile, 'utf8'), pki.caCertificate);
  for (const [pem, key] of [
    [pki.servingCertificate, pki.servingKey],
    [pki.adminCertificate, pki.adminKey],
  ] as const) {
    const certificate = new X509Certificate(pem);
    t.true(certificate.checkIssued(ca));
    t.true(certificate.verify(ca.publicKey));
    t.true(certificate.checkPrivateKey(createPrivateKey(key)));
    t.false(certificate.ca);
  }
  t.is(new X509Certificate(pki.adminCertificate).subject, 'O=system:masters\nCN=orch-admin');
  t.is(createPrivateKey(readFileSync(pki.serviceAccountKeyFile)).asymmetricKeyDetails?.namedCurve, 'prime256v1');
});

test('files are readable by their owner only and no part of one is left behind', async (t) => {
  const folder = join(tempFolder(t), 'a', 'pki');
  await ensurePki(folder, options);
  t.is(statSync(folder).mode & 0o777, 0o700);
  const files = readdirSync(folder).sort();
  t.deepEqual(files, ['admin.crt', 'admin.key', 'ca.crt', 'ca.key', 'service-account.key', 'serving.crt', 'serving.key']);
  for (const file of files) t.is(statSync(join(folder, file)).mode & 0o777, 0o600, file);
});

test('the serving certificate is valid for every name a client may use', async (t) => {
  const pki = await ensurePki(tempFolder(t), {
    bindAddress: '192.0.2.7',
    platform: 'kubernetes',
    extraNames: ['api.example.com', '198.51.100.4'],
  });
  const certificate = new X509Certificate(pki.servingCertificate);
  for (const name of ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'api.example.com']) {
    t.is(certificate.checkHost(name), name);
  }
  for (const address of ['127.0.0.1', '::1', '192.0.2.7', '198.51.100.4']) t.is(certificate.checkIP(address), address);
  t.is(certificate.checkHost('example.org'), undefined);
});

test('a TLS server with these certificates knows its clients by them, and clients verify it', async (t) => {
  const pki = await ensurePki(tempFolder(t), options);
  const server = createServer({
    cert: pki.servingCertificate,
    key: pki.servingKey,
    ca: pki.caCertificate,
    requestCert: true,
    rejectUnauthorized: false,
  });
  server.on('secureConnection', (socket: TLSSocket) =>
    socket.end(socket.authorized ? socket.getPeerX509Certificate()!.subject : String(socket.authorizationError)),
  );
  server.listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const {port} = server.address() as AddressInfo;
  const answer = async (credentials: {cert?: string; key?: string}) => {
    const socket = connect({port, host: '127.0.0.1', ca: pki.caCertificate, ...credentials});
    let text = '';
    socket.on('data', (part: Buffer) => (text += part.toString()));
    await once(socket, 'close');
    return text;
  };
  t.is(await answer({cert: pki.adminCertificate, key: pki.adminKey}), 'O=system:masters\nCN=orch-admin');
  // The serving certificate is none for clients.
  t.regex(await answer({cert: pki.servingCertificate, key: pki.servingKey}), /purpose/i);
});

test('a restart uses what is there', async (t) => {
  const folder = tempFolder(t);
  const first = await ensurePki(folder, options);
  const past = new Date(Date.now() - 60_000);
  for (const file of readdirSync(folder)) utimesSync(join(folder, file), past, past);
  t.deepEqual(await ensurePki(folder, options), first);
  for (const file of readdirSync(folder)) t.is(statSync(join(folder, file)).mtimeMs, past.getTime(), file);
});

test('another bind address renews the serving certificate by the same CA, and nothing else', async (t) => {
  const folder = tempFolder(t);
  const first = await ensurePki(folder, options);
  const second = await ensurePki(folder, {...options, bindAddress: '192.0.2.9'});
  t.is(new X509Certificate(second.servingCertificate).checkIP('192.0.2.9'), '192.0.2.9');
  t.true(new X509Certificate(second.servingCertificate).verify(new X509Certificate(first.caCertificate).publicKey));
  t.deepEqual({...second, servingCertificate: ''}, {...first, servingCertificate: ''});
});

test('certificates that end within 30 days are renewed by the same CA', async (t) => {
  const folder = tempFolder(t);
  const first = await ensurePki(folder, {...options, now: Date.now() - (730 - 29) * day});
  const second = await ensurePki(folder, options);
  t.is(second.caCertificate, first.caCertificate);
  t.not(second.servingCertificate, first.servingCertificate);
  t.not(second.adminCertificate, first.adminCertificate);
  t.is(second.servingKey, first.servingKey);
  t.true(Date.parse(new X509Certificate(second.servingCertificate).validTo) > Date.now() + 700 * day);
  t.deepEqual(await ensurePki(folder, options), second);
});

test('no certificate outlives its CA, and one that ends with it is not renewed in vain', async (t) => {
  const folder = tempFolder(t);
  const first = await ensurePki(folder, {...options, now: Date.now() - (3650 - 20) * day});
  rmSync(join(folder, 'serving.crt'));
  const second = await ensurePki(folder, options);
  t.is(new X509Certificate(second.servingCertificate).validTo, new X509Certificate(first.caCertificate).validTo);
  t.is((await ensurePki(folder, options)).servingCertificate, second.servingCertificate);
});

test('another platform renews the certificates that carry its name', async (t) => {
  const folder = tempFolder(t);
  const first = await ensurePki(folder, options);
  const second = await ensurePki(folder, {...options, platform: 'kubernetes'});
  t.is(second.caCertificate, first.caCertificate);
  t.is(new X509Certificate(second.adminCertificate).subject, 'O=system:masters\nCN=kubernetes-admin');
});

test('a start that was killed between any two files is completed by the next one', async (t) => {
  const order = ['ca.key', 'ca.crt', 'service-account.key', 'serving.key', 'serving.crt', 'admin.key', 'admin.crt'];
  for (let kept = 0; kept <= order.length; kept += 1) {
    const folder = tempFolder(t);
    await ensurePki(folder, options);
    for (const file of order.slice(kept)) rmSync(join(folder, file));
    const pki = await ensurePki(folder, options);
    const ca = new X509Certificate(pki.caCertificate);
    const serving = new X509Certificate(pki.servingCertificate);
    t.true(serving.verify(ca.publicKey) && serving.checkPrivateKey(createPrivateKey(pki.servingKey)), `after ${kept} files`);
    t.true(ca.checkPrivateKey(createPrivateKey(readFileSync(pki.caKeyFile))));
  }
});

test('servers that start in one folder at the same time agree on everything', async (t) => {
  const folder = tempFolder(t);
  const all = await Promise.all(Array.from({length: 8}, () => ensurePki(folder, options)));
  t.is(new Set(all.map((pki) => pki.caCertificate)).size, 1);
  t.is(new Set(all.map((pki) => pki.servingKey + pki.adminKey)).size, 1);
  const ca = new X509Certificate(all[0]!.caCertificate);
  for (const {servingCertificate, servingKey, adminCertificate} of all) {
    t.true(new X509Certificate(servingCertificate).verify(ca.publicKey));
    t.true(new X509Certificate(servingCertificate).checkPrivateKey(createPrivateKey(servingKey)));
    t.true(new X509Certificate(adminCertificate).verify(ca.publicKey));
  }
  const serialNumbers = new Set(all.map((pki) => new X509Certificate(pki.servingCertificate).serialNumber));
  t.true(serialNumbers.has(new X509Certificate(readFileSync(join(folder, 'serving.crt'))).serialNumber));
});

const broken = [
  {file: 'ca.crt', content: 'nonsense', message: /ca\.crt contains no PEM certificate; restore a good copy, or remove the file/},
  {file: 'serving.crt', content: '', message: /serving\.crt contains no PEM certificate/},
  {
    file: 'serving.key',
    content: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
    message: /serving\.key contains no PEM private key/,
  },
  {file: 'service-account.key', content: 'x', message: /service-account\.key contains no PEM private key/},
];

for (const {file, content, message} of broken) {
  test(`a broken ${file} (${JSON.stringify(content.slice(0, 12))}) stops the start with one sentence`, async (t) => {
    const folder = tempFolder(t);
    await ensurePki(folder, options);
    writeFileSync(join(folder, file), content);
    const error = await t.throwsAsync(ensurePki(folder, options), {instanceOf: PkiError, message});
    t.notRegex(error.message, /\n/);
  });
}

test('a CA without its key still serves; only what has to be signed fails, with a sentence', async (t) => {
  const folder = tempFolder(t);
  await ensurePki(folder, options);
  rmSync(join(folder, 'ca.key'));
  await t.notThrowsAsync(ensurePki(folder, options));
  await t.throwsAsync(ensurePki(folder, {...options, bindAddress: '192.0.2.9'}), {
    instanceOf: PkiError,
    message: /the CA's key .*ca\.key is missing/,
  });
});

test('a CA key that is not the one of the CA certificate is refused', async (t) => {
  const folder = tempFolder(t);
  const pki = await ensurePki(folder, options);
  writeFileSync(join(folder, 'ca.key'), pki.servingKey);
  await t.throwsAsync(ensurePki(folder, {...options, bindAddress: '192.0.2.9'}), {
    instanceOf: PkiError,
    message: /is not the key of the CA certificate/,
  });
});

test('an expired CA stops the start with a sentence', async (t) => {
  const folder = tempFolder(t);
  await ensurePki(folder, {...options, now: Date.now() - 3651 * day});
  await t.throwsAsync(ensurePki(folder, options), {instanceOf: PkiError, message: /CA certificate .*ca\.crt expired on/});
});

test('a certificate of another CA is replaced', async (t) => {
  const [folder, other] = [tempFolder(t), tempFolder(t)];
  const [pki, foreign] = [await ensurePki(folder, options), await ensurePki(other, options)];
  writeFileSync(join(folder, 'admin.crt'), foreign.adminCertificate);
  writeFileSync(join(folder, 'admin.key'), foreign.adminKey);
  const again = await ensurePki(folder, options);
  t.not(again.adminCertificate, foreign.adminCertificate);
  t.true(new X509Certificate(again.adminCertificate).verify(new X509Certificate(pki.caCertificate).publicKey));
});

test('a folder that cannot be made is one clear sentence', async (t) => {
  const folder = tempFolder(t);
  writeFileSync(join(folder, 'file'), '');
  await t.throwsAsync(ensurePki(join(folder, 'file', 'pki'), options), {instanceOf: PkiError, message: /cannot be set up: ENOTDIR/});
});
