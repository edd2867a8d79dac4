import test, {type ExecutionContext} from 'ava';
import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {servedReleases} from '../../core/api/lifetimes/releases.js';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {findKubectls, kubectlFor, type KubectlBinary} from '../helpers/kubectl.js';
import {manifestFolder} from '../helpers/manifests.js';

/** The minor version of a kubectl, which one without it in its name tells itself. */
function minorOf({path, minor}: KubectlBinary): number {
  if (minor !== undefined) return minor;
  const {clientVersion} = JSON.parse(execFileSync(path, ['version', '--client', '-o', 'json'], {encoding: 'utf8'})) as {
    clientVersion: {minor: string};
  };
  return parseInt(clientVersion.minor);
}

/** Each kubectl talks to servers of its own release and of those on either side, as Kubernetes supports it. */
const pairs = findKubectls()
  .map((binary) => ({...binary, minor: minorOf(binary)}))
  .flatMap((binary) =>
    servedReleases.filter((release) => Math.abs(Number(release.split('.')[1]) - binary.minor) <= 1).map((release) => ({binary, release})),
  );

const servers = new Map<string, Promise<TestServer>>();
test.after.always(async () => {
  for (const server of servers.values()) await (await server).stop();
});

function serverOf(release: string): Promise<TestServer> {
  let server = servers.get(release);
  if (server === undefined) servers.set(release, (server = startTestServer({platform: 'kubernetes', release})));
  return server;
}

async function clientOf(t: ExecutionContext, binary: KubectlBinary, release: string) {
  const server = await serverOf(release);
  const kubectl = kubectlFor(t, binary, server.kubeconfig);
  const namespace = `k-${binary.minor}`;
  t.is((await server.client.post('/api/v1/namespaces', {metadata: {name: namespace}})).status, 201);
  return {
    ok: (...argv: string[]) => kubectl.ok(['-n', namespace, ...argv]),
    run: (...argv: string[]) => kubectl.run(['-n', namespace, ...argv]),
  };
}

if (pairs.length === 0)
  test.skip('kubectl works with servers of its release and those beside it (kubectl is not installed)', (t) => t.pass());

for (const {binary, release} of pairs) {
  test.serial(`kubectl 1.${binary.minor} works with a server of ${release}`, async (t) => {
    t.timeout(120_000);
    const {ok, run} = await clientOf(t, binary, release);
    const version = await run('version');
    t.regex(version.stdout, new RegExp(`^Server Version: .*v${release.replace('.', '\\.')}\\.`, 'm'));
    t.notRegex(version.stderr, /exceeds the supported minor version skew/);
    t.regex(await ok('api-resources'), /^pods +po +v1 +true +Pod$/m);
    t.regex(await ok('explain', 'pods.spec.containers'), /^FIELDS?: /m);
    const minor = Number(release.split('.')[1]);
    const explained = await run('explain', 'pods.spec.containers.resizePolicy');
    t.is(explained.code === 0, minor >= 27, explained.stderr);

    t.is(await ok('create', 'deployment', 'web', '--image=web:1', '--replicas=2'), 'deployment.apps/web created\n');
    t.regex(await ok('get', 'deployment/web', '-o', 'wide'), /^web +0\/2 +0 +0 +\d+s +web +web:1 +app=web$/m);
    t.is(await ok('scale', 'deployment/web', '--replicas=3'), 'deployment.apps/web scaled\n');
    t.is(await ok('set', 'image', 'deployment/web', 'web=web:2'), 'deployment.apps/web image updated\n');
    t.is(await ok('label', 'deployment/web', 'a=b'), 'deployment.apps/web labeled\n');
    const diff = await run('diff', '-f', join(manifestFolder('today'), 'pods.yaml'));
    t.true(diff.code === 1 || minor < 36, diff.stderr);
    t.regex(await ok('describe', 'deployment/web'), /^Replicas: +3 desired/m);
    t.is(await ok('run', 'one', '--image=one:1', '--restart=Never', '--port=80'), 'pod/one created\n');
    t.is(await ok('patch', 'pod/one', '--subresource=status', '--type=merge', '-p', '{"status":{"phase":"Running"}}'), 'pod/one patched\n');
    if (minor >= 33 && binary.minor >= 32) {
      const resize = JSON.stringify({spec: {containers: [{name: 'one', resources: {limits: {cpu: '200m'}}}]}});
      const resized = await run('patch', 'pod/one', '--subresource=resize', '-p', resize);
      t.regex(resized.stdout + resized.stderr, /pod\/one patched|Pod QOS Class may not change|can not be added/);
    }
    t.regex(await ok('auth', 'can-i', 'create', 'pods'), /^yes$/m);
    t.regex(await ok('get', 'all'), /^pod\/one +0\/1 +Running/m);
    t.is(
      await ok('delete', 'pod/one', 'deployment/web', '--wait=false', '--grace-period=0'),
      'pod "one" deleted\ndeployment.apps "web" deleted\n'.replaceAll(
        ' deleted',
        binary.minor >= 34 ? ` deleted from k-${binary.minor} namespace` : ' deleted',
      ),
    );
  });
}

for (const {binary, release} of pairs.filter(({release}) => release === '1.36')) {
  test.serial(
    `kubectl 1.${binary.minor} applies manifests of today strictly on a server of ${release}, and again without a change`,
    async (t) => {
      t.timeout(120_000);
      const featureGates = {ClusterTrustBundle: true, GenericWorkload: true, PodCertificateRequest: true, StorageVersionMigrator: true};
      await using server = await startTestServer({platform: 'kubernetes', release, runtimeConfig: {'api/all': true}, featureGates});
      const kubectl = kubectlFor(t, binary, server.kubeconfig);
      const apply = () => kubectl.run(['apply', '--validate=strict', '-f', manifestFolder('today')], {timeoutMillis: 60_000});
      const made = await apply();
      t.is(made.code, 0, made.stderr);
      const lines = made.stdout.trimEnd().split('\n');
      t.true(lines.length >= 60, made.stdout);
      t.deepEqual(
        lines.filter((line) => !line.endsWith(' created')),
        [],
      );
      // Client-side apply sends lists that are replaced as a whole again, because of the defaults in them: as with kube-apiserver.
      const again = await apply();
      t.is(again.code, 0, again.stderr);
      const changed = again.stdout
        .trimEnd()
        .split('\n')
        .filter((line) => !line.endsWith(' unchanged'));
      t.deepEqual(changed.map((line) => line.replace(/ configured$/, '')).toSorted(), [
        'lease.coordination.k8s.io/leader',
        'mutatingadmissionpolicy.admissionregistration.k8s.io/patch.example.com',
        'mutatingadmissionpolicy.admissionregistration.k8s.io/team.example.com',
        'mutatingwebhookconfiguration.admissionregistration.k8s.io/gadgets.example.com',
        'node/one',
        'pod/spread',
        'pod/stops-and-restarts',
        'pod/volumes',
        'poddisruptionbudget.policy/shop',
        'resourceclaimtemplate.resource.k8s.io/one-gpu',
        'statefulset.apps/store',
        'validatingadmissionpolicy.admissionregistration.k8s.io/replicas.example.com',
      ]);
    },
  );
}
