import 'reflect-metadata';
import {generateKeyPairSync, sign, webcrypto, X509Certificate} from 'node:crypto';
import * as x509 from '@peculiar/x509';
import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {userClient} from '../../../helpers/user-client.js';
import {Roles, user} from '../../authorizers/rbac/roles.js';
import {causesOf, servedGroup, tableRows} from '../served-group.js';

const options = {release: '1.36', runtimeConfig: {'api/all': true}, featureGates: {PodCertificateRequest: true}};
const client = servedGroup(test, options);
const url = '/apis/certificates.orch/v1beta1/namespaces/default/podcertificaterequests';
const algorithm = {name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256'};
let keys: webcrypto.CryptoKeyPair;
let stubPKCS10Request: string;

test.before(async () => {
  keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const request = await x509.Pkcs10CertificateRequestGenerator.create({keys, signingAlgorithm: algorithm});
  stubPKCS10Request = Buffer.from(request.rawData).toString('base64');
});

const subject = {
  signerName: 'example.com/pods',
  podName: 'p',
  podUID: 'pod-uid',
  serviceAccountName: 'default',
  serviceAccountUID: 'account-uid',
  nodeName: 'n',
  nodeUID: 'node-uid',
};
const post = (name: string, spec: object) => client().post(url, {metadata: {name}, spec: {...subject, ...spec}});

/** A certificate for a key, and the times of it. */
async function issued(key: webcrypto.CryptoKey, lifetimeMillis = 2 * 3_600_000) {
  const start = Math.floor(Date.now() / 1000) * 1000;
  const certificate = await x509.X509CertificateGenerator.create({
    subject: 'CN=pod',
    issuer: 'CN=ca',
    notBefore: new Date(start),
    notAfter: new Date(start + lifetimeMillis),
    publicKey: key,
    signingKey: keys.privateKey,
    signingAlgorithm: algorithm,
  });
  const text = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;
  return {
    conditions: [{type: 'Issued', status: 'True', reason: 'Issued', message: '', lastTransitionTime: text(start)}],
    certificateChain: certificate.toString('pem'),
    notBefore: text(start),
    notAfter: text(start + lifetimeMillis),
    beginRefreshAt: text(start + lifetimeMillis / 2),
  };
}

test('a request of a pod names the pod, its account and its machine, and asks for up to 91 days, or one of the platform itself', async (t) => {
  t.deepEqual(
    causesOf(await client().post(url, {metadata: {name: 'none'}, spec: {maxExpirationSeconds: 60, stubPKCS10Request}})).map(
      (text) => text.split(': a lowercase')[0],
    ),
    [
      'spec.signerName: Required value',
      'spec.podName: Invalid value: ""',
      'spec.podUID: Invalid value: "": must not be empty',
      'spec.serviceAccountName: Invalid value: ""',
      'spec.serviceAccountUID: Invalid value: "": must not be empty',
      'spec.nodeName: Invalid value: ""',
      'spec.nodeUID: Invalid value: "": must not be empty',
      'spec.maxExpirationSeconds: Invalid value: 60: must be in the range [3600, 7862400]',
    ],
  );
  t.deepEqual(
    causesOf(
      await post('long', {signerName: 'orch.example/x', podUID: 'x'.repeat(129), maxExpirationSeconds: 7_862_401, stubPKCS10Request}),
    ),
    [
      'spec.podUID: Too long: may not be more than 128 bytes',
      'spec.maxExpirationSeconds: Invalid value: 7862401: must be in the range [3600, 7862400]',
    ],
  );
  t.deepEqual(causesOf(await post('tagged', {unverifiedUserAnnotations: {plain: 'x', 'example.com/fine': 'y'}, stubPKCS10Request})), [
    'spec.unverifiedUserAnnotations: Invalid value: "plain": must be a domain-prefixed key (such as "acme.io/foo")',
  ]);
});

test('a request of a pod proves that it has the key', async (t) => {
  t.is((await post('signed', {stubPKCS10Request})).status, 201);
  const either = 'spec: Invalid value: exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set';
  t.deepEqual(causesOf(await post('neither', {})), [either]);
  const {publicKey, privateKey} = generateKeyPairSync('ed25519');
  const pkixPublicKey = publicKey.export({type: 'spki', format: 'der'}).toString('base64');
  const proofOfPossession = sign(null, Buffer.from('pod-uid'), privateKey).toString('base64');
  t.deepEqual(causesOf(await post('both', {stubPKCS10Request, pkixPublicKey, proofOfPossession})), [either]);
  t.is((await post('proven', {pkixPublicKey, proofOfPossession})).status, 201);
  t.deepEqual(causesOf(await post('other', {pkixPublicKey, proofOfPossession, podUID: 'another'})), [
    'spec.proofOfPossession: Invalid value: could not verify proof-of-possession signature',
  ]);
  t.deepEqual(causesOf(await post('noise', {stubPKCS10Request: 'AAAA'})), [
    'spec.stubPKCS10Request: Invalid value: must be a valid PKCS#10 CSR',
  ]);
  const small = generateKeyPairSync('rsa', {modulusLength: 2048}).publicKey.export({type: 'spki', format: 'der'}).toString('base64');
  t.deepEqual(causesOf(await post('small', {pkixPublicKey: small, proofOfPossession})), [
    'spec.pkixPublicKey: Invalid value: "2048-bit modulus": RSA keys must have modulus size 3072 or 4096',
  ]);
  t.deepEqual(causesOf(await post('noise', {pkixPublicKey: 'AAAA', proofOfPossession})), [
    'spec.pkixPublicKey: Invalid value: "AAAA": must be a valid PKIX-serialized public key',
  ]);
});

test('the status of a request of a pod is written once, with a certificate for its key', async (t) => {
  t.is((await post('asked', {stubPKCS10Request})).status, 201);
  const report = (status: object) => client().patch(`${url}/asked/status`, {status});
  t.deepEqual(
    causesOf(
      await report({conditions: [{type: 'Odd', status: 'True', reason: 'R', message: '', lastTransitionTime: '2026-01-01T00:00:00Z'}]}),
    ),
    ['status.conditions.[0].type: Unsupported value: "Odd": supported values: "Denied", "Failed", "Issued"'],
  );
  const other = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const [wrong] = causesOf(await report(await issued(other.publicKey)));
  t.regex(wrong!, /: leaf certificate was not issued to the requested public key$/);
  const [short] = causesOf(await report(await issued(keys.publicKey, 1_800_000)));
  t.is(short, 'status.certificateChain: Invalid value: 1800000000000: leaf certificate lifetime must be >= 1 hour');
  const sound = await issued(keys.publicKey);
  t.regex(new X509Certificate(sound.certificateChain).subject, /CN=pod/);
  t.deepEqual(causesOf(await report({...sound, beginRefreshAt: sound.notAfter})), [
    `status.beginRefreshAt: Invalid value: "${sound.notAfter}": must be at least 10 minutes before status.notAfter`,
  ]);
  const {notAfter: _after, ...timeless} = sound;
  t.deepEqual(causesOf(await report(timeless)), [
    'status.notAfter: Required value: must be present and consistent with the issued certificate',
  ]);
  t.is((await report(sound)).status, 200);
  t.deepEqual(causesOf(await report({beginRefreshAt: sound.notBefore})), [
    'status: Invalid value: immutable after PodCertificateRequest is issued, denied, or failed',
  ]);
  t.deepEqual(
    causesOf(await client().patch(`${url}/asked`, {spec: {podName: 'q'}})).map((text) => text.split(':')[0]),
    ['spec'],
  );
  const [row] = await tableRows(client(), `${url}/asked`);
  t.like(row, {Name: 'asked', PodName: 'p', NodeName: 'n', SignerName: 'example.com/pods', State: 'Issued'});
});

test('a request of a pod is answered by whoever may sign for its signer', async (t) => {
  await using server = await startTestServer(options);
  const roles = new Roles(t, server);
  const resources = ['podcertificaterequests', 'podcertificaterequests/status'];
  const own = {verbs: ['get', 'create', 'patch', 'update'], apiGroups: ['certificates.orch'], resources};
  const signs = {verbs: ['sign'], apiGroups: ['certificates.orch'], resources: ['signers'], resourceNames: ['example.com/*']};
  for (const [name, rules] of [
    ['helper', [own]],
    ['signer', [own, signs]],
  ] as const) {
    await roles.clusterRole(name, [...rules]);
    await roles.bindCluster(name, user(name));
  }
  t.is((await server.client.post(url, {metadata: {name: 'one'}, spec: {...subject, stubPKCS10Request}})).status, 201);
  const condition = {type: 'Denied', status: 'True', reason: 'No', message: '', lastTransitionTime: '2026-01-01T00:00:00Z'};
  const deny = async (name: string) => (await userClient(t, server, name)).patch(`${url}/one/status`, {status: {conditions: [condition]}});
  t.deepEqual(causesOf(await deny('helper')), [
    'spec.signerName: Forbidden: User "helper" is not permitted to "sign" for signer "example.com/pods"',
  ]);
  t.is((await deny('signer')).status, 200);
});
