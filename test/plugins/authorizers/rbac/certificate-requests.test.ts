import 'reflect-metadata';
import {webcrypto} from 'node:crypto';
import * as x509 from '@peculiar/x509';
import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../../helpers/eventually.js';
import {userClient} from '../../../helpers/user-client.js';
import {Roles, user} from './roles.js';

let server: TestServer;
test.before(async () => {
  server = await startTestServer();
});
test.after.always(() => server?.stop());

const requests = '/apis/certificates.orch/v1/certificatesigningrequests';

/** A request to send. */
async function certificateRequest(name: string): Promise<object> {
  const algorithm = {name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256'};
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const made = await x509.Pkcs10CertificateRequestGenerator.create({name: 'CN=jo', keys, signingAlgorithm: algorithm});
  const spec = {request: Buffer.from(made.toString('pem')).toString('base64'), signerName: 'example.com/signer', usages: ['client auth']};
  return {apiVersion: 'certificates.orch/v1', kind: 'CertificateSigningRequest', metadata: {name}, spec};
}

test('[B-CERT-19] creating, getting, listing and watching certificate signing requests each needs its own verb on them', async (t) => {
  const roles = new Roles(t, server);
  const attempts = {
    create: async (client: Awaited<ReturnType<typeof userClient>>, name: string) =>
      (await client.post(requests, await certificateRequest(name))).status,
    get: async (client: Awaited<ReturnType<typeof userClient>>) => (await client.get(`${requests}/none`)).status,
    list: async (client: Awaited<ReturnType<typeof userClient>>) => (await client.get(requests)).status,
    watch: async (client: Awaited<ReturnType<typeof userClient>>) => (await client.get(`${requests}?watch=1&timeoutSeconds=1`)).status,
  };
  const success = {create: 201, get: 404, list: 200, watch: 200};
  const stranger = await userClient(t, server, 'csr-nobody');
  for (const [verb, attempt] of Object.entries(attempts)) t.is(await attempt(stranger, 'never'), 403, verb);
  for (const verb of Object.keys(attempts) as (keyof typeof attempts)[]) {
    const name = `csr-${verb}`;
    await roles.clusterRole(name, [{verbs: [verb], apiGroups: ['certificates.orch'], resources: ['certificatesigningrequests']}]);
    await roles.bindCluster(name, user(name));
    const client = await userClient(t, server, name);
    await eventually(
      () => attempts[verb](client, name),
      (status) => status === success[verb],
    );
    for (const other of Object.keys(attempts) as (keyof typeof attempts)[]) {
      if (other !== verb) t.is(await attempts[other](client, 'never'), 403, `${verb} is not ${other}`);
    }
  }
});

for (const [claim, part, change] of [
  ['[B-CERT-20] approving', 'approval', {status: {conditions: [{type: 'Approved', status: 'True', reason: 'Known', message: 'ok'}]}}],
  ['[B-CERT-22] signing', 'status', {status: {conditions: [{type: 'Failed', status: 'True', reason: 'Away', message: 'no'}]}}],
] as const) {
  test(`${claim} a certificate signing request needs update on its ${part}; update on the requests themselves does not do`, async (t) => {
    const roles = new Roles(t, server);
    const name = `csr-${part}`;
    const {status, json} = await server.client.post(requests, await certificateRequest(name));
    t.is(status, 201);
    const body = {...json<object>(), ...change};
    const rule = (...resources: string[]) => [
      {verbs: ['update', 'get'], apiGroups: ['certificates.orch'], resources},
      {verbs: ['approve', 'sign'], apiGroups: ['certificates.orch'], resources: ['signers'], resourceNames: ['example.com/signer']},
    ];
    await roles.clusterRole(`${name}-parent`, rule('certificatesigningrequests'));
    await roles.bindCluster(`${name}-parent`, user(`${name}-parent`));
    const parent = await userClient(t, server, `${name}-parent`);
    await eventually(
      async () => (await parent.get(`${requests}/${name}`)).status,
      (code) => code === 200,
    );
    t.is((await parent.put(`${requests}/${name}/${part}`, body)).status, 403);
    await roles.clusterRole(name, rule(`certificatesigningrequests/${part}`));
    await roles.bindCluster(name, user(name));
    const allowed = await userClient(t, server, name);
    await eventually(
      async () => (await allowed.put(`${requests}/${name}/${part}`, body)).status,
      (code) => code === 200,
    );
    t.is((await allowed.put(`${requests}/${name}`, body)).status, 403);
  });
}
