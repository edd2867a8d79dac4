import test, {type ExecutionContext} from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {findKubectls, kubectlFor} from '../helpers/kubectl.js';
import {manifestFolder, manifestsIn} from '../helpers/manifests.js';

const examples = manifestFolder('apps');
const binaries = findKubectls();

let server: TestServer;
test.before(async () => {
  if (binaries.length > 0) server = await startTestServer({platform: 'kubernetes'});
});
test.after.always(() => server?.stop());

/** A kubectl with a namespace of its own, named after the version and the purpose. */
async function inNamespace(t: ExecutionContext, binary: (typeof binaries)[number], purpose: string) {
  const kubectl = kubectlFor(t, binary, server.kubeconfig);
  const namespace = `${purpose}-${binary.minor ?? 'plain'}`;
  t.is((await server.client.post('/api/v1/namespaces', {metadata: {name: namespace}})).status, 201);
  return {
    namespace,
    run: (...argv: string[]) => kubectl.run(['-n', namespace, ...argv]),
    ok: (...argv: string[]) => kubectl.ok(['-n', namespace, ...argv]),
    /** All files of a folder. */
    apply: (folder: string) => kubectl.run(['-n', namespace, 'apply', '-f', folder], {timeoutMillis: 60_000}),
    /** As `ok`, with a manifest on standard input. */
    create: (object: object) => kubectl.ok(['-n', namespace, 'create', '-f', '-'], {input: JSON.stringify(object)}),
  };
}

let lastTurn: Promise<unknown> = Promise.resolve();

