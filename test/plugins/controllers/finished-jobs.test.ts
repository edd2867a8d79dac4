import test from 'ava';
import {createServer, type Server} from '../../../core/server/index.js';
import {LocalClient} from '../../../core/registry/local/local-client.js';
import {orch} from '../../../core/api/naming/orch.js';
import {FinishedJobs} from '../../../plugins/controllers/ttl-after-finished/finished-jobs.js';
import type {ApiObject} from '../../../sdk/index.js';
import {eventually} from '../../helpers/eventually.js';
import {recordingLogger} from '../../helpers/recording-logger.js';
import {SetClock} from '../../helpers/set-clock.js';
import {tempFolder} from '../../helpers/temp-folder.js';

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
    registry: () => server.registry,
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
  const cleaner = new FinishedJobs({resources, naming: orch, logger, clock});
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
