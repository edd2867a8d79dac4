import 'reflect-metadata';
import {createPrivateKey, generateKeyPairSync, KeyObject, webcrypto, X509Certificate} from 'node:crypto';
import {renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import * as x509 from '@peculiar/x509';
import test, {type ExecutionContext} from 'ava';
import {CannotIssue, issueCertificate} from '../../../../plugins/controllers/certificate-signing/issue-certificate.js';
import {readRequest as contentOf} from '../../../../plugins/families/certificates/request-content.js';
import {startTestServer, type ServerOptions} from '@orch-api/orch/testing';
import {eventually} from '../../../helpers/eventually.js';
import {complaints, recordingLogger} from '../../../helpers/recording-logger.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {makeAuthority, makeLeaf, type KeyedCertificate} from '../../../helpers/test-certificates.js';
import {startTwoServers} from '../../../helpers/two-servers.js';
import {
  certificateOf,
  conditionTypes,
  decide,
  detailsOf,
  keyedRequest,
  makeRequest,
  nodeSubject,
  readRequest,
  servingUsages,
  settled,
} from './requests.js';

const signerName = 'orch/apiserver-client';

/** Flags that name the files of a CA. */
function filesOf(t: ExecutionContext, {certificate, key}: KeyedCertificate, flag = 'cluster-signing'): Record<string, string> {
  const folder = tempFolder(t);
  const [certificateFile, keyFile] = [join(folder, 'ca.crt'), join(folder, 'ca.key')];
  writeFileSync(certificateFile, certificate);
  writeFileSync(keyFile, key);
  return {[`${flag}-cert-file`]: certificateFile, [`${flag}-key-file`]: keyFile};
}

async function start(t: ExecutionContext, options: ServerOptions) {
  const server = await startTestServer(options);
  t.teardown(() => server.stop());
  return server;
}

/** A CA with a key of another kind than the server's own. */
async function authorityWith(
  algorithm: webcrypto.EcKeyGenParams | webcrypto.RsaHashedKeyGenParams | webcrypto.Algorithm,
  keyForm: 'pkcs1' | 'sec1' | 'pkcs8',
) {
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const made = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{O: ['Authorities']}, {CN: ['other-ca']}],
    keys,
    signingAlgorithm: {hash: 'SHA-384', ...algorithm},
    notAfter: new Date(Date.now() + 3_600_000),
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true), new x509.SubjectKeyIdentifierExtension('0102030405')],
  });
  const key = KeyObject.from(keys.privateKey).export({type: keyForm as 'pkcs8', format: 'pem'}) as string;
  return {certificate: made.toString('pem'), key};
}

test('--cluster-signing-cert-file and -key-file name the CA that signs, with a key of any usual kind; no certificate outlives it', async (t) => {
  const rsa = {name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: new Uint8Array([1, 0, 1]), modulusLength: 2048};
  for (const [algorithm, form] of [
    [rsa, 'pkcs1'],
    [{name: 'ECDSA', namedCurve: 'P-384'}, 'sec1'],
    [{name: 'Ed25519'}, 'pkcs8'],
  ] as const) {
    const authority = await authorityWith(algorithm, form);
    const {client, stop} = await start(t, {flags: filesOf(t, authority)});
    await makeRequest(client, 'jo', {request: (await keyedRequest([{CN: ['jo']}])).request, signerName, usages: ['client auth']});
    await decide(client, 'jo', 'Approved');
    const signed = await settled(client, 'jo');
    const [certificate, issuer] = [certificateOf(signed), new X509Certificate(authority.certificate)];
    t.true(certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey), algorithm.name);
    t.is(certificate.validTo, issuer.validTo);
    t.is(detailsOf(signed).getExtension(x509.AuthorityKeyIdentifierExtension)!.keyId, '0102030405');
    await stop();
  }
});

test('a signer may have a CA of its own; the others sign with that of the server', async (t) => {
  const authority = await makeAuthority('serving-ca');
  const {client} = await start(t, {flags: filesOf(t, authority, 'cluster-signing-kubelet-serving')});
  const serving = await keyedRequest(nodeSubject, [{type: 'dns', value: 'n1'}]);
  await makeRequest(client, 'serving', {request: serving.request, signerName: 'orch/nodeagent-serving', usages: servingUsages});
  await makeRequest(client, 'client', {request: serving.request, signerName, usages: ['client auth']});
  for (const [name, issuer] of [
    ['serving', 'CN=serving-ca'],
    ['client', 'CN=orch-ca'],
  ] as const) {
    await decide(client, name, 'Approved');
    t.is(certificateOf(await settled(client, name)).issuer, issuer);
  }
});

