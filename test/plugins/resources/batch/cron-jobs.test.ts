import test, {type ExecutionContext} from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import type {CronJob} from '@orch-api/orch/types/unchecked/batch/v1';
import {causesOf} from '../status-causes.js';
import {tableRow} from '../table-row.js';

const root = '/apis/batch/v1/namespaces/default/cronjobs';
let server: TestServer;
test.before(async () => {
  server = await startTestServer();
});
test.after.always(() => server?.stop());

const template = {spec: {restartPolicy: 'OnFailure', containers: [{name: 'work', image: 'perl:5'}]}};
const post = (name: string, spec: object = {}) =>
  server.client.post(root, {metadata: {name}, spec: {schedule: '0 4 * * *', jobTemplate: {spec: {template}}, ...spec}});

async function create(t: ExecutionContext, name: string, spec: object = {}): Promise<CronJob> {
  const response = await post(name, spec);
  t.is(response.status, 201, response.body.toString());
  return response.json<CronJob>();
}

test('[B-REM-6] a cron job is served in batch/v1 and not in batch/v1beta1, with its defaults', async (t) => {
  const {spec} = await create(t, 'defaults');
  t.like(spec, {concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1});
  t.is((await server.client.get('/apis/batch/v1beta1/cronjobs')).status, 404);
});

const faulty: [spec: object, ...faults: string[]][] = [
  [{schedule: ''}, 'spec.schedule: Required value'],
  [{schedule: '61 * * * *'}, 'spec.schedule: Invalid value: "61 * * * *": end of range (61) above maximum (59): 61'],
  [
    {schedule: 'TZ=UTC 0 4 * * *', timeZone: 'UTC'},
    'spec.schedule: Invalid value: "TZ=UTC 0 4 * * *": cannot use both timeZone field and TZ or CRON_TZ in schedule',
  ],
  [{timeZone: ''}, 'spec.timeZone: Invalid value: "": timeZone must be nil or non-empty string'],
  [
    {timeZone: 'local'},
    'spec.timeZone: Invalid value: "local": timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
  ],
  [{timeZone: 'Mars/Base'}, 'spec.timeZone: Invalid value: "Mars/Base": unknown time zone Mars/Base'],
  [{concurrencyPolicy: 'Maybe'}, 'spec.concurrencyPolicy: Unsupported value: "Maybe": supported values: "Allow", "Forbid", "Replace"'],
  [{startingDeadlineSeconds: -1}, 'spec.startingDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0'],
  [{failedJobsHistoryLimit: -1}, 'spec.failedJobsHistoryLimit: Invalid value: -1: must be greater than or equal to 0'],
  [
    {jobTemplate: {spec: {template, selector: {matchLabels: {a: 'b'}}, manualSelector: true}}},
    'spec.jobTemplate.spec.selector: Invalid value: {"matchLabels":{"a":"b"}}: `selector` will be auto-generated',
    'spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "false", "nil"',
  ],
  [
    {jobTemplate: {spec: {parallelism: -1, template: {spec: {}}}}},
    'spec.jobTemplate.spec.parallelism: Invalid value: -1: must be greater than or equal to 0',
    'spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    'spec.jobTemplate.spec.template.spec.containers: Required value',
  ],
];

for (const [index, [spec, ...faults]] of faulty.entries()) {
  test(`a cron job with ${JSON.stringify(spec)} is refused`, async (t) => {
    t.deepEqual(causesOf(await post(`faulty-${index}`, spec)), faults);
  });
}

test('a name leaves room for the names of its jobs', async (t) => {
  t.deepEqual(causesOf(await post('n'.repeat(53))), [
    `metadata.name: Invalid value: "${'n'.repeat(53)}": must be no more than 52 characters`,
  ]);
  await create(t, 'n'.repeat(52));
});

test('a time zone in the schedule works and brings a warning', async (t) => {
  const response = await post('zoned', {schedule: 'CRON_TZ=Europe/Rome 0 4 * * *'});
  t.is(response.status, 201);
  t.regex(String(response.headers['warning']), /CRON_TZ or TZ used in spec\.schedule/);
});

test('everything in a cron job may change', async (t) => {
  await create(t, 'changing');
  const spec = {schedule: '@daily', suspend: true, jobTemplate: {spec: {template: {spec: {restartPolicy: 'Never'}}}}};
  t.like((await server.client.patch(`${root}/changing`, {spec})).json<CronJob>(), {
    spec: {schedule: '@daily', suspend: true},
    metadata: {generation: 2},
  });
  t.deepEqual(causesOf(await server.client.patch(`${root}/changing`, {spec: {schedule: 'never'}})), [
    'spec.schedule: Invalid value: "never": expected exactly 5 fields, found 1: [never]',
  ]);
});

test('a Table shows schedule, jobs and the last time', async (t) => {
  await create(t, 'shown');
  const columns = ['shown', '0 4 * * *', 'False', 0, '<none>', 'AGE', 'work', 'perl:5', '<none>'];
  t.deepEqual(await tableRow(server.client, `${root}/shown`), columns);
  const status = {active: [{name: 'shown-1'}], lastScheduleTime: new Date(Date.now() - 3 * 86_400_000).toISOString()};
  t.is((await server.client.patch(`${root}/shown/status`, {status})).status, 200);
  t.deepEqual((await tableRow(server.client, `${root}/shown`)).slice(3, 5), [1, '3d']);
});
