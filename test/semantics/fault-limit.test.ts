import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {assertFailure} from './answers.js';
import {isWithin, longestTurn} from '../helpers/longest-turn.js';
import {configMap} from './fixtures.js';

let server: TestServer;
test.before(async () => void (server = await startTestServer({store: 'memory', controllers: ['*', '-garbagecollector']})));
test.after.always(() => server.stop());

const path = (resource: string) => `/api/v1/namespaces/default/${resource}`;
const repeat = (count: number, text: string) => `[${`${text},`.repeat(count - 1)}${text}]`;

test('of very many faults a part is told, and how many more there are', async (t) => {
  const labels = Object.fromEntries(Array.from({length: 400}, (_, index) => [`bad key ${index}`, 'x']));
  const response = await server.client.post(path('configmaps'), configMap('one', {}, {labels}));
  const {details, message} = assertFailure(t, response, 422, 'Invalid', /, and 200 more\]$/);
  t.is(details?.causes?.length, 200);
  t.true(message.length < 100_000);
});

test('a fault shows no more of a value than one can read', async (t) => {
  const response = await server.client.post(path('configmaps'), configMap('one', {}, {finalizers: ['x'.repeat(100_000)]}));
  const {message} = assertFailure(t, response, 422, 'Invalid', /metadata.finalizers: Invalid value: "xxx/);
  t.true(message.length < 10_000);
});

test('many controlling owners are one fault, which does not quote the list', async (t) => {
  const owner = {apiVersion: 'v1', kind: 'ConfigMap', name: 'boss', controller: true};
  const ownerReferences = Array.from({length: 4500}, (_, index) => ({...owner, uid: `uid-${index}`}));
  const body = Buffer.from(JSON.stringify(configMap('one', {}, {ownerReferences})));
  const send = () => server.client.post(path('configmaps'), body, {headers: {'content-type': 'application/json'}});
  await send();
  const {result, longestMillis} = await longestTurn(send);
  const {details, message} = assertFailure(t, result, 422, 'Invalid', /Only one reference can have Controller set to true/);
  t.is(details?.causes?.length, 1);
  t.true(message.length < 1000);
  t.log(`${longestMillis.toFixed(0)} ms in one turn`);
  t.true(await isWithin(longestMillis, 150));
});

const longOwner = (uid: string) => ({apiVersion: 'v1', kind: 'x'.repeat(300_000), name: 'n', uid, controller: true});
for (const [what, metadata] of [
  ['kinds of owners', {ownerReferences: [longOwner('u'), longOwner('v')]}],
  ['labels', {labels: Object.fromEntries(Array.from({length: 200}, (_, index) => [`${'x'.repeat(3000)} ${index}`, 'y'.repeat(3000)]))}],
  ['a name', {name: 'x'.repeat(1_000_000)}],
  ['a namespace', {namespace: 'x'.repeat(1_000_000)}],
] as const) {
  test(`whatever is long in ${what}, a refusal stays short`, async (t) => {
    const response = await server.client.post(path('configmaps'), configMap('one', {}, metadata));
    t.true(response.status === 422 || response.status === 400, String(response.status));
    t.true(response.body.length < 150_000, String(response.body.length));
  });
}

test('of items that an apply cannot tell apart the first ones are told', async (t) => {
  const env = Array.from({length: 2000}, () => ({name: 'SAME', value: 'x'}));
  const pod = {apiVersion: 'v1', kind: 'Pod', metadata: {name: 'one'}, spec: {containers: [{name: 'c', image: 'i', env}]}};
  const response = await server.client.patch(`${path('pods')}/one?fieldManager=test`, pod, 'application/apply-patch+yaml');
  const {message} = assertFailure(t, response, 400, 'BadRequest', /duplicate entries for key/);
  t.is(message.split('duplicate entries').length - 1, 20);
});

for (const [what, resource, members] of [
  ['a pod with 600,000 empty containers', 'pods', `"spec":{"containers":${repeat(600_000, '{}')}}`],
  [
    'a pod with 60,000 wrong tolerations',
    'pods',
    `"spec":{"containers":[{"name":"a","image":"b"}],"tolerations":${repeat(60_000, '{"operator":"x"}')}}`,
  ],
  ['100,000 wrong owner references', 'configmaps', `"metadata":{"name":"one","ownerReferences":${repeat(100_000, '{}')}}`],
  ['100,000 wrong finalizers', 'configmaps', `"metadata":{"name":"one","finalizers":${repeat(100_000, '"no good"')}}`],
  ['endpoints with 200,000 empty subsets', 'endpoints', `"subsets":${repeat(200_000, '{}')}`],
] as const) {
  test(`the validation of ${what} ends early`, async (t) => {
    const body = `{"metadata":{"name":"one"},${members}}`;
    const before = process.cpuUsage();
    const response = await server.client.post(path(resource), body);
    const {user, system} = process.cpuUsage(before);
    t.true(response.status === 422 || response.status === 413, `${response.status} ${response.body.toString().slice(0, 300)}`);
    t.true(response.body.length < 100_000);
    const seconds = (user + system) / 1_000_000;
    t.log(`${response.status}: ${seconds.toFixed(2)} s of CPU`);
    t.true(await isWithin(seconds * 1000, 6000));
  });
}
