import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import type {ManagedFieldsEntry} from '../../sdk/index.js';
import {httpsClient} from '../helpers/https-client.js';
import {findKubectls, kubectlFor, type Kubectl, type KubectlBinary} from '../helpers/kubectl.js';
import {spawnOrch, type OrchProcess} from '../helpers/orch-process.js';
import {tempFolder} from '../helpers/temp-folder.js';

// 1.27 and 1.28 cannot do without OpenAPI v2.
const binaries = findKubectls().filter(({minor}) => minor === undefined || minor >= 29);

let orch: OrchProcess;
test.before(async () => {
  if (binaries.length > 0) orch = await spawnOrch({platform: 'kubernetes'});
});
test.after.always(async () => {
  await orch?.stop();
});

let namespaces = 0;

interface Workplace {
  readonly kubectl: Kubectl;
  readonly run: (argv: readonly string[], input?: string) => ReturnType<Kubectl['run']>;
  readonly ok: (argv: readonly string[], input?: string) => Promise<string>;
  /** Writes a manifest and answers its path. */
  readonly manifest: (object: object) => string;
}

async function workplace(t: ExecutionContext, binary: KubectlBinary): Promise<Workplace> {
  const kubectl = kubectlFor(t, binary, orch.kubeconfig);
  const namespace = `apply-${++namespaces}`;
  t.is(
    (await httpsClient(t, orch).post('/api/v1/namespaces', {apiVersion: 'v1', kind: 'Namespace', metadata: {name: namespace}})).status,
    201,
  );
  const file = join(tempFolder(t), 'manifest.json');
  const within = (argv: readonly string[]) => ['-n', namespace, ...argv];
  return {
    kubectl,
    run: (argv, input) => kubectl.run(within(argv), input === undefined ? {} : {input}),
    ok: (argv, input) => kubectl.ok(within(argv), input === undefined ? {} : {input}),
    manifest(object) {
      writeFileSync(file, JSON.stringify(object));
      return file;
    },
  };
}

const config = (data: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {name: 'settings', ...metadata},
  data,
});
const deployment = (replicas: number | undefined, image: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {name: 'web'},
  spec: {
    ...(replicas === undefined ? {} : {replicas}),
    selector: {matchLabels: {app: 'web'}},
    template: {metadata: {labels: {app: 'web'}}, spec: {containers: [{name: 'web', image}]}},
  },
});

if (binaries.length === 0) test.skip('kubectl applies (kubectl is not installed)', (t) => t.pass());

const [oldest, newest] = [binaries[0], binaries.at(-1)];

