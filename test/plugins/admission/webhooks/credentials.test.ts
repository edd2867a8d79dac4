import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {TLSSocket} from 'node:tls';
import test, {type ExecutionContext} from 'ava';
import {FileCredentials} from '@orch-api/orch/families/admission-webhooks/credentials-file';
import {startTestServer} from '@orch-api/orch/testing';
import {admissionConfiguration} from '../../../helpers/admission-configuration.js';
import {eventually} from '../../../helpers/eventually.js';
import {testOnEachStore} from '../../../helpers/each-store.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {makeAuthority, makeLeaf} from '../../../helpers/test-certificates.js';
import {answer, webhookService} from '../../../helpers/webhook-service.js';

const eachStore = testOnEachStore();
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** A file of `--admission-control-config-file` with these users for both kinds of webhooks. */
function configurationFile(t: ExecutionContext, users: readonly object[], version = 'apiserver.config.orch/v1'): string {
  const folder = tempFolder(t);
  const kubeConfigFile = join(folder, 'hooks.kubeconfig');
  writeFileSync(kubeConfigFile, JSON.stringify({apiVersion: 'v1', kind: 'Config', users}));
  const configuration = {apiVersion: 'apiserver.config.orch/v1', kind: 'WebhookAdmissionConfiguration', kubeConfigFile};
  const plugins = [
    {name: 'ValidatingAdmissionWebhook', configuration},
    {name: 'MutatingAdmissionWebhook', path: 'mutating.json'},
  ];
  writeFileSync(join(folder, 'mutating.json'), JSON.stringify(configuration));
  const file = join(folder, 'admission.json');
  writeFileSync(file, JSON.stringify({apiVersion: version, kind: 'AdmissionConfiguration', plugins}));
  return file;
}

