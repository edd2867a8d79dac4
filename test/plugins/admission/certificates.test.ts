import 'reflect-metadata';
import {webcrypto} from 'node:crypto';
import * as x509 from '@peculiar/x509';
import test from 'ava';
import {readServerFile, startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../helpers/eventually.js';
import {userClient} from '../../helpers/user-client.js';
import {Roles, user, type Rule} from '../authorizers/rbac/roles.js';

let server: TestServer;
test.before(async () => {
  server = await startTestServer();
});
test.after.always(() => server?.stop());

const group = 'certificates.orch';
const requests = `/apis/${group}/v1/certificatesigningrequests`;

async function certificateRequest(subject: x509.JsonName = [{CN: ['jo']}]): Promise<string> {
  const algorithm = {name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256'};
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const made = await x509.Pkcs10CertificateRequestGenerator.create({name: subject, keys, signingAlgorithm: algorithm});
  return Buffer.from(made.toString('pem')).toString('base64');
}

async function makeRequest(name: string, signerName: string): Promise<object> {
  const spec = {request: await certificateRequest(), signerName, usages: ['client auth']};
  const {status, body} = await server.client.post(requests, {metadata: {name}, spec});
  if (status !== 201) throw new Error(body.toString());
  return JSON.parse(body.toString()) as object;
}

const condition = (type: string) => ({status: {conditions: [{type, status: 'True', reason: 'Test'}]}});
const signers = (verb: string, resourceName: string): Rule => ({
  verbs: [verb],
  apiGroups: [group],
  resources: ['signers'],
  resourceNames: [resourceName],
});

for (const {claim, verb, part, change, detail} of [
  {claim: '[B-CERT-21] approving', verb: 'approve', part: 'approval', change: condition('Approved'), detail: 'approve'},
  {claim: '[B-CERT-21] denying', verb: 'approve', part: 'approval', change: condition('Denied'), detail: 'approve'},
  {claim: '[B-CERT-23] signing', verb: 'sign', part: 'status', change: undefined, detail: 'sign'},
  {claim: '[B-CERT-23] reporting a failure', verb: 'sign', part: 'status', change: condition('Failed'), detail: 'sign'},
]) {
  test(`${claim} a request needs ${verb} on its signer, by its name or that of its domain`, async (t) => {
    const roles = new Roles(t, server);
    const wanted = change ?? {status: {certificate: Buffer.from(await readServerFile(server, 'pki', 'ca.crt')).toString('base64')}};
    const id = `${verb}-${claim.split(' ').at(-1)}`;
    const cases: [who: string, rules: Rule[], signer: string, status: number][] = [
      ['none', [], 'example.com/one', 403],
      ['other-verb', [signers(verb === 'sign' ? 'approve' : 'sign', 'example.com/one')], 'example.com/one', 403],
      ['other-name', [signers(verb, 'example.com/two')], 'example.com/one', 403],
      ['other-domain', [signers(verb, 'other.example.com/*')], 'example.com/one', 403],
      ['named', [signers(verb, 'example.com/one')], 'example.com/one', 200],
      ['domain', [signers(verb, 'example.com/*')], 'example.com/one', 200],
    ];
    for (const [who, rules, signer, expected] of cases) {
      const name = `${id}-${who}`;
      const made = await makeRequest(name, signer);
      await roles.clusterRole(name, [
        {verbs: ['update', 'patch', 'get'], apiGroups: [group], resources: [`certificatesigningrequests/${part}`]},
        ...rules,
      ]);
      await roles.bindCluster(name, user(name));
      const client = await userClient(t, server, name);
      await eventually(
        () => client.get(`${requests}/${name}/${part}`),
        ({status}) => status === 200,
      );
      const answer = await client.put(`${requests}/${name}/${part}`, {...made, ...wanted});
      t.is(answer.status, expected, `${who}: ${answer.text}`);
      const patched = await client.patch(`${requests}/${name}/${part}`, wanted);
      t.is(patched.status, expected, `${who}: ${patched.text}`);
      if (expected === 403) {
        t.is(
          answer.json<{message: string}>().message,
          `certificatesigningrequests.${group} "${name}" is forbidden: user not permitted to ${detail} requests with signerName "${signer}"`,
        );
      }
    }
  });
}

test('whoever may change the status may change what is no condition and no certificate without being a signer', async (t) => {
  const roles = new Roles(t, server);
  const made = await makeRequest('labelled', 'example.com/one');
  await roles.clusterRole('status-writer', [
    {verbs: ['update', 'get'], apiGroups: [group], resources: ['certificatesigningrequests/status']},
  ]);
  await roles.bindCluster('status-writer', user('status-writer'));
  const client = await userClient(t, server, 'status-writer');
  const answer = await eventually(
    () => client.put(`${requests}/labelled/status`, {...made, status: {}}),
    ({text}) => !text.includes('cannot update'),
  );
  t.is(answer.status, 200, answer.text);
});

test('nobody asks the client signer for a certificate of system:masters, the administrator neither', async (t) => {
  const post = async (name: string, signerName: string, subject: x509.JsonName) =>
    server.client.post(requests, {
      metadata: {name},
      spec: {request: await certificateRequest(subject), signerName, usages: ['client auth']},
    });
  const client = 'orch/apiserver-client';
  for (const [name, subject] of [
    ['plain', [{CN: ['jo'], O: ['system:masters']}]],
    ['second', [{CN: ['jo']}, {O: ['team']}, {O: ['system:masters']}]],
    ['same-part', [{CN: ['jo'], O: ['team', 'system:masters']}]],
  ] as [string, x509.JsonName][]) {
    const answer = await post(name, client, subject);
    t.is(answer.status, 403, name);
    t.is(
      answer.json<{message: string}>().message,
      `certificatesigningrequests.${group} "${name}" is forbidden: use of ${client} signer with system:masters group is not allowed`,
    );
  }
  t.is((await post('no-text', client, [{CN: ['jo']}, {O: [`#040e${Buffer.from('system:masters').toString('hex')}`]}])).status, 403);
  t.is((await post('team', client, [{CN: ['jo'], O: ['team', 'system:masters-not']}])).status, 201);
  t.is((await post('elsewhere', 'example.com/one', [{CN: ['jo'], O: ['system:masters']}])).status, 201);
  t.is(
    (await server.client.post(`${requests}?dryRun=All`, {metadata: {name: 'bad'}, spec: {signerName: client, request: ''}})).status,
    422,
  );
});

test('the controllers of certificate requests are on by default and can be disabled by name', async (t) => {
  const names = ['CertificateApproval', 'CertificateSigning', 'CertificateSubjectRestriction'];
  await using open = await startTestServer({disableAdmissionPlugins: names});
  const spec = {
    request: await certificateRequest([{CN: ['jo'], O: ['system:masters']}]),
    signerName: 'orch/apiserver-client',
    usages: ['client auth'],
  };
  t.is((await open.client.post(requests, {metadata: {name: 'masters'}, spec})).status, 201);
});
