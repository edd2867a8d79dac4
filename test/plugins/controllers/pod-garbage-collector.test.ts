import type * as core from '@orch-api/orch/types/core/v1';
import {testOnEachStore, type StoreContext} from '../../helpers/each-store.js';
import {eventually} from '../../helpers/eventually.js';

const eachStore = testOnEachStore({
  platform: 'kubernetes',
  cluster: true,
  controllers: ['*', '-kube-scheduler'],
  configuration: {plugins: {'pod-garbage-collector': {config: {terminatedPodThreshold: 2}}}},
});
const storeTest: typeof eachStore = (title, run) => eachStore(title, run, {serial: true});

async function pod({client, path}: StoreContext, name: string, spec: object = {}, metadata: object = {}): Promise<void> {
  const body = {metadata: {name, ...metadata}, spec: {containers: [{name: 'main', image: 'i'}], ...spec}};
  await eventually(
    () => client.post(path('pods'), body),
    ({status}) => status === 201,
  );
}

async function patch({client, path}: StoreContext, name: string, body: object, subresource = ''): Promise<void> {
  const answer = await client.patch(`${path('pods')}/${name}${subresource}`, body);
  if (answer.status !== 200) throw new Error(answer.body.toString());
}

async function read({client, path}: StoreContext, name: string): Promise<core.Pod | undefined> {
  const answer = await client.get(`${path('pods')}/${name}`);
  return answer.status === 200 ? answer.json<core.Pod>() : undefined;
}

const gone = (context: StoreContext, name: string) =>
  eventually(
    () => read(context, name),
    (found) => found === undefined,
  );

storeTest('pods of a node that does not exist fail, with a condition that says why, and are deleted', async (t, context) => {
  const node = `${context.namespace}-lost`;
  // The finalizer keeps it, so that it can be looked at.
  await pod(context, 'lost', {nodeName: node}, {finalizers: ['example.com/look']});
  await patch(context, 'lost', {status: {phase: 'Running'}}, '/status');
  for (let look = 0; look < 4; look++) await context.server.advance(21_000);
  const found = await eventually(
    () => read(context, 'lost'),
    (each) => Boolean(each?.metadata!.deletionTimestamp),
  );
  t.is(found!.status!.phase, 'Failed');
  t.like(
    found!.status!.conditions!.find(({type}) => type === 'DisruptionTarget'),
    {
      status: 'True',
      reason: 'DeletionByPodGC',
      message: 'PodGC: node no longer exists',
    },
  );
  await patch(context, 'lost', {metadata: {finalizers: null}});
  await gone(context, 'lost');
});

storeTest('pods of a node that was missing for a short time are left alone', async (t, context) => {
  const name = `${context.namespace}-back`;
  await pod(context, 'back', {nodeName: name});
  await context.server.advance(21_000);
  await context.client.post('/api/v1/nodes', {metadata: {name}});
  for (let look = 0; look < 4; look++) await context.server.advance(21_000);
  t.is((await read(context, 'back'))!.metadata!.deletionTimestamp, undefined);
});

storeTest('pods that are being deleted leave a node that is out of service and not ready', async (t, context) => {
  const {client, namespace} = context;
  const name = `${namespace}-out`;
  await client.post('/api/v1/nodes', {metadata: {name}});
  await pod(context, 'stuck', {nodeName: name});
  await client.delete(`${context.path('pods')}/stuck`);
  await context.server.advance(21_000);
  t.truthy(await read(context, 'stuck'));
  await client.patch(`/api/v1/nodes/${name}`, {spec: {taints: [{key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute'}]}});
  for (let look = 0; look < 2; look++) await context.server.advance(21_000);
  await gone(context, 'stuck');
});

storeTest('finished pods beyond the number that may exist are deleted, evicted ones first, then the oldest', async (t, context) => {
  const names = ['one', 'two', 'three', 'four'];
  for (const name of names) {
    await pod(context, name);
    await patch(
      context,
      name,
      {status: {phase: name === 'four' ? 'Failed' : 'Succeeded', ...(name === 'four' ? {reason: 'Evicted'} : {})}},
      '/status',
    );
  }
  for (let look = 0; look < 2; look++) await context.server.advance(21_000);
  await gone(context, 'four');
  const left = await eventually(
    async () => (await context.client.get(context.path('pods'))).json<{items: core.Pod[]}>().items.map(({metadata}) => metadata!.name!),
    ({length}) => length === 2,
  );
  t.is(left.length, 2);
});
