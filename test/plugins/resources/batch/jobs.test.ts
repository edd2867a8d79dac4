import test, {type ExecutionContext} from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import type {Job} from '@orch-api/orch/types/unchecked/batch/v1';
import {causesOf} from '../status-causes.js';
import {tableRow} from '../table-row.js';

const root = '/apis/batch/v1/namespaces/default/jobs';
let server: TestServer;
test.before(async () => {
  server = await startTestServer();
});
test.after.always(() => server?.stop());

const template = {spec: {restartPolicy: 'Never', containers: [{name: 'work', image: 'perl:5'}]}};
const post = (metadata: object, spec: object = {}) => server.client.post(root, {metadata, spec: {template, ...spec}});

async function create(t: ExecutionContext, metadata: object, spec: object = {}): Promise<Job> {
  const response = await post(metadata, spec);
  t.is(response.status, 201, response.body.toString());
  return response.json<Job>();
}

test('a job gets a selector of its own, labels, and the annotation that says its pods are counted', async (t) => {
  const {metadata, spec} = await create(t, {name: 'own'});
  const labels = {'controller-uid': metadata.uid!, 'job-name': 'own'};
  t.deepEqual(spec?.selector, {matchLabels: {'controller-uid': metadata.uid!}});
  t.deepEqual(spec?.template?.metadata?.labels, labels);
  t.deepEqual(metadata.labels, labels);
  t.deepEqual(metadata.annotations, {'batch.orch/job-tracking': ''});
  t.like(spec, {completions: 1, parallelism: 1, backoffLimit: 6, completionMode: 'NonIndexed', suspend: false});
});

test('a generated name is in the labels as well', async (t) => {
  const {metadata, spec} = await create(t, {generateName: 'made-'});
  t.regex(metadata.name!, /^made-/);
  t.is(spec?.template?.metadata?.labels?.['job-name'], metadata.name);
  t.is(metadata.labels?.['job-name'], metadata.name);
});

test('completions stay unset where only parallelism is given', async (t) => {
  const {spec} = await create(t, {name: 'queue'}, {parallelism: 3});
  t.is(spec?.parallelism, 3);
  t.is(spec?.completions, undefined);
});

test('a job that selects its pods itself keeps what it says', async (t) => {
  const labelled = {...template, metadata: {labels: {mine: 'yes'}}};
  const {spec, metadata} = await create(
    t,
    {name: 'manual'},
    {manualSelector: true, selector: {matchLabels: {mine: 'yes'}}, template: labelled},
  );
  t.deepEqual(spec?.selector, {matchLabels: {mine: 'yes'}});
  t.deepEqual(metadata.labels, {mine: 'yes'});
  t.deepEqual(causesOf(await post({name: 'none'}, {manualSelector: true})), [
    'spec.selector: Required value',
    'spec.template.metadata.labels: Invalid value: {}: `selector` does not match template `labels`',
  ]);
});

