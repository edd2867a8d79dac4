import {testOnEachStore} from '../../../helpers/each-store.js';
import {until} from '../../../helpers/eventually.js';
import {slowPost} from '../../../helpers/slow-request.js';
import {
  condition,
  definition,
  definitionsPath,
  establish,
  freshGroup,
  readDefinition,
  version,
  widgetOf,
  type Json,
  type StoredDefinition,
} from './definition-fixture.js';

// Bodies are held back here for as long as other requests take: no rate of arrival is asked of them.
const storeTest = testOnEachStore({limits: {minBodyRate: 1}});
const finalizer = 'customresourcecleanup.apiextensions.orch';

storeTest('deleting a definition deletes its objects, then the definition, then the type', async (t, {client, path}) => {
  const group = freshGroup();
  const name = `widgets.${group}`;
  await establish(client, definition(group));
  const url = path('widgets', `${group}/v1`);
  for (const widget of ['a', 'b', 'c']) await client.post(url, {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: widget}});
  const deleted = await client.delete(`${definitionsPath}/${name}`);
  t.is(deleted.status, 200);
  t.deepEqual(deleted.json<{metadata: Json}>().metadata['finalizers'], [finalizer]);
  await until('the deletion', async () => (await client.get(`${definitionsPath}/${name}`)).status === 404);
  t.is((await client.get(url)).status, 404);
  await establish(client, definition(group));
  t.deepEqual((await client.get(url)).json<{items: unknown[]}>().items, []);
});

storeTest(
  'a definition waits for objects that finalizers hold and says so, and takes no new ones [A-CRD-110] [A-OTHER-1]',
  async (t, {client, path}) => {
    const group = freshGroup();
    const name = `widgets.${group}`;
    await establish(client, definition(group));
    const url = path('widgets', `${group}/v1`);
    await client.post(url, {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: 'held', finalizers: ['example.com/hold']}});
    await client.delete(`${definitionsPath}/${name}`);
    const waiting = await until('the objects to be looked at', async () => {
      const stored = await readDefinition(client, name);
      return condition(stored, 'Terminating')?.reason === 'InstanceDeletionInProgress' && stored;
    });
    t.is(condition(waiting, 'Terminating')?.status, 'True');
    t.is((await client.post(url, {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: 'late'}})).status, 405);
    const applied = await client.patch(
      `${url}/late?fieldManager=m`,
      {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: 'late'}},
      'application/apply-patch+yaml',
    );
    t.is(applied.status, 405);
    t.is((await client.patch(`${url}/held`, {metadata: {finalizers: null}})).status, 200);
    await until('the deletion', async () => (await client.get(`${definitionsPath}/${name}`)).status === 404);
  },
);

storeTest('what was asked for the dependents of an object holds when its definition is deleted after it', async (t, {start}) => {
  // Nobody takes the finalizers away that keep it.
  const {client} = await start({controllers: ['-*']});
  const group = freshGroup();
  const name = `widgets.${group}`;
  await establish(client, definition(group));
  const url = `/apis/${group}/v1/namespaces/default/widgets`;
  for (const policy of ['Orphan', 'Foreground']) {
    const metadata = {name: policy.toLowerCase()};
    await client.post(url, {apiVersion: `${group}/v1`, kind: 'Widget', metadata});
    await client.request('DELETE', `${url}/${metadata.name}`, {body: {propagationPolicy: policy}});
  }
  await client.delete(`${definitionsPath}/${name}`);
  await until('the objects to be looked at', async () => {
    const stored = await readDefinition(client, name);
    return condition(stored, 'Terminating')?.reason === 'InstanceDeletionInProgress';
  });
  const {items} = (await client.get(url)).json<{items: {metadata: Json}[]}>();
  t.deepEqual(
    items.map(({metadata}) => metadata['finalizers']),
    [['foregroundDeletion'], ['orphan']],
  );
  for (const object of ['orphan', 'foreground']) await client.patch(`${url}/${object}`, {metadata: {finalizers: null}});
  await until('the deletion', async () => (await client.get(`${definitionsPath}/${name}`)).status === 404);
});

storeTest(
  'a webhook that lets nothing be deleted, or is gone, keeps no definition: its objects go past admission',
  async (t, {client, path}) => {
    const group = freshGroup();
    const name = `widgets.${group}`;
    await establish(client, definition(group));
    const url = path('widgets', `${group}/v1`);
    await client.post(url, {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: 'protected'}});
    const configurations = '/apis/admissionregistration.orch/v1/validatingwebhookconfigurations';
    await client.post(configurations, {
      apiVersion: 'admissionregistration.orch/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: {name: group},
      webhooks: [
        {
          name: `gone.${group}`,
          clientConfig: {url: 'https://127.0.0.1:1/'},
          rules: [{operations: ['DELETE'], apiGroups: [group], apiVersions: ['*'], resources: ['*']}],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    });
    t.teardown(() => client.delete(`${configurations}/${group}`));
    await until('the webhook is asked', async () => (await client.delete(`${url}/protected?dryRun=All`)).status === 500);
    t.is((await client.delete(`${definitionsPath}/${name}`)).status, 200);
    await until('the deletion', async () => (await client.get(`${definitionsPath}/${name}`)).status === 404);
  },
);

storeTest('objects of versions that are not served are deleted too', async (t, {client, path}) => {
  const group = freshGroup();
  const name = `widgets.${group}`;
  await establish(client, definition(group));
  const url = path('widgets', `${group}/v1`);
  await client.post(url, {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: 'w'}});
  await client.patch(`${definitionsPath}/${name}`, {spec: {versions: [{...version(), served: false}]}});
  await until('the version to go', async () => (await client.get(url)).status === 404);
  await client.delete(`${definitionsPath}/${name}`);
  await until('the deletion', async () => (await client.get(`${definitionsPath}/${name}`)).status === 404);
  await establish(client, definition(group));
  t.deepEqual((await client.get(url)).json<{items: unknown[]}>().items, []);
});