test('a server does not start with settings of the signers that cannot work, and says why', async (t) => {
  const authority = await makeAuthority();
  const files = filesOf(t, authority);
  const other = filesOf(t, {...authority, key: (await makeAuthority()).key});
  const leaf = filesOf(t, await makeLeaf(authority, 'client', 'jo'));
  const {'cluster-signing-cert-file': certificate} = files;
  for (const [flags, message] of [
    [{'cluster-signing-cert-file': certificate}, /--cluster-signing-cert-file and --cluster-signing-key-file must be given together/],
    [{...files, 'cluster-signing-cert-file': '/nowhere/ca.crt'}, /nowhere/],
    [other, /is not the key of the CA certificate/],
    [leaf, /contains no CA certificate/],
    [{...files, 'cluster-signing-key-file': certificate}, /contains no PEM private key/],
    [{...files, ...filesOf(t, authority, 'cluster-signing-kubelet-client')}, /cannot be given together/],
    [{'cluster-signing-duration': 'a year'}, /--cluster-signing-duration: "a year" is not a duration/],
    [{'cluster-signing-duration': '0s'}, /--cluster-signing-duration: "0s" is not a duration/],
  ] as const) {
    const error = await t.throwsAsync(startTestServer({flags: flags as Record<string, string>}));
    t.regex(`${error.message} ${String((error.cause as Error | undefined)?.message)}`, message);
  }
});

test('while the key of the CA is missing nothing fails: the log says so, and other requests are not held up', async (t) => {
  const {logger, lines} = recordingLogger();
  const {client, dataDir} = await start(t, {logger});
  renameSync(join(dataDir, 'pki', 'ca.key'), join(dataDir, 'pki', 'away.key'));
  const {request} = await keyedRequest([{CN: ['jo']}]);
  await makeRequest(client, 'jo', {request, signerName, usages: ['client auth']});
  await decide(client, 'jo', 'Approved');
  await eventually(
    () => lines.filter(({message}) => message.includes('the CA cannot sign')),
    (told) => told.length === 1 && /ca\.key/.test(String((told[0]!.fields['err'] as Error).message)),
  );
  t.deepEqual(conditionTypes(await readRequest(client, 'jo')), ['Approved']);
  renameSync(join(dataDir, 'pki', 'away.key'), join(dataDir, 'pki', 'ca.key'));
  await makeRequest(client, 'later', {request, signerName, usages: ['client auth']});
  await decide(client, 'later', 'Approved');
  t.truthy((await settled(client, 'later')).status?.certificate);
  // A change has the first one looked at before its time.
  t.is((await client.patch('/apis/certificates.orch/v1/certificatesigningrequests/jo', {metadata: {labels: {a: 'b'}}})).status, 200);
  t.truthy((await settled(client, 'jo')).status?.certificate);
});

test('[A-CSRST-6] two servers on one store sign each request once, quietly', async (t) => {
  const {logger, lines} = recordingLogger();
  const [one, other] = await startTwoServers(t, {logger});
  const {request} = await keyedRequest([{CN: ['jo']}]);
  const names = Array.from({length: 20}, (_, index) => `r${index}`);
  for (const name of names) {
    await makeRequest(one.client, name, {request, signerName, usages: index(name) % 2 ? ['client auth'] : ['server auth']});
    await decide(other.client, name, 'Approved');
  }
  for (const name of names) {
    const signed = await settled(one.client, name);
    t.deepEqual(conditionTypes(signed), index(name) % 2 ? ['Approved'] : ['Approved', 'Failed']);
    t.is(signed.status?.certificate !== undefined, index(name) % 2 === 1);
  }
  const problems = complaints(lines).filter(({fields}) => fields['reason'] === undefined);
  t.deepEqual(problems, []);
});

const index = (name: string) => Number(name.slice(1));

test('a subject that is read in two ways is not signed', async (t) => {
  const {certificate, key} = await makeAuthority();
  const authority = {certificate: new X509Certificate(certificate), key: createPrivateKey(key)};
  const content = await contentOf((await keyedRequest(nodeSubject)).request);
  const issue = (as: object) =>
    issueCertificate({content: {...content, ...as}, usages: ['client auth'], lifetimeMillis: 600_000, authority});
  t.is(new X509Certificate(await issue({})).subject, 'O=system:nodes\nCN=system:node:n1');
  for (const as of [{commonName: 'jo'}, {organizations: []}, {organizations: ['system:nodes', 'more']}]) {
    await t.throwsAsync(issue(as), {instanceOf: CannotIssue, message: /read in more than one way/});
  }
  const {privateKey} = generateKeyPairSync('ec', {namedCurve: 'secp256k1'});
  const odd = issueCertificate({content, usages: [], lifetimeMillis: 600_000, authority: {...authority, key: privateKey}});
  await t.throwsAsync(odd, {message: /of a kind that cannot sign certificates here/});
});
