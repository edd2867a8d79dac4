import {testOnEachStore} from '../../../helpers/each-store.js';
import {condition, eventually, WorkloadUnderTest} from './workload-under-test.js';

const eachStore = testOnEachStore({platform: 'kubernetes', cluster: true, controllers: ['*', '-ttl-after-finished']});
const storeTest: typeof eachStore = (title, run) => eachStore(title, run, {serial: true});

function spec(more: object = {}, restartPolicy = 'Never') {
  return {template: {spec: {restartPolicy, containers: [{name: 'main', image: 'registry.example.com/app:1'}]}}, ...more};
}

const index = 'batch.kubernetes.io/job-completion-index';

/** Ends a pod: with an exit code, or in success. */
async function end(job: WorkloadUnderTest, name: string, exitCode = 0, at = Date.now()): Promise<void> {
  const finishedAt = new Date(at).toISOString().replace(/\.\d+/, '');
  const state = {terminated: {exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', finishedAt, startedAt: finishedAt}};
  const status = {
    phase: exitCode === 0 ? 'Succeeded' : 'Failed',
    containerStatuses: [{name: 'main', state, ready: false, restartCount: 0, image: 'i', imageID: 'i'}],
  };
  await job.send('patch', `${job.path('pods', name)}/status`, {status});
}

/** Pods that have not ended, by index and name, when there are so many. */
const running = (job: WorkloadUnderTest, count: number) =>
  eventually(
    async () =>
      (await job.pods())
        .filter(({status}) => status?.phase === 'Pending' || status?.phase === 'Running')
        .toSorted((one, other) => Number(one.metadata!.annotations?.[index] ?? 0) - Number(other.metadata!.annotations?.[index] ?? 0)),
    ({length}) => length === count,
  );

const isOver = (type: string) => (status: {conditions?: {type: string; status: string}[]}) =>
  Boolean(status.conditions?.some((found) => found.type === type && found.status === 'True'));

storeTest('a Job has its completions succeed, a few at a time, and is complete once all are counted', async (t, context) => {
  const job = await WorkloadUnderTest.create(context, 'jobs', 'sum', spec({completions: 3, parallelism: 2}));
  const [first, second] = await running(job, 2);
  t.deepEqual(first!.metadata!.finalizers, ['batch.kubernetes.io/job-tracking']);
  t.like(first!.metadata!.ownerReferences, [{kind: 'Job', name: 'sum', controller: true}]);
  await end(job, first!.metadata!.name!);
  await end(job, second!.metadata!.name!);
  const [third] = await running(job, 1);
  t.is((await job.until(({succeeded}) => succeeded === 2)).status!['active'], 1);
  await end(job, third!.metadata!.name!);
  const complete = await job.until(isOver('Complete'));
  t.is(condition(complete, 'Complete'), 'True CompletionsReached Reached expected number of succeeded pods');
  t.is(condition(complete, 'SuccessCriteriaMet'), 'True CompletionsReached Reached expected number of succeeded pods');
  t.like(complete.status, {succeeded: 3, ready: 0, terminating: 0, uncountedTerminatedPods: {}});
  t.is(complete.status!['active'], undefined);
  t.truthy(complete.status!['completionTime']);
  for (const {metadata} of await job.pods()) t.is(metadata!.finalizers, undefined);
  const events = await eventually(
    () => job.events(),
    (all) => all.some((text) => text.includes('Completed')),
  );
  t.is(events.filter((text) => text.startsWith('Normal SuccessfulCreate Created pod: sum-')).length, 3);
  t.true(events.includes('Normal Completed Job completed (1)'));
});

storeTest('failed pods are replaced after growing pauses, until the limit of failures ends the Job', async (t, context) => {
  const job = await WorkloadUnderTest.create(context, 'jobs', 'bad', spec({backoffLimit: 1}));
  const [first] = await running(job, 1);
  const {body} = await context.client.post('/orch/testing/clock?advance=0s', undefined);
  const now = Date.parse((JSON.parse(body.toString()) as {now: string}).now);
  await end(job, first!.metadata!.name!, 1, now);
  await job.until(({failed}) => failed === 1);
  t.deepEqual(await running(job, 0), []);
  await context.server.advance(11_000);
  const [second] = await running(job, 1);
  await end(job, second!.metadata!.name!, 1, now + 11_000);
  const failed = await job.until(isOver('Failed'));
  t.is(condition(failed, 'Failed'), 'True BackoffLimitExceeded Job has reached the specified backoff limit');
  t.is(failed.status!['failed'], 2);
});

storeTest('an indexed Job runs each index once, and a policy for success ends it early', async (t, context) => {
  const job = await WorkloadUnderTest.create(
    context,
    'jobs',
    'all',
    spec({completionMode: 'Indexed', completions: 4, parallelism: 4, successPolicy: {rules: [{succeededIndexes: '0,2'}]}}),
  );
  const pods = await running(job, 4);
  t.deepEqual(
    pods.map(({metadata, spec: made}) => [metadata!.labels?.[index], made!.hostname, made!.containers[0]!.env?.[0]?.name]),
    [0, 1, 2, 3].map((number) => [String(number), `all-${number}`, 'JOB_COMPLETION_INDEX']),
  );
  t.regex(pods[3]!.metadata!.name!, /^all-3-[a-z0-9]{5}$/);
  await end(job, pods[0]!.metadata!.name!);
  await end(job, pods[2]!.metadata!.name!);
  const complete = await job.until(isOver('Complete'));
  t.is(condition(complete, 'Complete'), 'True SuccessPolicy Matched rules at index 0');
  t.like(complete.status, {succeeded: 2, completedIndexes: '0,2'});
  await running(job, 0);
});

storeTest('failures counted by index fail that index alone, and the Job at its end', async (t, context) => {
  const job = await WorkloadUnderTest.create(
    context,
    'jobs',
    'each',
    spec({completionMode: 'Indexed', completions: 2, parallelism: 2, backoffLimitPerIndex: 0}),
  );
  const pods = await running(job, 2);
  await end(job, pods[0]!.metadata!.name!, 1);
  await job.until(({failedIndexes}) => failedIndexes === '0');
  await end(job, pods[1]!.metadata!.name!);
  const failed = await job.until(isOver('Failed'));
  t.is(condition(failed, 'Failed'), 'True FailedIndexes Job has failed indexes');
  t.like(failed.status, {succeeded: 1, failed: 1, completedIndexes: '1', failedIndexes: '0'});
});

storeTest('a policy for failed pods ends a Job at once, or does not count a failure', async (t, context) => {
  const podFailurePolicy = {
    rules: [
      {action: 'Ignore', onPodConditions: [{type: 'DisruptionTarget', status: 'True'}]},
      {action: 'FailJob', onExitCodes: {operator: 'In', values: [42]}},
    ],
  };
  const job = await WorkloadUnderTest.create(context, 'jobs', 'policy', spec({backoffLimit: 0, podFailurePolicy}));
  const [first] = await running(job, 1);
  const conditions = [{type: 'DisruptionTarget', status: 'True', lastTransitionTime: '2024-01-01T00:00:00Z'}];
  await job.send('patch', `${job.path('pods', first!.metadata!.name!)}/status`, {status: {phase: 'Failed', conditions}});
  await context.server.advance(60_000);
  const [second] = await running(job, 1);
  t.is((await job.get()).status!['failed'], undefined);
  await end(job, second!.metadata!.name!, 42);
  const failed = await job.until(isOver('Failed'));
  t.is(
    condition(failed, 'Failed'),
    `True PodFailurePolicy Container main for pod ${context.namespace}/${second!.metadata!.name} failed with exit code 42 matching FailJob rule at index 1`,
  );
});

storeTest('a suspended Job has no pods, and begins anew when it is resumed; one that is over its deadline fails', async (t, context) => {
  const job = await WorkloadUnderTest.create(context, 'jobs', 'later', spec({suspend: true, activeDeadlineSeconds: 100}));
  const suspended = await job.until(isOver('Suspended'));
  t.is(condition(suspended, 'Suspended'), 'True JobSuspended Job suspended');
  t.is(suspended.status!['startTime'], undefined);
  await job.patch({spec: {suspend: false}});
  await running(job, 1);
  t.is(condition(await job.until(({startTime}) => startTime !== undefined), 'Suspended'), 'False JobResumed Job resumed');
  await context.server.advance(101_000);
  const failed = await job.until(isOver('Failed'));
  t.is(condition(failed, 'Failed'), 'True DeadlineExceeded Job was active longer than specified deadline');
  await running(job, 0);
});

storeTest('a Job that another controller manages is left alone', async (t, context) => {
  const foreign = await WorkloadUnderTest.create(context, 'jobs', 'foreign', spec({managedBy: 'example.com/queue'}));
  const own = await WorkloadUnderTest.create(context, 'jobs', 'own', spec());
  await running(own, 1);
  t.deepEqual((await foreign.get()).status, {});
});
