import 'reflect-metadata';
import {readFile} from 'node:fs/promises';
import {load} from 'js-yaml';
import {verifyClusterInfo} from '@orch-api/orch/client';
import {testOnEachStore} from '../../../helpers/each-store.js';
import {eventually} from '../../../helpers/eventually.js';
import {httpsClient} from '../../../helpers/https-client.js';
import {Roles} from '../../authorizers/rbac/roles.js';
import {keyedRequest, nodeUsages, pemOf, requestsPath, type RequestBody} from '../certificate-signing/requests.js';
import {infoOf, infoPath, makeToken, signersOf} from './tokens.js';

const storeTest = testOnEachStore();
const node = 'system:node:n1';

storeTest(
  '[B-BOOT-13] [B-CERT-6] a machine joins with nothing but a token: it verifies cluster-info, asks for a certificate and logs in with it',
  async (t, {start}) => {
    const flags = {'enable-bootstrap-token-auth': true};
    const server = await start({controllers: ['*', 'bootstrapsigner'], flags});
    const {client} = server;
    // What the operator does: cluster-info, who may read it, who may join.
    const ca = (load(await readFile(server.kubeconfig, 'utf8')) as Kubeconfig).clusters[0]!.cluster['certificate-authority-data']!;
    const published = JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{name: '', cluster: {server: server.url, 'certificate-authority-data': ca}}],
    });
    t.is(
      (await client.post(infoPath.replace(/\/[^/]*$/, ''), {metadata: {name: 'cluster-info'}, data: {kubeconfig: published}})).status,
      201,
    );
    const roles = new Roles(t, server);
    await roles.role('orch-public', 'cluster-info', [
      {verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: ['cluster-info']},
    ]);
    await roles.bind('orch-public', 'Role', 'cluster-info', {kind: 'User', apiGroup: 'rbac.authorization.orch', name: 'system:anonymous'});
    const joining = {kind: 'Group', apiGroup: 'rbac.authorization.orch', name: 'system:bootstrappers:machines'};
    await roles.bindCluster('system:node-bootstrapper', joining);
    await roles.bindCluster('system:certificates.orch:certificatesigningrequests:nodeclient', joining);
    const token = await makeToken(client, 'join01', {
      'usage-bootstrap-authentication': 'true',
      'auth-extra-groups': 'system:bootstrappers:machines',
    });
    await eventually(
      async () => signersOf(await infoOf(client)),
      (ids) => ids.length === 1,
    );

    // What the machine does; whether the server is the right one it knows by the signature.
    const stranger = httpsClient(t, {url: server.url, ca: Buffer.from(ca, 'base64').toString('utf8')});
    const info = (await stranger.get(infoPath)).json<{data: Record<string, string>}>();
    const {cluster} = (load(verifyClusterInfo(info.data, token)) as Kubeconfig).clusters[0]!;
    const trusted = {url: cluster['server']!, ca: Buffer.from(cluster['certificate-authority-data']!, 'base64').toString('utf8')};
    const joiner = httpsClient(t, trusted);
    const authorization = {authorization: `Bearer ${token}`};
    const {request, key} = await keyedRequest([{O: ['system:nodes']}, {CN: [node]}]);
    const body = {metadata: {name: 'n1'}, spec: {request, signerName: 'orch/apiserver-client-nodeagent', usages: nodeUsages}};
    const made = await joiner.request('POST', requestsPath, {body, headers: {...authorization, 'content-type': 'application/json'}});
    t.is(made.status, 201, made.text);
    const signed = await eventually(
      async () => (await joiner.get(`${requestsPath}/n1`, authorization)).json<RequestBody & Record<string, unknown>>(),
      ({status}) => status?.certificate !== undefined,
    );
    const machine = httpsClient(t, {...trusted, key, cert: pemOf(signed)});
    const refused = await machine.get('/api/v1/secrets');
    t.is(refused.status, 403);
    t.true(refused.text.includes(node), refused.text);
  },
);

interface Kubeconfig {
  clusters: {cluster: Record<string, string>}[];
}
