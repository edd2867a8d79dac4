import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {userClient} from '../../../helpers/user-client.js';
import {Roles, user} from '../../authorizers/rbac/roles.js';
import {makeAuthority, makeLeaf, type KeyedCertificate} from '../../../helpers/test-certificates.js';
import {causesOf, servedGroup, tableRows} from '../served-group.js';

const options = {release: '1.33', runtimeConfig: {'api/all': true}, featureGates: {ClusterTrustBundle: true}};
const client = servedGroup(test, options);
const url = (version = 'v1beta1') => `/apis/certificates.orch/${version}/clustertrustbundles`;
const signerName = 'example.com/signer';
let authority: KeyedCertificate;
let trustBundle: string;

test.before(async () => {
  authority = await makeAuthority();
  trustBundle = authority.certificate;
});

const post = (name: string, spec: object) => client().post(url(), {metadata: {name}, spec: {trustBundle, ...spec}});
const bundleFault = (detail: string) => `spec.trustBundle: Invalid value: "<value omitted>": ${detail}`;

test('a bundle of a signer is named after the signer, one without is not', async (t) => {
  t.is((await post('plain', {})).status, 201);
  t.is((await post('example.com:signer:one', {signerName})).status, 201);
  t.deepEqual(causesOf(await post('a:b', {})), [
    'metadata.name: Invalid value: "a:b": ClusterTrustBundle without signer name must not have ":" in its name',
  ]);
  t.deepEqual(causesOf(await post('one', {signerName})), [
    'metadata.name: Invalid value: "one": ClusterTrustBundle for signerName example.com/signer must be named with prefix example.com:signer:',
  ]);
  t.regex(causesOf(await post('A', {}))[0]!, /^metadata\.name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of/);
  t.deepEqual(causesOf(await post('word:one', {signerName: 'word'})), [
    `spec.signerName: Invalid value: "word": must be a fully qualified domain and path of the form 'example.com/signer-name'`,
  ]);
});

test('a bundle has certificates of authorities, each once and without headers', async (t) => {
  const leaf = await makeLeaf(authority, 'client', 'jo');
  const faults = async (text: string) => causesOf(await post('bad', {trustBundle: text}));
  t.deepEqual(await faults(''), [bundleFault('at least one trust anchor must be provided')]);
  t.deepEqual(await faults('x'.repeat(1024 * 1024 + 1)), ['spec.trustBundle: Too long: may not be more than 1048576 bytes']);
  const block = (type: string, lines: string) => `-----BEGIN ${type}-----\n${lines}\n-----END ${type}-----\n`;
  t.deepEqual(
    await faults(block('SECRET', 'AAAA') + block('CERTIFICATE', 'AAAA') + block('CERTIFICATE', 'a: b\n\nAAAA') + leaf.certificate),
    [
      bundleFault('entry 0 has bad block type: SECRET'),
      bundleFault('entry 1 does not parse as X.509'),
      bundleFault('entry 2 has PEM block headers'),
      bundleFault('entry 3 does not have the CA bit set'),
    ],
  );
  t.deepEqual(await faults(`${trustBundle}\n${trustBundle}`), [bundleFault('duplicate trust anchor (indices [0 1])')]);
});

test('the signer of a bundle is immutable, its certificates are not', async (t) => {
  const name = 'example.com:signer:two';
  const made = (await post(name, {signerName})).json<{spec: object}>();
  const other = {...made, spec: {trustBundle, signerName: 'example.com/other'}};
  t.deepEqual(causesOf(await client().put(`${url()}/${name}`, other)), [
    `metadata.name: Invalid value: "${name}": ClusterTrustBundle for signerName example.com/other must be named with prefix example.com:other:`,
    'spec.signerName: Invalid value: "example.com/other": field is immutable',
  ]);
  const renewed = {...made, spec: {signerName, trustBundle: (await makeAuthority('next')).certificate}};
  t.is((await client().put(`${url()}/${name}`, renewed)).status, 200);
});

test('bundles are selected by signer, and their table shows it', async (t) => {
  const name = 'example.com:shown:one';
  await post(name, {signerName: 'example.com/shown'});
  for (const version of ['v1beta1', 'v1alpha1']) {
    const list = await client().get(`${url(version)}?fieldSelector=spec.signerName%3Dexample.com%2Fshown`);
    t.deepEqual(
      list.json<{items: {metadata: {name: string}}[]}>().items.map(({metadata}) => metadata.name),
      [name],
    );
  }
  t.deepEqual(await tableRows(client(), `${url()}/${name}`), [{Name: name, SignerName: 'example.com/shown'}]);
  await post('unsigned', {});
  t.deepEqual(await tableRows(client(), `${url()}/unsigned`), [{Name: 'unsigned', SignerName: '<none>'}]);
});

test('a bundle of a signer is written by whoever may attest for the signer', async (t) => {
  await using server = await startTestServer(options);
  const roles = new Roles(t, server);
  const own = {verbs: ['get', 'create', 'patch'], apiGroups: ['certificates.orch'], resources: ['clustertrustbundles']};
  const attests = {verbs: ['attest'], apiGroups: ['certificates.orch'], resources: ['signers'], resourceNames: ['example.com/*']};
  for (const [name, rules] of [
    ['helper', [own]],
    ['signer', [own, attests]],
  ] as const) {
    await roles.clusterRole(name, [...rules]);
    await roles.bindCluster(name, user(name));
  }
  const write = async (who: string, name: string, spec: object) =>
    (await userClient(t, server, who)).post(url(), {metadata: {name}, spec: {trustBundle, ...spec}});
  const refused = await write('helper', 'example.com:signer:one', {signerName});
  t.is(refused.status, 403);
  t.is(
    refused.json<{message: string}>().message,
    'clustertrustbundles.certificates.orch "example.com:signer:one" is forbidden: user not permitted to attest for signerName "example.com/signer"',
  );
  t.is((await write('helper', 'plain', {})).status, 201);
  t.is((await write('signer', 'example.com:signer:one', {signerName})).status, 201);
  const helper = await userClient(t, server, 'helper');
  const patch = (metadata: object) => helper.patch(`${url()}/example.com:signer:one`, {metadata});
  t.is((await patch({labels: {a: 'b'}})).status, 403);
  t.is((await patch({finalizers: ['example.com/keep']})).status, 200, 'what collects garbage need not attest');
});
