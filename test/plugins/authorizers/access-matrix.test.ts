import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {readServerFile, startTestServer, type TestServer} from '@orch-api/orch/testing';
import {until} from '../../helpers/eventually.js';
import {httpsClient, type HttpsClient} from '../../helpers/https-client.js';
import {httpsService} from '../../helpers/https-service.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {makeAuthority, makeLeaf} from '../../helpers/test-certificates.js';
import {strangerClient, userClient} from '../../helpers/user-client.js';

const users = ['file', 'robot', 'cert', 'proxied', 'jane', 'anonymous'] as const;
type User = (typeof users)[number];

interface Rights {
  /** Who may list the config maps of the namespace. */
  readonly list: readonly User[];
  /** Who may act as any user. */
  readonly impersonate: readonly User[];
}

/** What the policies, bindings and answers below come to, for each list of authorizers. */
const rights: Readonly<Record<string, Rights>> = {
  AlwaysAllow: {list: users, impersonate: users},
  AlwaysDeny: {list: [], impersonate: []},
  RBAC: {list: ['file', 'jane'], impersonate: ['file']},
  ABAC: {list: ['file', 'robot', 'cert', 'proxied', 'jane'], impersonate: ['cert']},
  Webhook: {list: ['robot', 'anonymous'], impersonate: ['robot']},
  'Webhook,RBAC': {list: ['robot', 'anonymous', 'file'], impersonate: ['robot', 'file']},
  'RBAC,Webhook': {list: ['robot', 'anonymous', 'file', 'jane'], impersonate: ['robot', 'file']},
  'AlwaysDeny,ABAC': {list: ['file', 'robot', 'cert', 'proxied', 'jane'], impersonate: ['cert']},
};

/** Whom each kind of credentials makes a caller: undefined for nobody (401). */
const callers: Readonly<Record<string, User | 'master' | undefined>> = {
  'no credentials': 'anonymous',
  'an unknown token': undefined,
  'a token of the file': 'file',
  'a token of a service account': 'robot',
  'a certificate': 'cert',
  'a certificate of another CA': undefined,
  'headers of a proxy': 'proxied',
  'headers of a proxy without its certificate': 'anonymous',
  "the administrator's certificate": 'master',
};

/** Headers, and whom they ask to be; undefined where they ask for nothing sensible (400). */
const impersonations: Readonly<Record<string, {readonly headers: Record<string, string>; readonly as?: User | 'oneself'}>> = {
  'as oneself': {headers: {}, as: 'oneself'},
  'as jane': {headers: {'impersonate-user': 'jane'}, as: 'jane'},
  'as the anonymous user': {headers: {'impersonate-user': 'system:anonymous'}, as: 'anonymous'},
  'as a group without a user': {headers: {'impersonate-group': 'system:masters'}},
};

function expected(mode: string, anonymousAuth: boolean, caller: string, impersonation: string): number {
  const {list, impersonate} = rights[mode]!;
  const who = callers[caller];
  if (who === undefined || (who === 'anonymous' && !anonymousAuth)) return 401;
  const {as} = impersonations[impersonation]!;
  if (as === undefined) return 400;
  if (as === 'oneself') return who === 'master' || list.includes(who) ? 200 : 403;
  if (who !== 'master' && !impersonate.includes(who)) return 403;
  return list.includes(as) ? 200 : 403;
}

const path = '/api/v1/namespaces/default/configmaps';
const robotName = 'system:serviceaccount:default:robot';

/** The same file, service and CA serve all servers. */
async function surroundings(t: ExecutionContext) {
  const folder = tempFolder(t);
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const service = await httpsService(t, (_request, body) => {
    const {apiVersion, spec} = JSON.parse(body) as {apiVersion: string; spec: {user: string; resourceAttributes?: {verb: string}}};
    const {user, resourceAttributes: {verb} = {verb: ''}} = spec;
    const allowed = user === robotName ? verb === 'list' || verb === 'impersonate' : user === 'system:anonymous' && verb === 'list';
    return {apiVersion, status: {allowed, ...(user === 'jane' ? {denied: true} : {})}};
  });
  const proxyAuthority = await makeAuthority('proxy-ca');
  const [proxy, foreign] = await Promise.all([
    makeLeaf(proxyAuthority, 'client', 'proxy'),
    makeLeaf(await makeAuthority('foreign'), 'client', 'cert'),
  ]);
  const policies = [
    {user: '*', readonly: true, resource: 'configmaps', namespace: 'default'},
    {user: 'cert', resource: 'users'},
  ];
  const cluster = {server: service.url, 'certificate-authority': file('service.crt', service.ca)};
  return {
    proxy,
    foreign,
    flags: {
      'token-auth-file': file('tokens.csv', 'of-the-file,file,1'),
      'requestheader-client-ca-file': file('proxy.crt', proxyAuthority.certificate),
      'requestheader-username-headers': ['X-Remote-User'],
    },
    modeFlags: {
      ABAC: {'authorization-policy-file': file('policies.jsonl', policies.map((policy) => JSON.stringify(policy)).join('\n'))},
      Webhook: {'authorization-webhook-config-file': file('webhook.yaml', JSON.stringify({clusters: [{name: 'remote', cluster}]}))},
    },
  };
}