eachStore(
  "webhooks get the credentials that the operator's file has for them, and nothing else [B-HOOK-27] [B-HOOK-59] [B-HOOK-60] [B-HOOK-61] [B-HOOK-63] [B-API-2]",
  async (t, {start, store}) => {
    const authority = await makeAuthority('clients');
    const leaf = await makeLeaf(authority, 'client', 'the-server');
    const shown: Record<string, string> = {};
    const service = await webhookService(
      t,
      (body, response, request) => {
        const peer = (request.socket as TLSSocket).getPeerCertificate();
        shown[request.headers.host!] = `${request.headers.authorization ?? 'none'} ${String(peer.subject?.CN ?? 'none')}`;
        const {apiVersion, request: asked} = JSON.parse(body) as {apiVersion: string; request: {uid: string}};
        answer(response, {apiVersion, kind: 'AdmissionReview', response: {uid: asked.uid, allowed: true}});
      },
      {requestCert: true, rejectUnauthorized: false, names: ['localhost', 'hook.default.svc']},
    );
    const {port} = service;
    const users = [
      {name: `localhost:${port}`, user: {token: 'for-url'}},
      {name: `hook.default.svc:${port}`, user: {username: 'me', password: 'secret'}},
      {name: '127.0.0.1', user: {'client-certificate-data': base64(leaf.certificate), 'client-key-data': base64(leaf.key)}},
    ];
    const server = await start({
      admissionControlConfigFile: configurationFile(t, users, store === 'memory' ? undefined : 'apiserver.orch/v1alpha1'),
    });
    const {client} = server;
    await client.post('/api/v1/namespaces/default/services', {
      metadata: {name: 'hook'},
      spec: {type: 'ExternalName', externalName: 'localhost'},
    });
    const rules = [{operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps']}];
    const common = {rules, sideEffects: 'None', admissionReviewVersions: ['v1']};
    const caBundle = base64(service.ca);
    const hook = (name: string, clientConfig: object) => ({
      ...common,
      name: `${name}.example.com`,
      clientConfig: {...clientConfig, caBundle},
    });
    const webhooks = {
      mutating: [hook('service', {service: {namespace: 'default', name: 'hook', port}})],
      validating: [hook('url', {url: `https://localhost:${port}/`}), hook('address', {url: `https://127.0.0.1:${port}/`})],
    };
    for (const kind of ['mutating', 'validating'] as const)
      await client.post(`/apis/admissionregistration.orch/v1/${kind}webhookconfigurations`, {
        metadata: {name: 'shown'},
        webhooks: webhooks[kind],
      });
    const probe = async () => {
      const response = await client.post('/api/v1/namespaces/default/configmaps?dryRun=All', {metadata: {name: 'c'}});
      if (response.status !== 201) throw new Error(response.body.toString());
      return Object.keys(shown).length;
    };
    await eventually(probe, (count) => count === 3);
    t.deepEqual(shown, {
      [`localhost:${port}`]: 'Bearer for-url none',
      [`hook.default.svc:${port}`]: `Basic ${base64('me:secret')} none`,
      [`127.0.0.1:${port}`]: 'none the-server',
    });
    // Its certificate is not valid for another service.
    await client.post('/api/v1/namespaces/default/services', {
      metadata: {name: 'other'},
      spec: {type: 'ExternalName', externalName: 'localhost'},
    });
    await client.post('/apis/admissionregistration.orch/v1/validatingwebhookconfigurations', {
      metadata: {name: 'untrusted'},
      webhooks: [hook('other', {service: {namespace: 'default', name: 'other', port}})],
    });
    const refused = await eventually(
      () => client.post('/api/v1/namespaces/default/configmaps?dryRun=All', {metadata: {name: 'c'}}),
      ({status}) => status !== 201,
    );
    t.is(refused.status, 500);
    t.regex(
      refused.body.toString(),
      /failed calling webhook \\"other\.example\.com\\": failed to call webhook: .*certificate is valid for other names/,
    );
  },
);

const credentials = (...names: string[]) =>
  new FileCredentials({users: new Map(names.map((name) => [name, {token: name}])), current: undefined});

test('the most exact name of a user counts: host and port, suffix, all; of a service on another port than 443 the port is needed [B-HOOK-60] [B-HOOK-61] [B-HOOK-62]', (t) => {
  const service = (port?: number) => ({service: {namespace: 'ns', name: 'hook', ...(port ? {port} : {})}});
  const url = (text: string) => ({url: text});
  const table: readonly [names: string[], address: object, found: string | undefined][] = [
    [['hook.ns.svc'], service(), 'hook.ns.svc'],
    [['hook.ns.svc'], service(443), 'hook.ns.svc'],
    [['hook.ns.svc:443', 'hook.ns.svc'], service(), 'hook.ns.svc:443'],
    [['hook.ns.svc'], service(8443), undefined],
    [['hook.ns.svc:8443'], service(8443), 'hook.ns.svc:8443'],
    [['*.ns.svc', '*'], service(), '*.ns.svc'],
    [['*.svc', '*'], service(), '*.svc'],
    [['*'], service(8443), '*'],
    [['www.example.com'], url('https://www.example.com/x'), 'www.example.com'],
    [['www.example.com:8443', 'www.example.com'], url('https://www.example.com:8443'), 'www.example.com:8443'],
    [['www.example.com'], url('https://www.example.com:8443'), 'www.example.com'],
    [['*.example.com', '*.com', '*'], url('https://a.b.example.com:8443'), '*.example.com'],
    [['*.example.com'], url('https://example.com'), undefined],
    [['*.example.com', '*'], url('https://evilexample.com'), '*'],
    [['[::1]:8443'], url('https://[::1]:8443'), '[::1]:8443'],
    [['other'], url('https://www.example.com'), undefined],
  ];
  for (const [names, address, found] of table) t.is(credentials(...names).of(address)?.token, found, JSON.stringify([names, address]));
});

test('a configuration of credentials that cannot be used keeps the server from starting, with the reason', async (t) => {
  const folder = tempFolder(t);
  const good = {apiVersion: 'apiserver.config.orch/v1', kind: 'WebhookAdmissionConfiguration'};
  writeFileSync(join(folder, 'half.json'), JSON.stringify({users: [{name: '*', user: {'client-key-data': 'eA=='}}]}));
  const table: readonly [configuration: object, message: RegExp][] = [
    [
      {...good, kubeConfigFile: 'relative.yaml'},
      /kubeConfigFile of ValidatingAdmissionWebhook must be an absolute path, not "relative\.yaml"/,
    ],
    [{...good, kubeConfigFile: join(folder, 'none.yaml')}, /none\.yaml.*ENOENT/],
    [{...good, kubeConfigFile: join(folder, 'half.json')}, /client-certificate and client-key must be given together/],
    [
      {kind: 'Other'},
      /must be apiserver\.config\.orch\/v1 WebhookAdmissionConfiguration or apiserver\.config\.orch\/v1alpha1 WebhookAdmission/,
    ],
    [{...good, kubeconfigFile: 'x'}, /unknown field kubeconfigFile/],
  ];
  for (const [configuration, message] of table) {
    const admissionControlConfigFile = admissionConfiguration(t, 'ValidatingAdmissionWebhook', configuration);
    const error = await t.throwsAsync(startTestServer({admissionControlConfigFile}));
    t.regex(error.message, message);
  }
});
