import test from 'ava';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {readServerFile, startTestServer, type TestServer} from '@orch-api/orch/testing';
import {keyedRequest} from '../plugins/controllers/certificate-signing/requests.js';
import {findKubectls, kubectlFor} from '../helpers/kubectl.js';
import {tempFolder} from '../helpers/temp-folder.js';

const binaries = findKubectls();

let server: TestServer;
test.before(async () => {
  if (binaries.length > 0) server = await startTestServer({platform: 'kubernetes'});
});
test.after.always(() => server?.stop());

if (binaries.length === 0) test.skip('kubectl approves requests for certificates (kubectl is not installed)', (t) => t.pass());

for (const binary of binaries) {
  test(`[A-CSRST-1] [A-CSRST-2] [A-CSRST-6] kubectl ${binary.minor ?? ''} approves and denies requests, and logs in with the certificate`, async (t) => {
    const kubectl = kubectlFor(t, binary, server.kubeconfig);
    const id = `csr-${binary.minor ?? 'plain'}`;
    const {request, key} = await keyedRequest([{O: ['painters']}, {CN: [`${id}-jo`]}]);
    const manifest = (name: string) => ({
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: {name},
      spec: {request, signerName: 'kubernetes.io/kube-apiserver-client', expirationSeconds: 86_400, usages: ['client auth']},
    });
    for (const name of [`${id}-yes`, `${id}-no`]) await kubectl.ok(['create', '-f', '-'], {input: JSON.stringify(manifest(name))});
    const columns = (name: string) => kubectl.ok(['get', 'csr', name, '--no-headers']);
    t.regex(await columns(`${id}-yes`), /kubernetes\.io\/kube-apiserver-client +kubernetes-admin +24h +Pending\s*$/);
    const approved = `certificatesigningrequest.certificates.k8s.io/${id}-yes approved\n`;
    t.is(await kubectl.ok(['certificate', 'approve', `${id}-yes`]), approved);
    await kubectl.ok(['certificate', 'deny', `${id}-no`]);
    t.regex(await columns(`${id}-no`), /Denied\s*$/);
    await kubectl.ok(['wait', `csr/${id}-yes`, '--for=jsonpath={.status.certificate}', '--timeout=10s']).catch(async () => {
      // Older ones wait for a certain value only.
      while (!/Issued/.test(await columns(`${id}-yes`)));
    });
    t.regex(await columns(`${id}-yes`), /Approved,Issued\s*$/);
    t.regex(await kubectl.ok(['describe', 'csr', `${id}-yes`]), /Status: +Approved,Issued\n[^]*Subject:\n\s+Common Name: +csr-/);
    const certificate = await kubectl.ok(['get', 'csr', `${id}-yes`, '-o', 'jsonpath={.status.certificate}']);
    const folder = tempFolder(t);
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const ca = file('ca.crt', await readServerFile(server, 'pki', 'ca.crt'));
    const cert = file('jo.crt', Buffer.from(certificate, 'base64').toString('utf8'));
    const jo = kubectlFor(t, binary, file('config', '{}'));
    const login = [
      `--server=${server.url}`,
      `--certificate-authority=${ca}`,
      `--client-certificate=${cert}`,
      `--client-key=${file('jo.key', key)}`,
    ];
    const {code, stderr} = await jo.run([...login, 'get', 'nodes']);
    t.is(code, 1);
    t.regex(stderr, new RegExp(`User "${id}-jo" cannot list resource "nodes"`));
  });
}
