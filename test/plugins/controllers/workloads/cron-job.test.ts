import {testOnEachStore, type StoreContext} from '../../../helpers/each-store.js';
import {eventually, WorkloadUnderTest, type AnyObject} from './workload-under-test.js';

const eachStore = testOnEachStore({platform: 'kubernetes', cluster: true, controllers: ['*', '-ttl-after-finished']});
const storeTest: typeof eachStore = (title, run, options) => eachStore(title, run, {...options, serial: true});

const minuteMillis = 60_000;

function spec(schedule: string, more: object = {}) {
  const pod = {spec: {restartPolicy: 'Never', containers: [{name: 'main', image: 'registry.example.com/app:1'}]}};
  return {schedule, jobTemplate: {metadata: {labels: {from: 'cron'}}, spec: {template: pod}}, ...more};
}

/** The time of the server, which tests put forward. */
async function now({client}: StoreContext): Promise<number> {
  const {body} = await client.post('/orch/testing/clock?advance=0s', undefined);
  return Date.parse((JSON.parse(body.toString()) as {now: string}).now);
}

/** Puts the clock forward to shortly before, or after, the next full minutes. */
async function toMinute(context: StoreContext, minutes = 1, after = 1500): Promise<number> {
  const time = await now(context);
  const wanted = (Math.floor(time / minuteMillis) + minutes) * minuteMillis;
  await context.server.advance(wanted + after - time);
  return wanted;
}

const jobsOf = async (cron: WorkloadUnderTest) =>
  (await cron.list('jobs')).toSorted((one, other) => (one.metadata.name! < other.metadata.name! ? -1 : 1));

const has = (cron: WorkloadUnderTest, count: number) =>
  eventually(
    () => jobsOf(cron),
    ({length}) => length === count,
  );

/** Ends the pods of a Job. */
async function end(cron: WorkloadUnderTest, job: AnyObject, phase = 'Succeeded'): Promise<void> {
  const pods = await eventually(
    async () => (await cron.pods()).filter(({metadata}) => metadata!.labels?.['job-name'] === job.metadata.name),
    ({length}) => length > 0,
  );
  const finishedAt = new Date().toISOString().replace(/\.\d+/, '');
  const state = {terminated: {exitCode: phase === 'Succeeded' ? 0 : 1, reason: 'End', finishedAt, startedAt: finishedAt}};
  for (const {metadata} of pods)
    await cron.send('patch', `${cron.path('pods', metadata!.name!)}/status`, {
      status: {phase, containerStatuses: [{name: 'main', state, ready: false, restartCount: 0, image: 'i', imageID: 'i'}]},
    });
}

const eventsWith = (cron: WorkloadUnderTest, text: string) =>
  eventually(
    () => cron.events(),
    (all) => all.some((event) => event.includes(text)),
  );

storeTest('a CronJob makes a Job at each time of its schedule, and notes when the last one ran and succeeded', async (t, context) => {
  await toMinute(context, 1, 1000);
  const cron = await WorkloadUnderTest.create(context, 'cronjobs', 'tick', spec('* * * * *'));
  const time = await toMinute(context);
  const [job] = await has(cron, 1);
  t.is(job!.metadata.name, `tick-${time / minuteMillis}`);
  t.like(job!.metadata, {
    labels: {from: 'cron'},
    annotations: {'batch.kubernetes.io/cronjob-scheduled-timestamp': new Date(time).toISOString().replace('.000', '')},
    ownerReferences: [{apiVersion: 'batch/v1', kind: 'CronJob', name: 'tick', controller: true, blockOwnerDeletion: true}],
  });
  const active = await cron.until(({active: jobs}) => Array.isArray(jobs) && jobs.length === 1);
  t.like(active.status, {
    lastScheduleTime: new Date(time).toISOString().replace('.000', ''),
    active: [{apiVersion: 'batch/v1', kind: 'Job', name: job!.metadata.name, namespace: context.namespace, uid: job!.metadata.uid}],
  });
  await end(cron, job!);
  const ended = await cron.until(({active: jobs}) => jobs === undefined);
  t.is(ended.status!['lastSuccessfulTime'], (await cron.read('jobs', job!.metadata.name!)).status!['completionTime']);
  await toMinute(context);
  const both = await has(cron, 2);
  t.is(both[1]!.metadata.name, `tick-${time / minuteMillis + 1}`);
  const events = await eventsWith(cron, 'SawCompletedJob');
  t.true(events.includes(`Normal SuccessfulCreate Created job ${job!.metadata.name} (1)`));
  t.true(events.includes(`Normal SawCompletedJob Saw completed job: ${job!.metadata.name}, condition: Complete (1)`));
});

storeTest('of the times that were missed the last one has a Job', async (t, context) => {
  await toMinute(context, 1, 1000);
  const cron = await WorkloadUnderTest.create(context, 'cronjobs', 'late', spec('* * * * *', {suspend: true}));
  const time = await toMinute(context, 5);
  t.deepEqual(await jobsOf(cron), []);
  await cron.patch({spec: {suspend: false}});
  const [job, ...others] = await has(cron, 1);
  t.deepEqual(others, []);
  t.is(job!.metadata.name, `late-${time / minuteMillis}`);
});

