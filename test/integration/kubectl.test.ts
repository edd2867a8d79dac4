import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {httpsClient} from '../helpers/https-client.js';
import {findKubectls, kubectlFor, type Kubectl} from '../helpers/kubectl.js';
import {spawnOrch, type OrchProcess} from '../helpers/orch-process.js';
import {tempFolder} from '../helpers/temp-folder.js';

// 1.27 and 1.28 ask for OpenAPI v2 before they create anything; from 1.29 on v3 is enough.
const binaries = findKubectls().filter(({minor}) => minor === undefined || minor >= 29);
const newest = binaries.at(-1);
const oldest = binaries.find(({minor}) => minor === 29) ?? binaries[0];
const both = [...new Set([oldest, newest])].filter((binary) => binary !== undefined);

let orch: OrchProcess;
test.before(async () => {
  if (newest) orch = await spawnOrch({platform: 'kubernetes'});
});
test.after.always(async () => {
  await orch?.stop();
});

let namespaces = 0;

/** A kubectl with a namespace of its own for the test. */
async function inNamespace(t: ExecutionContext, binary = newest!): Promise<{kubectl: Kubectl; namespace: string}> {
  const kubectl = kubectlFor(t, binary, orch.kubeconfig);
  const namespace = `kubectl-${++namespaces}`;
  const made = await httpsClient(t, orch).post('/api/v1/namespaces', {apiVersion: 'v1', kind: 'Namespace', metadata: {name: namespace}});
  t.is(made.status, 201);
  return {kubectl, namespace};
}

/** Creates a ConfigMap from a manifest on standard input. */
function createConfigMap(kubectl: Kubectl, namespace: string, name: string, data: Record<string, string> = {}): Promise<string> {
  const input = JSON.stringify({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name}, data});
  return kubectl.ok(['-n', namespace, 'create', '-f', '-'], {input});
}

if (both.length === 0) {
  test.skip('kubectl drives the server (kubectl is not installed)', (t) => t.pass());
}