storeTest('a definition that somebody else holds too says that its objects are gone', async (t, {client}) => {
  const group = freshGroup();
  const name = `widgets.${group}`;
  const body = definition(group);
  (body['metadata'] as Json)['finalizers'] = ['example.com/hold'];
  await establish(client, body);
  await client.delete(`${definitionsPath}/${name}`);
  const emptied = await until('the finalizer to go', async () => {
    const stored = await readDefinition(client, name);
    return !stored.metadata.finalizers?.includes(finalizer) && stored;
  });
  t.like(condition(emptied, 'Terminating'), {status: 'False', reason: 'InstanceDeletionCompleted', message: 'removed all instances'});
  t.is((await client.patch(`${definitionsPath}/${name}`, {metadata: {finalizers: null}})).status, 200);
  t.is((await client.get(`${definitionsPath}/${name}`)).status, 404);
});

storeTest('a definition that never was served goes at once', async (t, {client}) => {
  const group = freshGroup();
  await establish(client, definition(group));
  const twin = {
    ...definition(group, [version()], {names: {plural: 'twins', kind: 'Widget', singular: 'twin', listKind: 'TwinList'}}),
    metadata: {name: `twins.${group}`},
  };
  await client.post(definitionsPath, twin);
  await client.delete(`${definitionsPath}/twins.${group}`);
  await until('the deletion', async () => (await client.get(`${definitionsPath}/twins.${group}`)).status === 404);
  t.is((await client.get(`/apis/${group}/v1/widgets`)).status, 200);
});

storeTest(
  'objects go with their definition also if it was deleted before its status could say that it was established',
  async (t, {client, path}) => {
    const group = freshGroup();
    const name = `widgets.${group}`;
    const url = path('widgets', `${group}/v1`);
    await establish(client, definition(group));
    t.is((await client.post(url, widgetOf(group))).status, 201);
    await until('a deletion before the status is written', async () => {
      const {status, ...rest} = await readDefinition(client, name);
      const conditions = status.conditions.filter(({type}) => type !== 'Established');
      const cleared = await client.put(`${definitionsPath}/${name}/status`, {...rest, status: {...status, conditions}});
      if (cleared.status !== 200) return false;
      const {resourceVersion} = cleared.json<StoredDefinition>().metadata;
      return (await client.delete(`${definitionsPath}/${name}`, {body: {preconditions: {resourceVersion}}})).status === 200;
    });
    await until('the deletion', async () => (await client.get(`${definitionsPath}/${name}`)).status === 404);
    await establish(client, definition(group));
    t.deepEqual((await client.get(url)).json<{items: unknown[]}>().items, []);
  },
);

storeTest(
  'what arrives for a type that has gone meanwhile is stored nowhere, whatever is served in its place',
  async (t, {server, client, path}) => {
    const group = freshGroup();
    const name = `widgets.${group}`;
    const url = path('widgets', `${group}/v1`);
    const late = (widget: string) => slowPost(server, url, {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: widget}});
    const remove = async () => {
      await client.delete(`${definitionsPath}/${name}`);
      await until('the deletion', async () => (await client.get(`${definitionsPath}/${name}`)).status === 404);
      await until('the end of the type', async () => (await client.get(url)).status === 404);
    };
    await establish(client, definition(group));
    const [first, second] = [await late('first'), await late('second')];
    await remove();
    const refused = await first.finish();
    t.is(refused.status, 404, refused.body);
    await establish(client, definition(group, [version()], {scope: 'Cluster'}));
    t.is((await second.finish()).status, 404);
    t.deepEqual((await client.get(`/apis/${group}/v1/widgets`)).json<{items: unknown[]}>().items, []);
    await remove();
  },
);

storeTest(
  'what arrives while its type is emptied is refused, though the type took new objects when the request began',
  async (t, {server, client, path}) => {
    const group = freshGroup();
    const name = `widgets.${group}`;
    const url = path('widgets', `${group}/v1`);
    await establish(client, definition(group));
    t.is((await client.post(url, widgetOf(group, 'held', {metadata: {name: 'held', finalizers: ['example.com/hold']}}))).status, 201);
    const late = await slowPost(server, url, {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: 'late'}});
    await client.delete(`${definitionsPath}/${name}`);
    await until('no new ones', async () => (await client.post(url, widgetOf(group, 'other'))).status === 405);
    t.is((await late.finish()).status, 405);
    t.is((await client.patch(`${url}/held`, {metadata: {finalizers: null}})).status, 200);
    await until('the deletion', async () => (await client.get(`${definitionsPath}/${name}`)).status === 404);
  },
);

storeTest('who watches objects of a definition sees all of them go with it, in one watch', async (t, {client, path}) => {
  const group = freshGroup();
  const name = `widgets.${group}`;
  await establish(client, definition(group));
  const url = path('widgets', `${group}/v1`);
  const names = Array.from({length: 20}, (_, index) => `w${index}`);
  for (const widget of names) t.is((await client.post(url, widgetOf(group, widget))).status, 201);
  const events: string[] = [];
  const watching = (async () => {
    for await (const {type, object} of client.watch(`${url}?watch=1`)) events.push(`${type} ${object.metadata.name}`);
  })();
  await until('the watch', async () => events.length === names.length);
  await client.delete(`${definitionsPath}/${name}`);
  await watching;
  t.deepEqual(events.slice(names.length).sort(), names.map((widget) => `DELETED ${widget}`).sort());
  t.is((await client.get(url)).status, 404);
});
