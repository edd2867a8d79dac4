import test, {type ExecutionContext} from 'ava';
import {ApiException, CoreV1Api, KubeConfig, makeInformer, Watch, type V1ConfigMap} from '@kubernetes/client-node';
import {spawnOrch, type OrchProcess} from '../helpers/orch-process.js';

let orch: OrchProcess;
test.before(async () => {
  orch = await spawnOrch({platform: 'kubernetes', store: 'memory'});
});
test.after.always(async () => {
  await orch?.stop();
});

let namespaces = 0;

async function inNamespace(): Promise<{config: KubeConfig; api: CoreV1Api; namespace: string}> {
  const config = new KubeConfig();
  config.loadFromFile(orch.kubeconfig);
  const api = config.makeApiClient(CoreV1Api);
  const namespace = `node-${++namespaces}`;
  await api.createNamespace({body: {metadata: {name: namespace}}});
  return {config, api, namespace};
}

/** Resolves once `holds` does; looked at again whenever `changed` is called. Fails after 10 s. */
function condition(t: ExecutionContext): {changed: () => void; until: (holds: () => boolean, what: string) => Promise<void>} {
  let look: (() => void) | undefined;
  return {
    changed: () => look?.(),
    until: (holds, what) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`never came: ${what}`)), 10_000);
        t.teardown(() => clearTimeout(timer));
        look = () => {
          if (!holds()) return;
          clearTimeout(timer);
          resolve();
        };
        look();
      }),
  };
}

test('the JavaScript client creates, reads, replaces, lists and deletes', async (t) => {
  const {api, namespace} = await inNamespace();
  const created = await api.createNamespacedConfigMap({namespace, body: {metadata: {name: 'one'}, data: {a: '1'}}});
  t.is(created.metadata?.namespace, namespace);
  t.truthy(created.metadata?.uid);
  const read = await api.readNamespacedConfigMap({namespace, name: 'one'});
  t.deepEqual(read.data, {a: '1'});
  read.data = {a: '2'};
  const replaced = await api.replaceNamespacedConfigMap({namespace, name: 'one', body: read});
  t.not(replaced.metadata?.resourceVersion, created.metadata?.resourceVersion);
  const list = await api.listNamespacedConfigMap({namespace});
  t.deepEqual(
    list.items.map((item) => item.data),
    [{a: '2'}],
  );
  await api.deleteNamespacedConfigMap({namespace, name: 'one'});
  const gone = await t.throwsAsync(api.readNamespacedConfigMap({namespace, name: 'one'}), {instanceOf: ApiException});
  t.is(gone.code, 404);
});

test('the JavaScript client pages through a list [A-QP-8] [A-CHUNK-1] [A-COLL-5] [A-COLL-6]', async (t) => {
  const {api, namespace} = await inNamespace();
  await Promise.all(
    Array.from({length: 25}, (_, index) => api.createNamespacedConfigMap({namespace, body: {metadata: {name: `item-${index}`}}})),
  );
  const names: (string | undefined)[] = [];
  const sizes: number[] = [];
  let token: string | undefined;
  do {
    const page = await api.listNamespacedConfigMap({namespace, limit: 10, ...(token ? {_continue: token} : {})});
    sizes.push(page.items.length);
    names.push(...page.items.map((item) => item.metadata?.name));
    token = page.metadata?._continue || undefined;
  } while (token);
  t.deepEqual(sizes, [10, 10, 5]);
  t.is(new Set(names).size, 25);
});

test('the JavaScript client sees every change of a watch in order [A-WATCH-1] [A-EVT-1]', async (t) => {
  const {config, api, namespace} = await inNamespace();
  const list = await api.listNamespacedConfigMap({namespace});
  const seen: string[] = [];
  const {changed, until} = condition(t);
  const controller = await new Watch(config).watch(
    `/api/v1/namespaces/${namespace}/configmaps`,
    {resourceVersion: list.metadata!.resourceVersion!},
    (type, object: V1ConfigMap) => {
      seen.push(`${type} ${object.metadata?.name} ${object.data?.n ?? ''}`.trim());
      changed();
    },
    () => undefined,
  );
  t.teardown(() => controller.abort());
  await api.createNamespacedConfigMap({namespace, body: {metadata: {name: 'w'}, data: {n: '1'}}});
  await api.replaceNamespacedConfigMap({namespace, name: 'w', body: {metadata: {name: 'w'}, data: {n: '2'}}});
  await api.deleteNamespacedConfigMap({namespace, name: 'w'});
  await until(() => seen.length >= 3, 'three events');
  t.deepEqual(seen, ['ADDED w 1', 'MODIFIED w 2', 'DELETED w 2']);
});

test('an informer of the JavaScript client ends up with the state of the server', async (t) => {
  const {config, api, namespace} = await inNamespace();
  await api.createNamespacedConfigMap({namespace, body: {metadata: {name: 'before'}, data: {n: '0'}}});
  const informer = makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, () => api.listNamespacedConfigMap({namespace}));
  const counts = {add: 0, update: 0, delete: 0};
  const {changed, until} = condition(t);
  for (const verb of ['add', 'update', 'delete'] as const) {
    informer.on(verb, () => {
      counts[verb]++;
      changed();
    });
  }
  t.teardown(() => informer.stop());
  await informer.start();
  await until(() => counts.add === 1, 'what was there before');
  for (let index = 0; index < 20; index++) {
    await api.createNamespacedConfigMap({namespace, body: {metadata: {name: `i-${index}`}, data: {n: '0'}}});
  }
  await Promise.all(
    Array.from({length: 20}, async (_, index) => {
      await api.replaceNamespacedConfigMap({namespace, name: `i-${index}`, body: {metadata: {name: `i-${index}`}, data: {n: '1'}}});
      if (index % 2 === 0) await api.deleteNamespacedConfigMap({namespace, name: `i-${index}`});
    }),
  );
  await until(() => counts.add === 21 && counts.update === 20 && counts.delete === 10, 'all changes');
  const server = await api.listNamespacedConfigMap({namespace});
  const text = (items: readonly V1ConfigMap[]) =>
    items.map((item) => `${item.metadata?.name} ${item.metadata?.resourceVersion} ${item.data?.n}`).sort((a, b) => a.localeCompare(b));
  t.deepEqual(text(informer.list(namespace)), text(server.items));
});