for (const binary of both) {
  const name = binary.minor === undefined ? 'kubectl' : `kubectl 1.${binary.minor}`;

  test(`${name} creates namespaces, ConfigMaps and Secrets from its arguments`, async (t) => {
    const {kubectl, namespace} = await inNamespace(t, binary);
    const run = (...argv: string[]) => kubectl.ok(['-n', namespace, ...argv]);
    t.is(await run('create', 'namespace', `${namespace}-own`), `namespace/${namespace}-own created\n`);
    t.is(await run('create', 'configmap', 'settings', '--from-literal=colour=blue'), 'configmap/settings created\n');
    t.is(await run('create', 'secret', 'generic', 'keys', '--from-literal=token=abc'), 'secret/keys created\n');
    t.is(await run('get', 'configmap', 'settings', '-o', 'jsonpath={.data.colour}'), 'blue');
    t.is(await run('get', 'secret', 'keys', '-o', 'jsonpath={.data.token}'), 'YWJj');
  });

  test(`${name} creates, reads, lists and deletes objects [A-SVC-9] [A-SVC-10] [A-SVC-13] [A-SVC-17] [A-META-1] [A-PATH-1]`, async (t) => {
    const {kubectl, namespace} = await inNamespace(t, binary);
    const run = (...argv: string[]) => kubectl.ok(['-n', namespace, ...argv]);
    t.is(await createConfigMap(kubectl, namespace, 'settings', {colour: 'blue'}), 'configmap/settings created\n');
    t.is(await run('get', 'configmap', 'settings', '-o', 'jsonpath={.data.colour}'), 'blue');
    t.regex(await run('get', 'cm'), /^NAME\s+DATA\s+AGE\nsettings\s+1\s+\S+\n$/);
    t.is(await run('get', 'cm,secret', '-o', 'name'), 'configmap/settings\n');
    t.regex(await run('delete', 'configmap', 'settings'), /^configmap "settings" deleted/);
    const gone = await kubectl.run(['-n', namespace, 'get', 'configmap', 'settings']);
    t.is(gone.code, 1);
    t.is(gone.stderr, 'Error from server (NotFound): configmaps "settings" not found\n');
  });

  test(`${name} changes objects by patches of both types, labels and annotations [A-NEG-8] [A-NEG-9] [A-SVC-16] [A-META-17]`, async (t) => {
    const {kubectl, namespace} = await inNamespace(t, binary);
    const run = (...argv: string[]) => kubectl.ok(['-n', namespace, ...argv]);
    const field = (path: string) => run('get', 'configmap', 'settings', '-o', `jsonpath={${path}}`);
    await createConfigMap(kubectl, namespace, 'settings', {colour: 'blue', size: '1'});
    await run('patch', 'configmap', 'settings', '--type=merge', '-p', '{"data":{"colour":"red","size":null,"shape":"round"}}');
    t.is(await field('.data'), '{"colour":"red","shape":"round"}');
    await run(
      'patch',
      'configmap',
      'settings',
      '--type=json',
      '-p',
      '[{"op":"replace","path":"/data/colour","value":"green"},{"op":"remove","path":"/data/shape"}]',
    );
    t.is(await field('.data'), '{"colour":"green"}');
    t.is(await run('label', 'configmap', 'settings', 'tier=front'), 'configmap/settings labeled\n');
    t.is(await field('.metadata.labels'), '{"tier":"front"}');
    t.is(await run('get', 'configmap', '-l', 'tier=front', '-o', 'name'), 'configmap/settings\n');
    t.is(await run('get', 'configmap', '-l', 'tier!=front', '-o', 'name'), '');
    t.is(await run('annotate', 'configmap', 'settings', 'note=kept here'), 'configmap/settings annotated\n');
    t.is(await field('.metadata.annotations.note'), 'kept here');
    await run('label', 'configmap', 'settings', 'tier-');
    t.is(await field('.metadata.labels'), '');
  });

  test(`${name} creates from a file, replaces, and is told of mistakes in it`, async (t) => {
    const {kubectl, namespace} = await inNamespace(t, binary);
    const file = join(tempFolder(t), 'config.yaml');
    const manifest = (colour: string, more = '') =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: filed\ndata:\n  colour: ${colour}\n${more}`;
    writeFileSync(file, manifest('blue'));
    t.is(await kubectl.ok(['-n', namespace, 'create', '-f', file]), 'configmap/filed created\n');
    writeFileSync(file, manifest('red'));
    t.is(await kubectl.ok(['-n', namespace, 'replace', '-f', file]), 'configmap/filed replaced\n');
    t.is(await kubectl.ok(['-n', namespace, 'get', 'cm', 'filed', '-o', 'jsonpath={.data.colour}']), 'red');
    writeFileSync(file, manifest('red', 'datum: {}\n').replace('filed', 'other'));
    const strict = await kubectl.run(['-n', namespace, 'create', '-f', file]);
    t.is(strict.code, 1);
    t.regex(strict.stderr, /unknown field "datum"/);
    writeFileSync(file, manifest('red'));
    const again = await kubectl.run(['-n', namespace, 'create', '-f', file]);
    t.is(again.code, 1);
    t.regex(again.stderr, /^Error from server \(AlreadyExists\): .*configmaps "filed" already exists\n$/);
  });

  test(`${name} watches objects as they come, change and go [A-SVC-11] [A-EVT-2] [A-EVT-3]`, async (t) => {
    const {kubectl, namespace} = await inNamespace(t, binary);
    const run = (...argv: string[]) => kubectl.ok(['-n', namespace, ...argv]);
    await createConfigMap(kubectl, namespace, 'first');
    const watch = kubectl.start(['-n', namespace, 'get', 'configmap', '-w', '--output-watch-events']);
    await watch.until(/^ADDED\s+first/m);
    await createConfigMap(kubectl, namespace, 'second', {a: 'b'});
    await watch.until(/^ADDED\s+second\s+1/m);
    await run('patch', 'configmap', 'first', '--type=merge', '-p', '{"data":{"x":"1","y":"2"}}');
    await watch.until(/^MODIFIED\s+first\s+2/m);
    await run('delete', 'configmap', 'second');
    await watch.until(/^DELETED\s+second/m);
    t.pass();
  });

  test(`${name} waits for a field and for a deletion`, async (t) => {
    const {kubectl, namespace} = await inNamespace(t, binary);
    const run = (...argv: string[]) => kubectl.ok(['-n', namespace, ...argv]);
    await createConfigMap(kubectl, namespace, 'slow', {state: 'new'});
    const ready = run('wait', 'configmap/slow', '--for=jsonpath={.data.state}=done', '--timeout=15s');
    await run('patch', 'configmap', 'slow', '--type=merge', '-p', '{"data":{"state":"done"}}');
    t.is(await ready, 'configmap/slow condition met\n');
    const gone = run('wait', 'configmap/slow', '--for=delete', '--timeout=15s');
    await run('delete', 'configmap', 'slow');
    t.regex(await gone, /^$|configmap\/slow condition met\n/);
    const never = await kubectl.run(['-n', namespace, 'wait', 'namespace/nothing', '--for=jsonpath={.x}=1', '--timeout=1s']);
    t.is(never.code, 1);
  });

  test(`${name} discovers resources and versions and reads raw paths`, async (t) => {
    const kubectl = kubectlFor(t, binary, orch.kubeconfig);
    const resources = await kubectl.ok(['api-resources', '--no-headers']);
    t.regex(resources, /^configmaps\s+cm\s+v1\s+true\s+ConfigMap$/m);
    t.regex(resources, /^namespaces\s+ns\s+v1\s+false\s+Namespace$/m);
    t.regex(resources, /^secrets\s+v1\s+true\s+Secret$/m);
    t.regex(resources, /^leases\s+coordination\.k8s\.io\/v1\s+true\s+Lease$/m);
    t.regex(resources, /^events\s+ev\s+v1\s+true\s+Event$/m);
    const versions = (await kubectl.ok(['api-versions'])).trim().split('\n');
    for (const version of ['v1', 'coordination.k8s.io/v1']) t.true(versions.includes(version), version);
    t.is(await kubectl.ok(['get', '--raw', '/readyz']), 'ok');
    t.is((JSON.parse(await kubectl.ok(['get', '--raw', '/version'])) as {major: string}).major, '1');
    const raw = JSON.parse(await kubectl.ok(['get', '--raw', '/api/v1/namespaces/default'])) as {metadata: {name: string}};
    t.is(raw.metadata.name, 'default');
  });
}

const whereFound = newest ? test : test.skip;

whereFound('kubectl edits by patch and sees a conflict as one', async (t) => {
  const {kubectl, namespace} = await inNamespace(t);
  const client = httpsClient(t, orch);
  const path = `/api/v1/namespaces/${namespace}/configmaps/shared`;
  await createConfigMap(kubectl, namespace, 'shared', {a: '1'});
  const before = await kubectl.ok(['-n', namespace, 'get', 'configmap', 'shared', '-o', 'yaml']);
  t.is((await client.patch(path, {data: {a: '2'}})).status, 200);
  const file = join(tempFolder(t), 'edited.yaml');
  writeFileSync(file, before.replace('a: "1"', 'a: "3"'));
  const stale = await kubectl.run(['-n', namespace, 'replace', '-f', file]);
  t.is(stale.code, 1);
  t.regex(stale.stderr, /Conflict|the object has been modified/);
  t.is((await client.get(path)).json<{data: {a: string}}>().data.a, '2');
});

whereFound('kubectl reads large collections in pages', async (t) => {
  const {kubectl, namespace} = await inNamespace(t);
  const client = httpsClient(t, orch);
  const create = (index: number) =>
    client.post(`/api/v1/namespaces/${namespace}/configmaps`, {metadata: {name: `many-${index}`}, kind: 'ConfigMap', apiVersion: 'v1'});
  const created = await Promise.all(Array.from({length: 60}, (_, index) => create(index)));
  t.true(created.every(({status}) => status === 201));
  const names = (await kubectl.ok(['-n', namespace, 'get', 'cm', '--chunk-size=7', '-o', 'name'])).trim().split('\n');
  t.is(new Set(names).size, 60);
  t.is(names.length, 60);
});

whereFound('kubectl that asks to act as somebody without permissions is refused', async (t) => {
  const kubectl = kubectlFor(t, newest!, orch.kubeconfig);
  const refused = await kubectl.run(['get', 'namespaces', '--as=somebody']);
  t.is(refused.code, 1);
  t.regex(refused.stderr, /Forbidden/);
});