/** Runs one work after the other: some examples belong to no namespace, and two clients that find none of them would both create it. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = lastTurn.then(work, work);
  lastTurn = turn;
  return turn;
}

const template = {metadata: {labels: {app: 'web'}}, spec: {containers: [{name: 'web', image: 'nginx:1'}]}};
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {name: 'web'},
  spec: {replicas: 2, selector: {matchLabels: {app: 'web'}}, template},
};

if (binaries.length === 0) test.skip('kubectl of every version drives the whole catalogue (kubectl is not installed)', (t) => t.pass());

for (const binary of binaries) {
  const name = binary.minor === undefined ? 'kubectl' : `kubectl 1.${binary.minor}`;

  test(`${name} applies manifests as people write them, all but the one of a removed version, and shows them`, async (t) => {
    const {ok, apply, namespace} = await inNamespace(t, binary, 'examples');
    const documents = manifestsIn('apps');
    const applied = await inTurn(() => apply(examples));
    t.is(applied.code, 1);
    const refused = applied.stderr
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('Warning:') && line !== 'ensure CRDs are installed first');
    t.is(refused.length, 1, applied.stderr);
    t.regex(refused[0]!, /"orders-budget".* no matches for kind "PodDisruptionBudget" in version "policy\/v1beta1"/);
    const lines = applied.stdout.trimEnd().split('\n');
    // What belongs to no namespace is there already when another version had its turn before.
    t.deepEqual(
      lines.filter((line) => !/^[a-z.0-9]+\/[a-z0-9-]+ (created|configured|unchanged)$/.test(line)),
      [],
    );
    t.is(lines.length, documents.length - 1);

    const all = await ok('get', 'all');
    for (const shown of [
      /^pod\/ledger +0\/1 +Pending +0 +\d+s$/m,
      /^service\/frontend +\S+ +[0-9.]+ +\S+ +80(:\d+)?\/TCP +\d+s$/m,
      /^replicationcontroller\/ticker +\d+ +0 +0 +\d+s$/m,
      /^daemonset\.apps\/node-agent +0 +0 +0 +0 +0 +<none> +\d+s$/m,
      /^deployment\.apps\/frontend +0\/3 +0 +0 +\d+s$/m,
      /^statefulset\.apps\/orders +0\/3 +\d+s$/m,
    ]) {
      t.regex(all, shown);
    }
    const described = await ok('describe', 'pod', 'ledger');
    for (const line of [/^Name: +ledger$/m, new RegExp(`^Namespace: +${namespace}$`, 'm'), /^ +Image: +\S+/m, /^Events: +<none>$/m])
      t.regex(described, line);

    t.is(await ok('scale', 'deployment', 'frontend', '--replicas=7'), 'deployment.apps/frontend scaled\n');
    t.is(await ok('scale', 'statefulset', 'orders', '--replicas=2'), 'statefulset.apps/orders scaled\n');
    t.is(await ok('set', 'image', 'deployment/frontend', 'web=nginx:2'), 'deployment.apps/frontend image updated\n');
    t.is(await ok('get', 'deployment/frontend', '-o', 'jsonpath={.spec.replicas} {.spec.template.spec.containers[0].image}'), '7 nginx:2');
  });

  test(`${name} explains a type and reads the state and the history of a rollout`, async (t) => {
    const {ok, create} = await inNamespace(t, binary, 'rollout');
    const explained = await ok('explain', 'deployment', '--recursive');
    t.regex(explained, /^GROUP: +apps\nKIND: +Deployment\nVERSION: +v1\n/);
    for (const field of ['revisionHistoryLimit', 'maxSurge', 'topologySpreadConstraints', 'observedGeneration'])
      t.regex(explained, new RegExp(`^ +${field}\\t`, 'm'));

    t.is(await create(deployment), 'deployment.apps/web created\n');
    t.regex(await ok('rollout', 'status', 'deployment/web', '--watch=false'), /^Waiting for deployment spec update to be observed/);
    const status = {observedGeneration: 1, replicas: 2, updatedReplicas: 2, readyReplicas: 1, availableReplicas: 1};
    const patch = (members: object) =>
      ok('patch', 'deployment', 'web', '--subresource=status', '--type=merge', '-p', JSON.stringify({status: members}));
    await patch(status);
    t.regex(await ok('rollout', 'status', 'deployment/web', '--watch=false'), /1 of 2 updated replicas are available/);
    await patch({...status, readyReplicas: 2, availableReplicas: 2});
    t.is(await ok('rollout', 'status', 'deployment/web'), 'deployment "web" successfully rolled out\n');

    const uid = await ok('get', 'deployment/web', '-o', 'jsonpath={.metadata.uid}');
    const metadata = {
      name: 'web-1',
      labels: {app: 'web'},
      annotations: {'deployment.kubernetes.io/revision': '1', 'kubernetes.io/change-cause': 'first'},
      ownerReferences: [{apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid, controller: true}],
    };
    await create({apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata, spec: {selector: deployment.spec.selector, template}});
    t.regex(await ok('rollout', 'history', 'deployment/web'), /^deployment\.apps\/web ?\nREVISION +CHANGE-CAUSE\n1 +first\n/);
    t.regex(await ok('rollout', 'history', 'deployment/web', '--revision=1'), /^ +Image:\s+nginx:1$/m);
  });

  test(`${name} creates objects of every kind that it has a generator for`, async (t) => {
    const {ok, namespace} = await inNamespace(t, binary, 'generators');
    const made: [created: string, ...argv: string[]][] = [
      ['deployment.apps/web', 'deployment', 'web', '--image=nginx', '--replicas=2', '--port=80'],
      ['job.batch/once', 'job', 'once', '--image=busybox', '--', 'date'],
      ['cronjob.batch/nightly', 'cronjob', 'nightly', '--image=busybox', '--schedule=0 4 * * *', '--', 'date'],
      ['job.batch/now', 'job', 'now', '--from=cronjob/nightly'],
      ['configmap/settings', 'configmap', 'settings', '--from-literal=colour=blue'],
      ['secret/keys', 'secret', 'generic', 'keys', '--from-literal=token=abc'],
      ['secret/pull', 'secret', 'docker-registry', 'pull', '--docker-username=jo', '--docker-password=x'],
      ['serviceaccount/builder', 'serviceaccount', 'builder'],
      ['role.rbac.authorization.k8s.io/reader', 'role', 'reader', '--verb=get,list', '--resource=pods,deployments.apps'],
      [`clusterrole.rbac.authorization.k8s.io/${namespace}`, 'clusterrole', namespace, '--verb=get', '--resource=nodes'],
      ['rolebinding.rbac.authorization.k8s.io/builder', 'rolebinding', 'builder', '--role=reader', `--serviceaccount=${namespace}:builder`],
      [
        `clusterrolebinding.rbac.authorization.k8s.io/${namespace}`,
        'clusterrolebinding',
        namespace,
        `--clusterrole=${namespace}`,
        '--user=jo',
      ],
      ['resourcequota/few', 'quota', 'few', '--hard=pods=100'],
      ['poddisruptionbudget.policy/web', 'pdb', 'web', '--selector=app=web', '--min-available=1'],
      ['service/web', 'service', 'clusterip', 'web', '--tcp=80:8080'],
      ['ingress.networking.k8s.io/web', 'ingress', 'web', '--rule=shop.example/*=web:80'],
      [`priorityclass.scheduling.k8s.io/${namespace}`, 'priorityclass', namespace, '--value=1000'],
      [`namespace/${namespace}-own`, 'namespace', `${namespace}-own`],
    ];
    for (const [created, ...argv] of made) t.is(await ok('create', ...argv), `${created} created\n`);
    t.is(await ok('get', 'job/now', '-o', 'jsonpath={.spec.template.spec.containers[0].command}'), '["date"]');
    t.is(await ok('get', 'ingress/web', '-o', 'jsonpath={.spec.rules[0].http.paths[0].path}'), '/');
    t.is(await ok('get', 'rolebinding/builder', '-o', 'jsonpath={.subjects[0].namespace}'), namespace);
  });

  test(`${name} asks who it is and what it may do`, async (t) => {
    const {ok, run} = await inNamespace(t, binary, 'access');
    t.is(await ok('auth', 'can-i', 'create', 'deployments'), 'yes\n');
    t.is((await run('auth', 'can-i', 'create', 'deployments', '--as=nobody')).stdout, 'no\n');
    t.regex(await ok('auth', 'can-i', '--list'), /^\*\.\* +\[\] +\[\] +\[\*\]$/m);
    // 1.27 asks in versions that are gone.
    if (binary.minor !== 27) t.regex(await ok('auth', 'whoami'), /^Groups +\[.*system:masters.*\]$/m);
  });
}