async function grant(t: ExecutionContext, {client}: TestServer): Promise<void> {
  const apiGroup = 'rbac.authorization.orch';
  const post = async (resource: string, object: object) =>
    t.is((await client.post(`/apis/${apiGroup}/v1/${resource}`, object)).status, 201);
  const bind = (name: string, ...names: string[]) =>
    post('clusterrolebindings', {
      metadata: {name},
      roleRef: {apiGroup, kind: 'ClusterRole', name},
      subjects: names.map((user) => ({apiGroup, kind: 'User', name: user})),
    });
  await post('clusterroles', {metadata: {name: 'lists'}, rules: [{verbs: ['list'], apiGroups: [''], resources: ['configmaps']}]});
  await post('clusterroles', {metadata: {name: 'acts'}, rules: [{verbs: ['impersonate'], apiGroups: [''], resources: ['users']}]});
  await bind('acts', 'file');
  await bind('lists', 'file', 'jane');
}

for (const mode of Object.keys(rights)) {
  for (const anonymousAuth of [true, false]) {
    const cells = Object.keys(callers).flatMap((caller) =>
      Object.keys(impersonations).map((impersonation) => [caller, impersonation] as const),
    );
    test.serial(`who gets what: --authorization-mode=${mode} --anonymous-auth=${anonymousAuth}, ${cells.length} cells`, async (t) => {
      const {proxy, foreign, flags, modeFlags} = await surroundings(t);
      const modes = mode.split(',');
      const server = await startTestServer({
        authorizationMode: modes,
        flags: {
          ...flags,
          'anonymous-auth': anonymousAuth,
          ...(modes.includes('ABAC') ? modeFlags.ABAC : {}),
          ...(modes.includes('Webhook') ? modeFlags.Webhook : {}),
        },
      });
      t.teardown(() => server.stop());
      t.is((await server.client.post('/api/v1/namespaces/default/serviceaccounts', {metadata: {name: 'robot'}})).status, 201);
      const request = await server.client.post('/api/v1/namespaces/default/serviceaccounts/robot/token', {spec: {audiences: []}});
      const robotToken = request.json<{status: {token: string}}>().status.token;
      await grant(t, server);
      const ca = await readServerFile(server, 'pki', 'ca.crt');
      const stranger = await strangerClient(t, server);
      const withLeaf = ({certificate: cert, key}: typeof proxy) => httpsClient(t, {url: server.url, ca, cert, key});
      const [admin, cert] = [await userClient(t, server, 'admin', ['system:masters']), await userClient(t, server, 'cert')];
      const asks: Record<string, [HttpsClient, Record<string, string>]> = {
        'no credentials': [stranger, {}],
        'an unknown token': [stranger, {authorization: 'Bearer unknown'}],
        'a token of the file': [stranger, {authorization: 'Bearer of-the-file'}],
        'a token of a service account': [stranger, {authorization: `Bearer ${robotToken}`}],
        'a certificate': [cert, {}],
        'a certificate of another CA': [withLeaf(foreign), {}],
        'headers of a proxy': [withLeaf(proxy), {'x-remote-user': 'proxied'}],
        'headers of a proxy without its certificate': [stranger, {'x-remote-user': 'proxied'}],
        "the administrator's certificate": [admin, {}],
      };
      if (modes.includes('RBAC')) {
        const known = () => stranger.get(path, {authorization: 'Bearer of-the-file'});
        await until('the bindings count', async () => (await known()).status === 200);
      }
      for (const [caller, impersonation] of cells) {
        const [client, credentials] = asks[caller]!;
        const {status} = await client.get(path, {...credentials, ...impersonations[impersonation]!.headers});
        t.is(status, expected(mode, anonymousAuth, caller, impersonation), `${caller}, ${impersonation}`);
      }
    });
  }
}
