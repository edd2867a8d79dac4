import test from 'ava';
import type {TestResponse} from '@orch-api/orch/testing';
import type {Job} from '../../../../sdk/types/unchecked/batch/v1.js';
import {causesOf, servedGroup} from '../served-group.js';

const client = servedGroup(test, {release: '1.36', platform: 'kubernetes'});
const jobs = '/apis/batch/v1/namespaces/default/jobs';
const template = {spec: {restartPolicy: 'Never', containers: [{name: 'work', image: 'perl:5'}]}};
const faultsOf = (response: TestResponse) => (response.status === 200 ? [] : causesOf(response));
let count = 0;
const jobOf = (spec: object = {}) => ({metadata: {name: `job-${(count += 1)}`}, spec: {template, ...spec}});
const indexed = {completionMode: 'Indexed', completions: 3, parallelism: 3};

async function make(spec: object = {}): Promise<{path: string; job: Job; put: (changes: object) => Promise<string[]>}> {
  const job = (await client().post(jobs, jobOf(spec))).json<Job>();
  const path = `${jobs}/${job.metadata.name}`;
  const put = async (changes: object) =>
    faultsOf(await client().put(path, {...job, metadata: {name: job.metadata.name}, spec: {...job.spec, ...changes}}));
  return {path, job, put};
}

/** What a job has, and its faults below `spec`; none if it is valid. */
const cases: [string, object, string[]][] = [
  ['an indexed job limits failures of each index', {...indexed, backoffLimitPerIndex: 1, maxFailedIndexes: 2}, []],
  [
    'only indexed jobs limit failures by index',
    {backoffLimitPerIndex: 1, maxFailedIndexes: 1},
    [
      'backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode',
      'maxFailedIndexes: Invalid value: 1: requires indexed completion mode',
    ],
  ],
  [
    'as many indexes may fail as there are',
    {...indexed, maxFailedIndexes: 4},
    [
      'backoffLimitPerIndex: Required value: when maxFailedIndexes is specified',
      'maxFailedIndexes: Invalid value: 4: must be less than or equal to completions',
    ],
  ],
  [
    'jobs with very many indexes have smaller limits',
    {completionMode: 'Indexed', completions: 100_001, parallelism: 10_001, backoffLimitPerIndex: -1},
    [
      'backoffLimitPerIndex: Invalid value: -1: must be greater than or equal to 0',
      'maxFailedIndexes: Required value: must be specified when completions is above 100000',
      'parallelism: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index',
    ],
  ],
  [
    'a rule fails an index where each has a limit',
    {
      podFailurePolicy: {
        rules: [
          {action: 'FailIndex', onExitCodes: {operator: 'In', values: [1]}},
          {action: 'x', onExitCodes: {operator: 'In', values: [1]}},
        ],
      },
    },
    [
      'podFailurePolicy.rules[0].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set',
      'podFailurePolicy.rules[1].action: Unsupported value: "x": supported values: "Count", "FailIndex", "FailJob", "Ignore"',
    ],
  ],
  [
    'with a failure policy only failed pods are replaced',
    {podReplacementPolicy: 'TerminatingOrFailed', podFailurePolicy: {rules: []}},
    ['podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"'],
  ],
  [
    'pods are replaced in two ways',
    {podReplacementPolicy: 'x'},
    ['podReplacementPolicy: Unsupported value: "x": supported values: "Failed", "TerminatingOrFailed"'],
  ],
  ['others act on a job', {managedBy: 'acme.example/jobs'}, []],
  [
    'who acts on a job has a domain',
    {managedBy: 'acme'},
    ['managedBy: Invalid value: "acme": must be a domain-prefixed path (such as "acme.io/foo")'],
  ],
  ['a success policy names indexes', {...indexed, successPolicy: {rules: [{succeededIndexes: '0,2', succeededCount: 1}]}}, []],
  [
    'a success policy has rules',
    {...indexed, successPolicy: {rules: []}},
    ['successPolicy.rules: Required value: at least one rules must be specified when the successPolicy is specified'],
  ],
  [
    'a success policy names indexes that there are',
    {
      ...indexed,
      successPolicy: {
        rules: [{}, {succeededIndexes: '1-3'}, {succeededIndexes: '2,1'}, {succeededIndexes: '0', succeededCount: 2}, {succeededCount: 4}],
      },
    },
    [
      'successPolicy.rules[0]: Required value: at least one of succeededCount or succeededIndexes must be specified',
      'successPolicy.rules[1].succeededIndexes: Invalid value: "1-3": error parsing succeededIndexes: too large index: "3"',
      'successPolicy.rules[2].succeededIndexes: Invalid value: "2,1": error parsing succeededIndexes: non-increasing order, previous: 2, current: 1',
      'successPolicy.rules[3].succeededCount: Invalid value: 2: must be less than or equal to 1 (the number of indexes in the specified succeededIndexes field)',
      'successPolicy.rules[4].succeededCount: Invalid value: 4: must be less than or equal to 3 (the number of specified completions)',
    ],
  ],
  [
    'only indexed jobs have a success policy',
    {successPolicy: {rules: [{succeededCount: 1}]}},
    ['successPolicy: Invalid value: {"rules":[{"succeededCount":1}]}: requires indexed completion mode'],
  ],
];

for (const [title, spec, faults] of cases) {
  test(`jobs of 1.36: ${title}`, async (t) => {
    const response = await client().post(jobs, jobOf(spec));
    if (faults.length === 0) t.is(response.status, 201, response.body.toString());
    else
      t.deepEqual(
        causesOf(response).sort(),
        faults.map((text) => `spec.${text}`),
        response.body.toString(),
      );
  });
}