storeTest(
  'more than a hundred missed times are warned of',
  async (t, context) => {
    await toMinute(context, 1, 1000);
    const cron = await WorkloadUnderTest.create(context, 'cronjobs', 'many', spec('* * * * *', {suspend: true}));
    await toMinute(context, 120);
    await cron.patch({spec: {suspend: false}});
    await has(cron, 1);
    const events = await eventsWith(cron, 'TooManyMissedTimes');
    t.true(
      events.some((text) =>
        text.startsWith(
          'Warning TooManyMissedTimes too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
        ),
      ),
    );
  },
  {only: 'memory'},
);

storeTest('a Job that would be too late is not made', async (t, context) => {
  await toMinute(context, 1, 1000);
  const cron = await WorkloadUnderTest.create(context, 'cronjobs', 'strict', spec('0 0 1 1 *', {startingDeadlineSeconds: 10}));
  await cron.until(() => true);
  await context.server.advance(1000);
  t.deepEqual(await jobsOf(cron), []);
});

storeTest('Forbid waits for the Job before, Replace deletes it', async (t, context) => {
  await toMinute(context, 1, 1000);
  const cron = await WorkloadUnderTest.create(context, 'cronjobs', 'one', spec('* * * * *', {concurrencyPolicy: 'Forbid'}));
  await toMinute(context);
  const [first] = await has(cron, 1);
  await cron.until(({active}) => Array.isArray(active));
  await toMinute(context);
  const events = await eventsWith(cron, 'JobAlreadyActive');
  t.true(
    events.some((text) =>
      text.startsWith('Normal JobAlreadyActive Not starting job because prior execution is running and concurrency policy is Forbid'),
    ),
  );
  t.is((await jobsOf(cron)).length, 1);
  await cron.patch({spec: {concurrencyPolicy: 'Replace'}});
  const [second] = await eventually(
    () => jobsOf(cron),
    (all) => all.length === 1 && all[0]!.metadata.uid !== first!.metadata.uid,
  );
  t.not(second!.metadata.name, first!.metadata.name);
  const replaced = await eventsWith(cron, 'SuccessfulDelete');
  t.true(replaced.includes(`Normal SuccessfulDelete Deleted job ${first!.metadata.name} (1)`));
  await cron.until(({active}) => Array.isArray(active) && active.length === 1 && (active[0] as {uid: string}).uid === second!.metadata.uid);
});

storeTest('as many Jobs that have ended are kept as the limits say', async (t, context) => {
  await toMinute(context, 1, 1000);
  const limits = {successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 0};
  const cron = await WorkloadUnderTest.create(context, 'cronjobs', 'few', spec('* * * * *', limits));
  for (let round = 0; round < 2; round++) {
    await toMinute(context);
    const job = (await eventually(
      async () => (await jobsOf(cron)).find(({status}) => !status?.conditions?.some(({type}) => type === 'Complete')),
      Boolean,
    ))!;
    await end(cron, job);
    await cron.until(({active}) => active === undefined);
  }
  const [left] = await has(cron, 1);
  t.true(left!.status!.conditions!.some(({type}) => type === 'Complete'));
});

storeTest('a time zone decides when a day begins, and is in the annotation of the Job', async (t, context) => {
  await toMinute(context, 1, 1000);
  const time = await now(context);
  const shown = new Intl.DateTimeFormat('en', {timeZone: 'Asia/Kathmandu', hour: '2-digit', minute: '2-digit', hourCycle: 'h23'});
  const next = (Math.floor(time / minuteMillis) + 2) * minuteMillis;
  const [hour, minute] = shown.format(next).split(':');
  const cron = await WorkloadUnderTest.create(
    context,
    'cronjobs',
    'zone',
    spec(`${Number(minute)} ${Number(hour)} * * *`, {timeZone: 'Asia/Kathmandu'}),
  );
  await context.server.advance(next + 1500 - time);
  const [job] = await has(cron, 1);
  t.is(job!.metadata.name, `zone-${next / minuteMillis}`);
  t.true(job!.metadata.annotations!['batch.kubernetes.io/cronjob-scheduled-timestamp']!.endsWith(`T${hour}:${minute}:00+05:45`));
});

storeTest('a schedule without times, and one that names a zone itself, are warned of', async (t, context) => {
  const never = await WorkloadUnderTest.create(context, 'cronjobs', 'never', spec('0 0 31 2 *'));
  const events = await eventsWith(never, 'InvalidSchedule');
  t.deepEqual(events, [
    'Warning InvalidSchedule invalid schedule: 0 0 31 2 * : time difference between two schedules is less than 1 second (1)',
  ]);
  const zoned = await WorkloadUnderTest.create(context, 'cronjobs', 'zoned', spec('TZ=Europe/Rome 0 0 1 1 *'));
  const warned = await eventually(
    () => zoned.events(),
    (all) => all.some((text) => text.includes('UnsupportedSchedule')),
  );
  t.regex(
    warned[0]!,
    /^Warning UnsupportedSchedule CRON_TZ or TZ used in schedule "TZ=Europe\/Rome 0 0 1 1 \*" is not officially supported, see https:/,
  );
});

storeTest('a schedule that has changed is not for times that have passed', async (t, context) => {
  await toMinute(context, 1, 1000);
  const cron = await WorkloadUnderTest.create(context, 'cronjobs', 'moved', spec('TZ=UTC 0 0 1 1 *'));
  // It has been looked at.
  await eventsWith(cron, 'UnsupportedSchedule');
  await toMinute(context, 3);
  await cron.patch({spec: {schedule: '* * * * *'}});
  const time = await toMinute(context);
  const [job, ...others] = await has(cron, 1);
  t.deepEqual(others, []);
  t.is(job!.metadata.name, `moved-${time / minuteMillis}`);
});