for (const binary of binaries) {
  const name = binary.minor === undefined ? 'kubectl' : `kubectl 1.${binary.minor}`;

  test(`${name} applies on the server: creates, changes, reports conflicts and forces them`, async (t) => {
    const {ok, run, manifest} = await workplace(t, binary);
    const field = (path: string, what = 'configmap/settings') => ok(['get', what, '-o', `jsonpath={${path}}`]);
    t.is(
      await ok(['apply', '--server-side', '-f', manifest(config({colour: 'blue', size: '1'}))]),
      'configmap/settings serverside-applied\n',
    );
    t.is(await ok(['apply', '--server-side', '-f', manifest(config({colour: 'red'}))]), 'configmap/settings serverside-applied\n');
    t.is(await field('.data'), '{"colour":"red"}');
    const refused = await run(['apply', '--server-side', '--field-manager=other', '-f', manifest(config({colour: 'green'}))]);
    t.is(refused.code, 1);
    t.regex(refused.stderr, /^error: Apply failed with 1 conflict: conflict with "kubectl": \.data\.colour\n/);
    t.regex(refused.stderr, /--force-conflicts/);
    t.is(await field('.data.colour'), 'red');
    t.is(
      await ok(['apply', '--server-side', '--field-manager=other', '--force-conflicts', '-f', manifest(config({colour: 'green'}))]),
      'configmap/settings serverside-applied\n',
    );
    t.is(await field('.data.colour'), 'green');
    const shown = await ok(['get', 'configmap/settings', '-o', 'json', '--show-managed-fields']);
    const entries = (JSON.parse(shown) as {metadata: {managedFields: ManagedFieldsEntry[]}}).metadata.managedFields;
    t.deepEqual(
      entries.map(({manager, operation, fieldsV1}) => [manager, operation, fieldsV1]),
      [['other', 'Apply', {'f:data': {'f:colour': {}}}]],
    );
  });

  // What differs between releases is how they send an apply; of the rest two are enough.
  if (binary !== oldest && binary !== newest) continue;

  test(`${name} finds conflicts in workloads by the path of the container, and scales past them`, async (t) => {
    const {ok, run, manifest} = await workplace(t, binary);
    await ok(['apply', '--server-side', '-f', manifest(deployment(1, 'web:1'))]);
    await ok(['scale', 'deployment/web', '--replicas=3']);
    const scaled = await run(['apply', '--server-side', '-f', manifest(deployment(1, 'web:2'))]);
    t.is(scaled.code, 1);
    t.regex(scaled.stderr, /conflict with "kubectl[.0-9]*" with subresource "scale" using apps\/v1: \.spec\.replicas/);
    t.is(await ok(['apply', '--server-side', '-f', manifest(deployment(undefined, 'web:2'))]), 'deployment.apps/web serverside-applied\n');
    t.is(await ok(['get', 'deployment/web', '-o', 'jsonpath={.spec.replicas} {.spec.template.spec.containers[0].image}']), '3 web:2');
    await ok(['set', 'image', 'deployment/web', 'web=web:3']);
    const changed = await run(['apply', '--server-side', '-f', manifest(deployment(undefined, 'web:4'))]);
    t.is(changed.code, 1);
    t.regex(changed.stderr, /conflict with "kubectl-set" using apps\/v1: \.spec\.template\.spec\.containers\[name="web"\]\.image/);
  });

  test(`${name} applies from its own side, sees differences and refuses mistakes`, async (t) => {
    const {ok, run, manifest} = await workplace(t, binary);
    t.is(await ok(['apply', '-f', manifest(config({colour: 'blue', size: '1'}))]), 'configmap/settings created\n');
    t.is(await ok(['apply', '-f', manifest(config({colour: 'blue', size: '1'}))]), 'configmap/settings unchanged\n');
    const diff = await run(['diff', '-f', manifest(config({colour: 'red', size: '1'}))]);
    t.is(diff.code, 1, diff.stderr);
    t.regex(diff.stdout, /^-\s+colour: blue$/m);
    t.regex(diff.stdout, /^\+\s+colour: red$/m);
    t.is(
      (
        await run([
          'diff',
          '--server-side',
          '--field-manager=kubectl-client-side-apply',
          '-f',
          manifest(config({colour: 'blue', size: '1'})),
        ])
      ).code,
      0,
    );
    t.is(await ok(['apply', '-f', manifest(config({colour: 'red'}))]), 'configmap/settings configured\n');
    t.is(await ok(['get', 'configmap/settings', '-o', 'jsonpath={.data}']), '{"colour":"red"}');
    for (const [flags, problem] of [
      [[], /unknown field "datum"/],
      [['--server-side'], /\/v1, Kind=ConfigMap\): \.datum: field not declared in schema/],
    ] as const) {
      const wrong = await run(['apply', ...flags, '-f', manifest({...config({colour: 'red'}), datum: {}})]);
      t.is(wrong.code, 1);
      t.regex(wrong.stderr, problem);
    }
  });

  test(`${name} goes from applying on its side to applying on the server without a conflict, and back`, async (t) => {
    const {ok, manifest} = await workplace(t, binary);
    const annotation = () =>
      ok(['get', 'configmap/settings', '-o', 'jsonpath={.metadata.annotations.kubectl\\.kubernetes\\.io/last-applied-configuration}']);
    await ok(['apply', '-f', manifest(config({colour: 'blue', size: '1'}))]);
    t.is(
      await ok(['apply', '--server-side', '-f', manifest(config({colour: 'red', size: '1'}))]),
      'configmap/settings serverside-applied\n',
    );
    t.is(await ok(['apply', '--server-side', '-f', manifest(config({colour: 'red'}))]), 'configmap/settings serverside-applied\n');
    t.is(await ok(['get', 'configmap/settings', '-o', 'jsonpath={.data}']), '{"colour":"red"}');
    t.deepEqual((JSON.parse(await annotation()) as {data: object}).data, {colour: 'red'});
    t.is(await ok(['apply', '-f', manifest(config({shape: 'round'}))]), 'configmap/settings configured\n');
    t.is(await ok(['get', 'configmap/settings', '-o', 'jsonpath={.data}']), '{"shape":"round"}');
  });

  test(`${name} applies as a dry run without leaving anything`, async (t) => {
    const {ok, run, manifest} = await workplace(t, binary);
    t.is(
      await ok(['apply', '--server-side', '--dry-run=server', '-f', manifest(config({colour: 'blue'}))]),
      'configmap/settings serverside-applied (server dry run)\n',
    );
    t.is((await run(['get', 'configmap/settings'])).code, 1);
  });
}