test('a new job says how its pods are replaced, and has no limit of its own beside those of its indexes', async (t) => {
  const plain = await make();
  t.like(plain.job.spec, {podReplacementPolicy: 'TerminatingOrFailed', backoffLimit: 6});
  const limited = await make({...indexed, backoffLimitPerIndex: 1, podFailurePolicy: {rules: []}});
  t.like(limited.job.spec, {podReplacementPolicy: 'Failed', backoffLimit: 2_147_483_647});
});

test('labels of a job have a domain beside the older ones, and no annotation says how its pods are counted', async (t) => {
  const {job} = await make();
  const {uid = '', name = ''} = job.metadata;
  const labels = {'controller-uid': uid, 'job-name': name, 'batch.kubernetes.io/controller-uid': uid, 'batch.kubernetes.io/job-name': name};
  t.deepEqual(job.spec?.template?.metadata?.labels, labels);
  t.deepEqual(job.spec?.selector, {matchLabels: {'batch.kubernetes.io/controller-uid': uid}});
  t.is(job.metadata.annotations, undefined);
});

test('a job without labels has those of its template, with the generated ones, and says who makes its selector', async (t) => {
  const labelled = {...template, metadata: {labels: {app: 'x'}}};
  const {job} = await make({template: labelled});
  t.deepEqual(job.metadata.labels, job.spec?.template?.metadata?.labels);
  t.like(job.metadata.labels, {app: 'x', 'controller-uid': job.metadata.uid!, 'job-name': job.metadata.name!});
  t.false(job.spec?.manualSelector);
  const own = {metadata: {name: 'labelled', labels: {app: 'x'}}, spec: {template: labelled}};
  t.deepEqual((await client().post(jobs, own)).json<Job>().metadata.labels, {app: 'x'});
});

test('an indexed job grows with its parallelism, and what decides its end stays', async (t) => {
  const {put} = await make({...indexed, backoffLimitPerIndex: 1, managedBy: 'a.example/b'});
  t.deepEqual(await put({completions: 4}), ['spec.completions: Invalid value: 4: can only be modified in tandem with spec.parallelism']);
  t.deepEqual(await put({backoffLimitPerIndex: 2, managedBy: 'a.example/c', successPolicy: {rules: [{succeededCount: 1}]}}), [
    'spec.backoffLimitPerIndex: Invalid value: 2: field is immutable',
    'spec.managedBy: Invalid value: "a.example/c": field is immutable',
    'spec.successPolicy: Invalid value: {"rules":[{"succeededCount":1}]}: field is immutable',
  ]);
  t.deepEqual(await put({completions: 4, parallelism: 4}), []);
});

test('resources of the pods of a suspended job can change', async (t) => {
  const withCpu = {
    ...template,
    spec: {...template.spec, containers: [{...template.spec.containers[0], resources: {requests: {cpu: '1'}}}]},
  };
  const suspended = await make({suspend: true});
  const running = await make();
  const change = ({job}: {job: Job}) => {
    const stored = job.spec?.template;
    const [container] = stored?.spec?.containers ?? [];
    return {template: {...stored, spec: {...stored?.spec, containers: [{...container, resources: withCpu.spec.containers[0]!.resources}]}}};
  };
  t.deepEqual(await suspended.put(change(suspended)), []);
  t.regex((await running.put(change(running)))[0]!, /^spec\.template: Invalid value: .*: field is immutable$/s);
});

test('conditions of the end of a job agree with one another and with its counts', async (t) => {
  const {path, job} = await make({...indexed, backoffLimitPerIndex: 1});
  const put = async (status: object) =>
    faultsOf(await client().put(`${path}/status`, {...job, metadata: {name: job.metadata.name}, status}));
  const conditions = (...types: string[]) => ({conditions: types.map((type) => ({type, status: 'True'}))});
  const startTime = '2026-01-01T00:00:00Z';
  t.deepEqual(
    await put({
      ...conditions('Complete', 'Failed'),
      active: 1,
      ready: 2,
      terminating: 1,
      failed: 1,
      completedIndexes: '0-1',
      failedIndexes: '1,x',
    }),
    [
      'status.conditions: Invalid value: cannot set Complete=True and Failed=true conditions',
      'status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition',
      'status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
      'status.ready: Invalid value: 2: cannot set more ready pods than active',
      'status.active: Invalid value: 1: active>0 is invalid for finished job',
      'status.startTime: Required value: startTime is required for finished job',
      'status.terminating: Invalid value: 1: terminating>0 is invalid for finished job',
      'status.completionTime: Required value: completionTime is required for Complete jobs',
      'status.failedIndexes: Invalid value: "1,x": error parsing failedIndexes: cannot convert string to integer for index: "x"',
      'status.failedIndexes: Invalid value: "1,x": failedIndexes and completedIndexes overlap at index: 1',
    ],
  );
  t.deepEqual(await put({...conditions('FailureTarget'), startTime, failed: 2, failedIndexes: '0'}), []);
  t.deepEqual(await put({...conditions('SuccessCriteriaMet'), startTime: '2026-01-02T00:00:00Z', failed: 1, failedIndexes: '0'}), [
    'status.startTime: Invalid value: "2026-01-02T00:00:00Z": field is immutable for unsuspended job once set',
    'status.conditions: Invalid value: cannot disable the terminal FailureTarget=True condition',
    'status.failed: Invalid value: 1: cannot decrease the failed counter',
  ]);
  t.deepEqual(await put({...conditions('FailureTarget', 'Failed'), startTime, failed: 2, failedIndexes: '0'}), []);
});
