import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {generateKey, issueCertificate} from '../../core/pki/issue-certificate.js';
import {httpsClient} from '../helpers/https-client.js';
import {spawnOrch, type OrchProcess} from '../helpers/orch-process.js';

let orch: OrchProcess;
test.before(async () => {
  orch = await spawnOrch({store: 'memory', extra: ['--anonymous-auth=false']});
});
test.after.always(async () => {
  await orch?.stop();
});

interface StatusBody {
  reason: string;
  message: string;
  code: number;
}

/** Credentials of a user, signed by the server's own CA or by another one. */
async function userOf(
  commonName: string,
  organizations: string[],
  foreign = false,
): Promise<{url: string; ca: string; cert: string; key: string}> {
  const key = await generateKey();
  const notAfter = Date.now() + 3_600_000;
  const read = (name: string) => readFileSync(join(orch.dataDir, 'pki', name), 'utf8');
  let issuer = {certificate: read('ca.crt'), key: read('ca.key')};
  if (foreign) {
    const caKey = await generateKey();
    issuer = {certificate: await issueCertificate({subject: {commonName: 'foreign-ca'}, key: caKey, notAfter, usage: 'ca'}), key: caKey};
  }
  const cert = await issueCertificate({subject: {commonName, organizations}, key, notAfter, usage: 'client', issuer});
  return {url: orch.url, ca: orch.ca, cert, key};
}

test('a certificate of the group system:masters may do everything', async (t) => {
  const client = httpsClient(t, await userOf('second-admin', ['team', 'system:masters']));
  t.is((await client.get('/api/v1/namespaces')).status, 200);
  const body = {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'by-second-admin'}};
  t.is((await client.post('/api/v1/namespaces/default/configmaps', body)).status, 201);
});

test('a certificate of any other group is known and forbidden, with a Status that says who may not do what [B-ERR-4]', async (t) => {
  const client = httpsClient(t, await userOf('jane', ['team']));
  const response = await client.get('/api/v1/namespaces/default/secrets');
  t.is(response.status, 403);
  const status = response.json<StatusBody & Record<string, unknown>>();
  t.is(status.reason, 'Forbidden');
  t.regex(status.message, /User "jane" cannot list resource "secrets" in API group "" in the namespace "default"/);
});

test('a certificate of another authority is no identity', async (t) => {
  const client = httpsClient(t, await userOf('admin', ['system:masters'], true));
  const outcome = await client.get('/api/v1/namespaces').then(
    (response) => response.status,
    (error: NodeJS.ErrnoException) => error.code,
  );
  t.true(outcome === 401 || outcome === 'ECONNRESET' || String(outcome).startsWith('ERR_SSL'), String(outcome));
});

test('[B-ANON-2] with anonymous access turned off the API is closed without credentials and health is not', async (t) => {
  const client = httpsClient(t, {url: orch.url, ca: orch.ca});
  const response = await client.get('/api/v1/namespaces');
  t.is(response.status, 401);
  t.is(response.json<StatusBody & Record<string, unknown>>().reason, 'Unauthorized');
  for (const path of ['/livez', '/readyz', '/healthz']) t.is((await client.get(path)).text, 'ok');
});

test('a request to act as somebody else is not carried out under the name of the caller', async (t) => {
  const client = httpsClient(t, orch);
  const response = await client.get('/api/v1/namespaces', {'impersonate-user': 'nobody-special'});
  t.is(response.status, 403, response.text);
});