const policy = (...rules: object[]) => ({podFailurePolicy: {rules}});
const rule = 'spec.podFailurePolicy.rules[0]';
const faulty: [spec: object, ...faults: (string | RegExp)[]][] = [
  [
    {parallelism: -1, backoffLimit: -2},
    /^spec\.parallelism: Invalid value: -1: must be/,
    /^spec\.backoffLimit: Invalid value: -2: must be/,
  ],
  [{completionMode: 'Random'}, 'spec.completionMode: Unsupported value: "Random": supported values: "Indexed", "NonIndexed"'],
  [{completionMode: 'Indexed', parallelism: 1}, 'spec.completions: Required value: when completion mode is Indexed'],
  [
    {completionMode: 'Indexed', completions: 1, parallelism: 100_001},
    /^spec\.parallelism: Invalid value: 100001: must be less than or equal to 100000/,
  ],
  [
    {template: {spec: {containers: template.spec.containers}}},
    'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
  ],
  [
    {template: {...template, metadata: {labels: {'controller-uid': 'wrong'}}}},
    /^spec\.template\.metadata\.labels\[controller-uid\]: Invalid value: \{.*\}: must be '/,
    /^spec\.template\.metadata\.labels: Invalid value: .*`selector` does not match template `labels`/,
  ],
  [
    {selector: {matchLabels: {mine: 'yes'}}},
    /^spec\.selector: Invalid value: .*: `selector` not auto-generated$/,
    /does not match template `labels`$/,
  ],
  [
    policy({action: 'Shrug', onPodConditions: [{type: 'A'}]}),
    `${rule}.action: Unsupported value: "Shrug": supported values: "Count", "FailJob", "Ignore"`,
  ],
  [policy({onPodConditions: [{type: 'A'}]}), `${rule}.action: Required value: valid values: ["Count" "FailJob" "Ignore"]`],
  [policy({action: 'Count'}), `${rule}: Invalid value: specifying one of OnExitCodes and OnPodConditions is required`],
  [
    policy({action: 'Count', onExitCodes: {operator: 'In', values: [3, 0, 3], containerName: 'other'}}),
    `${rule}.onExitCodes.containerName: Invalid value: "other": must be one of the container or initContainer names in the pod template`,
    `${rule}.onExitCodes.values[1]: Invalid value: 0: must not be 0 for the In operator`,
    `${rule}.onExitCodes.values[2]: Duplicate value: 3`,
    `${rule}.onExitCodes.values: Invalid value: [3,0,3]: must be ordered`,
  ],
  [
    {...policy({action: 'Count', onPodConditions: [{type: 'A'}]}), template: {spec: {...template.spec, restartPolicy: 'OnFailure'}}},
    'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified',
  ],
];

for (const [index, [spec, ...expected]] of faulty.entries()) {
  test(`a job with ${JSON.stringify(spec).slice(0, 140)} is refused`, async (t) => {
    const faults = causesOf(await post({name: `faulty-${index}`}, spec));
    t.is(faults.length, expected.length, faults.join('\n'));
    for (const [position, pattern] of expected.entries()) {
      if (typeof pattern === 'string') t.is(faults[position], pattern);
      else t.regex(faults[position]!, pattern);
    }
  });
}

test('a condition of a pod failure policy is True by default', async (t) => {
  const {spec} = await create(t, {name: 'conditions'}, policy({action: 'Ignore', onPodConditions: [{type: 'DisruptionTarget'}]}));
  t.deepEqual(spec?.podFailurePolicy?.rules?.[0]?.onPodConditions, [{type: 'DisruptionTarget', status: 'True'}]);
});

test('a pod failure policy without containers to look at is refused like any other job without', async (t) => {
  const rules = [{action: 'FailJob', onExitCodes: {operator: 'In', values: [1], containerName: 'main'}}];
  const response = await post({name: 'empty'}, {podFailurePolicy: {rules}, template: {spec: {restartPolicy: 'Never', containers: null}}});
  t.deepEqual(causesOf(response), [
    'spec.podFailurePolicy.rules[0].onExitCodes.containerName: Invalid value: "main": must be one of the container or initContainer names in the pod template',
    'spec.template.spec.containers: Required value',
  ]);
});

test('pods of an indexed job must be able to have its name', async (t) => {
  const [fault] = causesOf(await post({name: 'n'.repeat(62)}, {completionMode: 'Indexed', completions: 10}));
  t.regex(fault!, /^metadata\.name: Invalid value: .*: will not able to create pod with invalid DNS label: n{62}-9$/);
});

test('what a job does is fixed, how fast and how long is not', async (t) => {
  await create(t, {name: 'fixed'}, {completions: 2});
  const patch = (spec: object) => server.client.patch(`${root}/fixed`, {spec});
  const free = {parallelism: 5, backoffLimit: 1, activeDeadlineSeconds: 60, ttlSecondsAfterFinished: 5, suspend: true};
  t.like((await patch(free)).json<Job>(), {spec: free, metadata: {generation: 2}});
  t.deepEqual(causesOf(await patch({completions: 3})), ['spec.completions: Invalid value: 3: field is immutable']);
  t.deepEqual(causesOf(await patch({completionMode: 'Indexed'})), ['spec.completionMode: Invalid value: "Indexed": field is immutable']);
  const [fault, ...rest] = causesOf(await patch({template: {spec: {priorityClassName: 'high'}}}));
  t.regex(fault!, /^spec\.template: Invalid value: \{.*\}: field is immutable$/);
  t.deepEqual(rest, []);
});

