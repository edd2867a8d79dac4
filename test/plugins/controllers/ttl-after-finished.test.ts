import test from 'ava';
import {createServer, type Server} from '../../../core/server/index.js';
import {LocalClient} from '../../../core/registry/local/local-client.js';
import {orch} from '../../../core/api/naming/orch.js';
import {MetricRegistry} from '../../../core/metrics/metric-registry.js';
import {TtlAfterFinished} from '../../../plugins/controllers/ttl-after-finished/plugin.js';
import type {ApiObject} from '../../../sdk/index.js';
import {testOnEachStore} from '../../helpers/each-store.js';
import {eventually, until} from '../../helpers/eventually.js';
import {recordingLogger} from '../../helpers/recording-logger.js';
import {SetClock} from '../../helpers/set-clock.js';
import {tempFolder} from '../../helpers/temp-folder.js';

const storeTest = testOnEachStore();
const jobs = {group: 'batch', version: 'v1', resource: 'jobs'};
const pods = {group: '', version: 'v1', resource: 'pods'};

test('a finished Job goes, its pods first, when its time is over and not before; others stay', async (t) => {
  const server: Server = await createServer({
    store: 'memory',
    securePort: 0,
    dataDir: tempFolder(t),
    controllers: ['namespace', 'garbagecollector', 'serviceaccount'],
  });
  t.teardown(() => server.stop());
  await server.start();
  const resources = new LocalClient({username: 'test', groups: ['system:masters', 'system:authenticated']}, orch, {
    registry: server.registry!,
  });
  const template = {spec: {restartPolicy: 'Never', containers: [{name: 'c', image: 'i'}]}};
  const create = (name: string, spec: object = {}) =>
    resources.create(jobs, 'default', {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: {name},
      spec: {template, ...spec},
    } as unknown as ApiObject);
  const finished = Date.parse('2030-01-01T00:00:00Z');
  const finish = (job: ApiObject, type: string, status = 'True') => {
    const time = '2030-01-01T00:00:00Z';
    const conditions = [{type, status, lastTransitionTime: time, lastProbeTime: time}];
    return resources.update(jobs, 'default', {...job, status: {conditions}} as ApiObject, 'status');
  };
  const names = async () => (await resources.list(jobs, 'default')).items.map(({metadata}) => metadata.name!).join(' ');

  const ttl = {ttlSecondsAfterFinished: 60};
  const complete = await finish(await create('complete', ttl), 'Complete');
  await finish(await create('failed', ttl), 'Failed');
  await finish(await create('later', {ttlSecondsAfterFinished: 120}), 'Complete');
  await finish(await create('never'), 'Complete');
  await finish(await create('unfinished', ttl), 'Complete', 'False');
  const ownerReferences = [{apiVersion: 'batch/v1', kind: 'Job', name: 'complete', uid: complete.metadata.uid!, blockOwnerDeletion: true}];
  const made = {apiVersion: 'v1', kind: 'Pod', metadata: {name: 'p', ownerReferences, finalizers: ['example.com/hold']}, ...template};
  await resources.create(pods, 'default', made as unknown as ApiObject);

  const clock = new SetClock(finished);
  const {logger, lines} = recordingLogger();
  const cleaner = new TtlAfterFinished(resources, orch, logger, new MetricRegistry(), clock);
  const abort = new AbortController();
  t.teardown(async () => {
    abort.abort();
    await cleaner.stop();
  });
  await cleaner.start(abort.signal);
  await eventually(
    () => clock.sleepers,
    (sleepers) => sleepers === 1,
  );
  clock.set(finished + 59_000);
  await finish(await create('seen', {ttlSecondsAfterFinished: 0}), 'Complete');
  await eventually(names, (all) => !all.includes('seen'));
  t.is(await names(), 'complete failed later never unfinished');
  clock.set(finished + 60_000);
  await eventually(names, (all) => all === 'complete later never unfinished');
  const waiting = await eventually(
    () => resources.get(jobs, 'default', 'complete'),
    ({metadata}) => typeof metadata.deletionTimestamp === 'string',
  );
  t.deepEqual(waiting.metadata.finalizers, ['foregroundDeletion']);
  await resources.patch(pods, 'default', 'p', {metadata: {finalizers: null}});
  await resources.delete(pods, 'default', 'p', {gracePeriodSeconds: 0}).catch(() => undefined);
  await eventually(names, (all) => all === 'later never unfinished');
  // Its time is made longer.
  await resources.patch(jobs, 'default', 'later', {spec: {ttlSecondsAfterFinished: 240}});
  await finish(await create('seen', {ttlSecondsAfterFinished: 0}), 'Complete');
  await eventually(names, (all) => !all.includes('seen'));
  clock.set(finished + 120_000);
  await finish(await create('seen', {ttlSecondsAfterFinished: 0}), 'Complete');
  await eventually(names, (all) => !all.includes('seen'));
  t.is(await names(), 'later never unfinished');
  clock.set(finished + 240_000);
  await eventually(names, (all) => all === 'never unfinished');
  t.deepEqual(lines, []);
});

storeTest('finished Jobs go when their time is over, their pods first, whoever leads', async (t, {client, server, path}) => {
  const list = path('jobs', 'batch/v1');
  const spec = {restartPolicy: 'Never', containers: [{name: 'c', image: 'i'}]};
  const finish = async (name: string, ttl: number | undefined) => {
    const more = ttl === undefined ? {} : {ttlSecondsAfterFinished: ttl};
    const made = await client.post(list, {metadata: {name}, spec: {...more, template: {spec}}});
    t.is(made.status, 201, made.body.toString());
    const time = new Date(Date.now() + ahead).toISOString();
    const conditions = [{type: 'Complete', status: 'True', lastTransitionTime: time, lastProbeTime: time}];
    t.is((await client.patch(`${list}/${name}/status`, {status: {conditions}})).status, 200);
    return made.json<ApiObject>();
  };
  const names = async () =>
    (await client.get(list))
      .json<{items: ApiObject[]}>()
      .items.map(({metadata}) => metadata.name!)
      .join(' ');
  let ahead = 0;
  const advance = (milliseconds: number) => {
    ahead += milliseconds;
    return server.advance(milliseconds);
  };
  const {metadata} = await finish('family', 600);
  for (const name of ['soon', 'sooner']) await finish(name, 600);
  await finish('later', 1800);
  await finish('never', undefined);
  const ownerReferences = [{apiVersion: 'batch/v1', kind: 'Job', name: 'family', uid: metadata.uid!, blockOwnerDeletion: true}];
  t.is((await client.post(path('pods'), {metadata: {name: 'p', ownerReferences, finalizers: ['example.com/hold']}, spec})).status, 201);
  await finish('now', 0);
  await until('what is due at once is gone', async () => !(await names()).includes('now'));
  await advance(540_000);
  await finish('now', 0);
  await until('what is due at once is gone', async () => !(await names()).includes('now'));
  t.is(await names(), 'family later never soon sooner');
  await advance(120_000);
  await eventually(names, (all) => all === 'family later never');
  const family = await client.get(`${list}/family`);
  t.deepEqual(family.json<ApiObject>().metadata.finalizers, ['foregroundDeletion']);
  await until('the pod is being deleted', async () => (await client.get(`${path('pods')}/p`)).json<ApiObject>().metadata.deletionTimestamp);
  await client.delete(`${path('pods')}/p?gracePeriodSeconds=0`);
  await client.patch(`${path('pods')}/p`, {metadata: {finalizers: null}});
  await eventually(names, (all) => all === 'later never');
  await advance(1_800_000);
  await eventually(names, (all) => all === 'never');
});
