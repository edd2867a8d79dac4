import test, {type ExecutionContext} from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {until} from '../helpers/eventually.js';
import {findKubectls, kubectlFor, type Kubectl} from '../helpers/kubectl.js';

/** 1.27 asks who it is in versions that are gone. */
const all = findKubectls().filter(({minor}) => minor !== 27);
const binaries = [...new Set([all[0], all.at(-1)])].filter((binary) => binary !== undefined);
let server: TestServer;
test.before(async () => {
  if (binaries.length > 0) server = await startTestServer({platform: 'kubernetes'});
});
test.after.always(() => server?.stop());

/** Lines of a table with single blanks between the columns. */
const lines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd().replaceAll(/ {2,}/g, ' '));

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.trim().split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;

if (binaries.length === 0) test.skip('kubectl asks for access (kubectl is not installed)', (t) => t.pass());

for (const binary of binaries) {
  const version = binary.minor === undefined ? 'kubectl' : `kubectl 1.${binary.minor}`;
  /** In a namespace of its own. */
  const start = async (t: ExecutionContext, purpose: string) => {
    const plain = kubectlFor(t, binary, server.kubeconfig);
    const namespace = `${purpose}-${binary.minor ?? 'plain'}`;
    await plain.ok(['create', 'namespace', namespace]);
    const run: Kubectl['run'] = (argv, options) => plain.run(['--namespace', namespace, ...argv], options);
    const ok: Kubectl['ok'] = (argv, options) => plain.ok(['--namespace', namespace, ...argv], options);
    return {namespace, run, ok};
  };

  test(`${version} auth whoami, can-i --list --as and can-i tell what the server thinks of a caller`, async (t) => {
    const kubectl = await start(t, 'whoami');
    const own = lines(await kubectl.ok(['auth', 'whoami']));
    t.deepEqual(own.slice(0, 3), ['ATTRIBUTE VALUE', 'Username kubernetes-admin', 'Groups [system:masters system:authenticated]']);
    t.regex(own.slice(3).join(), /^Extra: authentication\.kubernetes\.io\/credential-id \[X509SHA256=[0-9a-f]{64}\]$/);
    t.deepEqual(lines(await kubectl.ok(['auth', 'whoami', '--as=jane', '--as-group=red', '--as-uid=7'])), [
      'ATTRIBUTE VALUE',
      'Username jane',
      'UID 7',
      'Groups [red system:authenticated]',
    ]);
    await kubectl.ok(['create', 'role', 'reads', '--verb=get,list', '--resource=pods']);
    await kubectl.ok(['create', 'rolebinding', 'reads', '--role=reads', '--user=jane']);
    const list = await until('the binding counts', async () => {
      const {stdout} = await kubectl.run(['auth', 'can-i', '--list', '--as=jane']);
      return /^pods /m.test(stdout) ? stdout : undefined;
    });
    const paths = ['api/*', 'api', 'apis/*', 'apis', 'healthz', 'healthz', 'livez', 'livez', 'openapi/*', 'openapi', 'readyz', 'readyz'];
    t.deepEqual(lines(list), [
      'Resources Non-Resource URLs Resource Names Verbs',
      'selfsubjectreviews.authentication.k8s.io [] [] [create]',
      'selfsubjectaccessreviews.authorization.k8s.io [] [] [create]',
      'selfsubjectrulesreviews.authorization.k8s.io [] [] [create]',
      'pods [] [] [get list]',
      // From two roles, as on Kubernetes.
      ...[...paths, 'version/', 'version/', 'version', 'version'].map((path) => ` [/${path}] [] [get]`),
    ]);
    t.is((await kubectl.run(['auth', 'can-i', 'list', 'pods', '--as=jane'])).stdout, 'yes\n');
    const no = await kubectl.run(['auth', 'can-i', 'delete', 'pods', '--as=jane']);
    t.deepEqual([no.stdout, no.code], ['no\n', 1]);
  });

  test(`${version} auth reconcile adds what roles and bindings lack, and takes away only when told`, async (t) => {
    const kubectl = await start(t, 'reconcile');
    const objects = (verbs: string[], users: string[]) =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'List',
        items: [
          {
            apiVersion: 'rbac.authorization.k8s.io/v1',
            kind: 'Role',
            metadata: {name: 'r', namespace: kubectl.namespace},
            rules: [{verbs, apiGroups: [''], resources: ['pods']}],
          },
          {
            apiVersion: 'rbac.authorization.k8s.io/v1',
            kind: 'RoleBinding',
            metadata: {name: 'b', namespace: kubectl.namespace},
            roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r'},
            subjects: users.map((name) => ({apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name})),
          },
        ],
      });
    const reconcile = async (verbs: string[], users: string[], ...flags: string[]) => {
      const out = await kubectl.ok(['auth', 'reconcile', '-f', '-', ...flags], {input: objects(verbs, users)});
      t.regex(out, /^role\.rbac\.authorization\.k8s\.io\/r reconciled$/m);
      t.regex(out, /^rolebinding\.rbac\.authorization\.k8s\.io\/b reconciled$/m);
      const role = JSON.parse(await kubectl.ok(['get', 'role', 'r', '-o', 'json'])) as {rules: {verbs: string[]}[]};
      const binding = JSON.parse(await kubectl.ok(['get', 'rolebinding', 'b', '-o', 'json'])) as {subjects: {name: string}[]};
      return [role.rules.flatMap((rule) => rule.verbs).toSorted(), binding.subjects.map(({name}) => name)];
    };
    t.deepEqual(await reconcile(['get'], ['a']), [['get'], ['a']]);
    t.deepEqual(await reconcile(['list'], ['b']), [
      ['get', 'list'],
      ['a', 'b'],
    ]);
    t.deepEqual(await reconcile(['watch'], ['c'], '--remove-extra-permissions', '--remove-extra-subjects'), [['watch'], ['c']]);
  });

  test(`${version} create token asks for audiences, a lifetime and an object to be bound to`, async (t) => {
    const kubectl = await start(t, 'token');
    await kubectl.ok(['create', 'serviceaccount', 'robot']);
    await kubectl.ok(['create', 'secret', 'generic', 'anchor']);
    const claims = claimsOf(
      await kubectl.ok([
        'create',
        'token',
        'robot',
        '--audience=one',
        '--audience=two',
        '--duration=20m',
        '--bound-object-kind=Secret',
        '--bound-object-name=anchor',
      ]),
    );
    t.deepEqual(claims['aud'], ['one', 'two']);
    t.is((claims['exp'] as number) - (claims['iat'] as number), 1200);
    const {namespace, secret} = claims['kubernetes.io'] as {namespace: string; secret: {name: string}};
    t.deepEqual([namespace, secret.name], [kubectl.namespace, 'anchor']);
    const bound = ['create', 'token', 'robot', '--bound-object-kind=Secret', '--bound-object-name=anchor'];
    const token = (await kubectl.ok(bound)).trim();
    const review = async () =>
      (await server.client.post('/apis/authentication.k8s.io/v1/tokenreviews', {spec: {token}})).json<{status: {authenticated?: boolean}}>()
        .status.authenticated ?? false;
    t.true(await review());
    await kubectl.ok(['delete', 'secret', 'anchor']);
    t.false(await review(), 'the token dies with the Secret');
    const gone = await kubectl.run(bound);
    t.is(gone.code, 1);
    t.regex(gone.stderr, /secrets "anchor" not found/);
    t.regex((await kubectl.run(['create', 'token', 'robot', '--duration=1m'])).stderr, /may not specify a duration less than 10 minutes/);
    t.regex(
      (await kubectl.run(['create', 'token', 'robot', '--bound-object-kind=ConfigMap', '--bound-object-name=x'])).stderr,
      /supported --bound-object-kind values are|unrecognized.*kind/i,
    );
  });
}