test('a suspended job that has not started can still be put elsewhere; one that has started cannot', async (t) => {
  const affinity = {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: 'zone'}]}};
  await create(t, {name: 'waiting'}, {suspend: true, template: {spec: {...template.spec, affinity}}});
  const terms = {
    requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: 'a', operator: 'Exists'}]}]},
  };
  const patch = (spec: object) => server.client.patch(`${root}/waiting`, {spec: {template: {spec}}});
  const placed = {nodeSelector: {disk: 'ssd'}, tolerations: [{key: 'gpu', operator: 'Exists'}], affinity: {nodeAffinity: terms}};
  t.is((await patch(placed)).status, 200);
  t.regex(causesOf(await patch({affinity: {podAntiAffinity: null}}))[0]!, /field is immutable$/);
  t.regex(causesOf(await patch({hostNetwork: true}))[0]!, /field is immutable$/);
  await server.client.patch(`${root}/waiting/status`, {status: {startTime: '2024-01-02T03:04:05Z'}});
  t.regex(causesOf(await patch({nodeSelector: {disk: 'hdd'}}))[0]!, /field is immutable$/);
});

test('the tracking annotation can neither be removed nor changed', async (t) => {
  const {metadata} = await create(t, {name: 'tracked'});
  const response = await server.client.patch(`${root}/tracked`, {metadata: {annotations: {'batch.orch/job-tracking': null, a: 'b'}}});
  t.deepEqual(response.json<Job>().metadata.annotations, {...metadata.annotations, a: 'b'});
});

test('the status counts pods, and each of them once', async (t) => {
  await create(t, {name: 'status'});
  const patch = (status: object) => server.client.patch(`${root}/status/status`, {status});
  t.deepEqual(causesOf(await patch({failed: -1, uncountedTerminatedPods: {succeeded: ['a', ''], failed: ['a']}})), [
    'status.failed: Invalid value: -1: must be greater than or equal to 0',
    'status.uncountedTerminatedPods.succeeded[1]: Invalid value: "": must not be empty',
    'status.uncountedTerminatedPods.failed[0]: Duplicate value: "a"',
  ]);
  t.is((await patch({succeeded: 1})).status, 200);
  const found = async (count: number) =>
    (await server.client.get(`${root}?fieldSelector=status.successful%3D${count}%2Cmetadata.name%3Dstatus`)).json<{items: Job[]}>();
  t.is((await found(1)).items.length, 1);
  t.is((await found(0)).items.length, 0);
});

test('a delete leaves the pods of a job alone unless it says otherwise', async (t) => {
  await create(t, {name: 'orphaning'});
  const response = await server.client.delete(`${root}/orphaning`);
  t.is(response.status, 200);
  t.deepEqual(response.json<Job>().metadata.finalizers, ['orphan']);
});

test('a Table shows how far a job is and how long it took', async (t) => {
  const {metadata} = await create(t, {name: 'shown'}, {completions: 3});
  const selector = `controller-uid=${metadata.uid}`;
  t.deepEqual(await tableRow(server.client, `${root}/shown`), ['shown', '0/3', '', 'AGE', 'work', 'perl:5', selector]);
  const status = {succeeded: 2, startTime: '2024-01-02T03:00:00Z', completionTime: '2024-01-02T03:05:30Z'};
  await server.client.patch(`${root}/shown/status`, {status});
  t.deepEqual((await tableRow(server.client, `${root}/shown`)).slice(1, 3), ['2/3', '5m30s']);
  await create(t, {name: 'many'}, {parallelism: 4});
  t.is((await tableRow(server.client, `${root}/many`))[1], '0/1 of 4');
});
