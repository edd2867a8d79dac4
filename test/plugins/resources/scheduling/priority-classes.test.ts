import test from 'ava';
import type {ApiObject} from '@orch-api/orch/sdk';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {causesOf} from '../status-causes.js';
import {tableRow} from '../table-row.js';

const root = '/apis/scheduling.orch/v1/priorityclasses';
let server: TestServer;
test.before(async () => {
  server = await startTestServer();
});
test.after.always(() => server?.stop());

interface PriorityClass extends ApiObject {
  value?: number;
  preemptionPolicy?: string;
}

const post = (name: string, content: object) => server.client.post(root, {metadata: {name}, ...content});

test('the classes of the system are there when the server is', async (t) => {
  const read = async (name: string) => (await server.client.get(`${root}/${name}`)).json<PriorityClass>();
  t.like(await read('system-node-critical'), {value: 2_000_001_000, preemptionPolicy: 'PreemptLowerPriority'});
  t.like(await read('system-cluster-critical'), {value: 2_000_000_000});
  t.deepEqual(await tableRow(server.client, `${root}/system-node-critical`), ['system-node-critical', 2_000_001_000, false, 'AGE']);
});

test('a class preempts by default', async (t) => {
  const {preemptionPolicy, value, metadata} = (await post('low', {value: -5})).json<PriorityClass>();
  t.is(preemptionPolicy, 'PreemptLowerPriority');
  t.is(value, -5);
  t.is(metadata.generation, 1);
});

const reserved = "priority class names with 'system-' prefix are reserved for system use only. error:";
const faulty: [name: string, content: object, fault: string][] = [
  ['high', {value: 1_000_000_001}, 'value: Forbidden: maximum allowed value of a user defined priority is 1000000000'],
  ['system-mine', {value: 1}, `metadata.name: Forbidden: ${reserved} system-mine is not a known system priority class`],
  [
    'system-node-critical',
    {value: 1},
    `metadata.name: Forbidden: ${reserved} value of system-node-critical PriorityClass must be 2000001000`,
  ],
  [
    'polite',
    {value: 1, preemptionPolicy: 'Sometimes'},
    'preemptionPolicy: Unsupported value: "Sometimes": supported values: "Never", "PreemptLowerPriority"',
  ],
];

for (const [name, content, fault] of faulty) {
  test(`the class ${name} with ${JSON.stringify(content)} is refused`, async (t) => {
    t.deepEqual(causesOf(await post(name, content)), [fault]);
  });
}

test('what a class means cannot change', async (t) => {
  await post('fixed', {value: 1, preemptionPolicy: 'Never'});
  t.deepEqual(causesOf(await server.client.patch(`${root}/fixed`, {value: 2, preemptionPolicy: 'PreemptLowerPriority'})), [
    'value: Forbidden: may not be changed in an update.',
    'preemptionPolicy: Invalid value: "PreemptLowerPriority": field is immutable',
  ]);
  const changed = await server.client.patch(`${root}/fixed`, {description: 'for others', globalDefault: true});
  t.is(changed.status, 200);
  t.is(changed.json<PriorityClass>().metadata.generation, 1);
});
