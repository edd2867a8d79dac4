import {testOnEachStore} from '../../../helpers/each-store.js';
import {NodesUnderTest} from './node-under-test.js';

const eachStore = testOnEachStore({
  platform: 'kubernetes',
  cluster: true,
  controllers: ['*', '-garbagecollector', '-kube-scheduler', '-nodelifecycle'],
});
const storeTest: typeof eachStore = (title, run) => eachStore(title, run, {serial: true});

const taint = {key: 'example.com/broken', value: 'yes', effect: 'NoExecute'};
const toleration = (tolerationSeconds?: number) => ({
  tolerations: [{key: taint.key, operator: 'Exists', effect: 'NoExecute', ...(tolerationSeconds === undefined ? {} : {tolerationSeconds})}],
});

storeTest('pods leave a node whose taint they do not tolerate at once, others after the time that they may stay', async (t, context) => {
  const {server, client, namespace} = context;
  const nodes = new NodesUnderTest(context, client);
  await nodes.node('one');
  await nodes.pod('away', 'one');
  await nodes.pod('soon', 'one', toleration(600));
  await nodes.pod('stays', 'one', toleration());
  await nodes.change('one', {spec: {taints: [taint]}});
  const away = await nodes.podUntil('away', (pod) => pod?.metadata.deletionTimestamp !== undefined);
  t.like(
    away!.status!.conditions!.find(({type}) => type === 'DisruptionTarget'),
    {status: 'True', reason: 'DeletionByTaintManager', message: 'Taint manager: deleting due to NoExecute taint'},
  );
  t.deepEqual(await nodes.events(namespace, 'away', 'TaintManagerEviction'), [
    `Normal TaintManagerEviction Marking for deletion Pod ${namespace}/away (taint-eviction-controller)`,
  ]);
  t.is((await nodes.podUntil('soon', () => true))!.metadata.deletionTimestamp, undefined);
  await server.advance(599_000);
  t.is((await nodes.podUntil('soon', () => true))!.metadata.deletionTimestamp, undefined);
  await server.advance(2000);
  await nodes.podUntil('soon', (pod) => pod?.metadata.deletionTimestamp !== undefined);
  t.is((await nodes.podUntil('stays', () => true))!.metadata.deletionTimestamp, undefined);
});

storeTest('a pod stays if the taint is gone before its time, and an event says so', async (t, context) => {
  const {server, client, namespace} = context;
  const nodes = new NodesUnderTest(context, client);
  await nodes.node('one');
  await nodes.change('one', {spec: {taints: [taint]}});
  await nodes.pod('soon', 'one', toleration(300));
  // Whoever marks it once more finds it waiting.
  await nodes.pod('away', 'one');
  await nodes.events(namespace, 'away', 'TaintManagerEviction');
  await nodes.change('one', {spec: {taints: null}});
  t.deepEqual(await nodes.events(namespace, 'soon', 'TaintManagerEviction'), [
    `Normal TaintManagerEviction Cancelling deletion of Pod ${namespace}/soon (taint-eviction-controller)`,
  ]);
  await server.advance(400_000);
  t.is((await nodes.podUntil('soon', () => true))!.metadata.deletionTimestamp, undefined);
});
