import {execFile} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {TLSSocket} from 'node:tls';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import test from 'ava';
import {generateKey, issueCertificate} from '../../../../core/pki/issue-certificate.js';
import {makeAuthority, makeLeaf} from '../../../helpers/test-certificates.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {answer, webhookService, type WebhookHandler} from '../../../helpers/webhook-service.js';
import {caller, failure, target} from './caller.js';

const good: WebhookHandler = (_body, response) => answer(response, {});

test('only the authorities of the bundle are trusted, whichever of them signed', async (t) => {
  const {url, ca} = await webhookService(t, good);
  const other = (await makeAuthority('another')).certificate;
  const webhooks = caller(t);
  t.deepEqual(await webhooks.call(target(url, {caBundle: ca}), {}), {});
  t.deepEqual(await webhooks.call(target(url, {caBundle: `${other}\n${ca}`}), {}), {});
  t.deepEqual(await failure(webhooks.call(target(url, {caBundle: other}), {})), {
    code: 'Untrusted',
    message: "the server's certificate is signed by an unknown authority (UNABLE_TO_GET_ISSUER_CERT_LOCALLY)",
  });
  t.like(await failure(webhooks.call(target(url), {})), {code: 'Untrusted'});
  t.deepEqual(await failure(webhooks.call(target(url, {caBundle: 'garbage'}), {})), {
    code: 'Misconfigured',
    message: 'the CA bundle contains no PEM certificate',
  });
});

test('a bundle may name an intermediate authority, or the certificate itself', async (t) => {
  const root = await makeAuthority('root');
  const key = await generateKey();
  const notAfter = Date.now() + 3_600_000;
  const intermediate = {
    key,
    certificate: await issueCertificate({subject: {commonName: 'intermediate'}, key, notAfter, usage: 'ca', issuer: root}),
  };
  const {url} = await webhookService(t, good, {authority: intermediate});
  t.deepEqual(await caller(t).call(target(url, {caBundle: intermediate.certificate}), {}), {});
  t.like(await failure(caller(t).call(target(url, {caBundle: root.certificate}), {})), {code: 'Untrusted'});
  const own = await generateKey();
  const selfSigned = await issueCertificate({
    subject: {commonName: 'self'},
    key: own,
    notAfter,
    usage: 'server',
    names: {dns: [], ip: ['127.0.0.1']},
  });
  const alone = await webhookService(t, good, {cert: selfSigned, key: own});
  t.deepEqual(await caller(t).call(target(alone.url, {caBundle: selfSigned}), {}), {});
});

test('the certificate must be for the host, or for the name that is given', async (t) => {
  const {port, ca} = await webhookService(t, good, {names: ['hooks.example.com']});
  const webhooks = caller(t);
  const wrong = await failure(webhooks.call(target(`https://localhost:${port}`, {caBundle: ca}), {}));
  t.is(wrong.code, 'Untrusted');
  t.regex(wrong.message, /^the server's certificate is valid for other names: .*hooks\.example\.com/);
  t.deepEqual(await webhooks.call(target(`https://localhost:${port}`, {caBundle: ca, serverName: 'hooks.example.com'}), {}), {});
  t.deepEqual(await webhooks.call(target(`https://localhost:${port}`, {caBundle: ca, serverName: '127.0.0.1'}), {}), {});
  t.like(await failure(webhooks.call(target(`https://127.0.0.1:${port}`, {caBundle: ca, serverName: 'other.example.com'}), {})), {
    code: 'Untrusted',
  });
});

test('a certificate that has expired is none', async (t) => {
  const {url, ca} = await webhookService(t, good, {notAfter: Date.now() - 60_000});
  t.deepEqual(await failure(caller(t).call(target(url, {caBundle: ca}), {})), {
    code: 'Untrusted',
    message: "the server's certificate has expired",
  });
});

test('a service that speaks no TLS is told as such', async (t) => {
  const {createServer} = await import('node:http');
  const plain = createServer().listen(0, '127.0.0.1');
  t.teardown(() => void plain.close());
  await new Promise((resolve) => plain.once('listening', resolve));
  const told = await failure(caller(t).call(target(`https://127.0.0.1:${(plain.address() as {port: number}).port}`), {}));
  t.is(told.code, 'Untrusted');
  t.regex(told.message, /^the TLS handshake failed: /);
});

test('a client certificate is shown where there is one', async (t) => {
  const clients = await makeAuthority('clients');
  const leaf = await makeLeaf(clients, 'client', 'orch-server');
  const {url, ca} = await webhookService(
    t,
    (_body, response, {socket}) => answer(response, {client: String((socket as TLSSocket).getPeerCertificate().subject.CN)}),
    {
      requestCert: true,
      rejectUnauthorized: true,
      ca: clients.certificate,
    },
  );
  const webhooks = caller(t);
  t.deepEqual(await webhooks.call(target(url, {caBundle: ca, credentials: leaf}), {}), {client: 'orch-server'});
  // The refusal may overtake the words in which it is told.
  t.true(['Untrusted', 'Unreachable'].includes((await failure(webhooks.call(target(url, {caBundle: ca}), {}))).code));
  t.like(await failure(webhooks.call(target(url, {caBundle: ca, credentials: {...leaf, key: 'none'}}), {})), {code: 'Misconfigured'});
});

for (const [name, variable] of [
  ['the file that NODE_EXTRA_CA_CERTS names', 'NODE_EXTRA_CA_CERTS'],
  ["the system's own", 'SSL_CERT_FILE'],
] as const) {
  test(`without a bundle the authorities are trusted that the process trusts: ${name}`, async (t) => {
    const {url, ca} = await webhookService(t, good);
    const file = join(tempFolder(t), 'root.crt');
    writeFileSync(file, ca);
    const program = fileURLToPath(new URL('call-once.js', import.meta.url));
    const run = async (environment: Record<string, string>) =>
      (await promisify(execFile)(process.execPath, [program, url], {env: {PATH: process.env['PATH'] ?? '', ...environment}})).stdout;
    t.is(await run({[variable]: file}), 'answered');
    t.regex(await run({}), /^Untrusted .* unknown authority/);
  });
}
