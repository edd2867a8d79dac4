import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {auditedIntoFile, eventsIn} from '../../helpers/audit-log.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {patching, testHooksOnEachStore} from '../admission/webhooks/hook-tests.js';

// Both servers of the file record into one log: its events are told apart by the namespaces of the tests.
const folder = mkdtempSync(join(tmpdir(), 'orch-test-'));
const [policy, path] = [join(folder, 'policy.yaml'), join(folder, 'audit.log')];
writeFileSync(
  policy,
  JSON.stringify({
    apiVersion: 'audit.orch/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [
      {level: 'Metadata', verbs: ['create'], resources: [{resources: ['configmaps']}]},
      {level: 'Request', verbs: ['update'], resources: [{resources: ['configmaps']}]},
    ],
  }),
);
test.after.always(() => rmSync(folder, {recursive: true, force: true}));
const eachStore = testHooksOnEachStore({auditPolicyFile: policy, flags: {'audit-log-path': path}});

eachStore(
  'mutating calls are noted with round and index at level Metadata, what they patched only from Request on [B-AUDIT-1] [B-AUDIT-2] [B-AUDIT-3] [B-AUDIT-4]',
  async (t, {client, path: at, namespace}, hooks) => {
    const add = [{op: 'add', path: '/data/added', value: 'x'}];
    const configuration = await hooks.configure('mutating', [
      {name: 'again.example.com', reinvocationPolicy: 'IfNeeded'},
      {
        name: 'patches.example.com',
        answer: ({request}) => (Object.hasOwn(request.object!['data'] as object, 'added') ? {allowed: true} : patching(add)),
      },
    ]);
    const object = {metadata: {name: 'noted'}, data: {own: 'own'}};
    t.is((await client.post(at('configmaps'), object)).status, 201);
    t.is((await client.put(`${at('configmaps')}/noted`, object)).status, 200);
    for (const [verb, level] of [
      ['create', 'Metadata'],
      ['update', 'Request'],
    ] as const) {
      const event = eventsIn(path).find(
        (one) => one.verb === verb && one.objectRef!['namespace'] === namespace && one.objectRef!['name'] === 'noted',
      );
      t.is(event!.level, level);
      t.is(event!.requestObject !== undefined, level === 'Request');
      const notes = Object.entries(event!.annotations!).filter(([, value]) => value.includes(`"${configuration}"`));
      const of = (kind: string) =>
        notes
          .filter(([key]) => key.startsWith(`${kind}.webhook.admission.orch/`))
          .map(([key, value]) => [key.split('/')[1]!.split('_').map(Number), JSON.parse(value) as Record<string, unknown>] as const);
      const mutation = of('mutation');
      const base = mutation[0]![0][3]!;
      t.deepEqual(
        mutation.map(([place, {webhook, mutated}]) => [place[1], place[3]! - base, webhook, mutated]),
        [
          [0, 0, 'again.example.com', false],
          [0, 1, 'patches.example.com', true],
          [1, 0, 'again.example.com', false],
        ],
      );
      const patches = of('patch');
      t.deepEqual(
        patches.map(([place, note]) => [place[1], place[3]! - base, note]),
        level === 'Metadata' ? [] : [[0, 1, {configuration, webhook: 'patches.example.com', patch: add, patchType: 'JSONPatch'}]],
      );
    }
  },
);

test('what Pod Security would refuse is noted', async (t) => {
  const log = auditedIntoFile(t, {rules: [{level: 'Metadata'}]});
  const server = await startTestServer(log.options);
  t.teardown(() => server.stop());
  await server.client.post('/api/v1/namespaces', {metadata: {name: 'strict', labels: {'pod-security.orch/audit': 'baseline'}}});
  const labels = {app: 'a'};
  const template = {metadata: {labels}, spec: {hostNetwork: true, containers: [{name: 'c', image: 'i'}]}};
  const deployment = {metadata: {name: 'd'}, spec: {selector: {matchLabels: labels}, template}};
  t.is((await server.client.post('/apis/apps/v1/namespaces/strict/deployments', deployment)).status, 201);
  const event = log.events().find(({stage, objectRef}) => stage === 'ResponseComplete' && objectRef?.['resource'] === 'deployments');
  t.regex(event!.annotations!['pod-security.orch/audit-violations']!, /^would violate PodSecurity "baseline:latest": host namespaces/);
});

test('an unexpected error ends a request with the stage Panic', async (t) => {
  const plugin = join(tempFolder(t), 'breaks');
  mkdirSync(plugin);
  const contributes = {routes: [{class: 'Breaks', path: '/breaks', methods: ['GET']}]};
  writeFileSync(
    join(plugin, 'plugin.json'),
    JSON.stringify({name: 'breaks', version: '1.0.0', kernel: '*', entry: './index.js', contributes}),
  );
  writeFileSync(join(plugin, 'package.json'), '{"type": "module"}');
  writeFileSync(
    join(plugin, 'index.js'),
    `import {route} from '@orch-api/orch/sdk';
export class Breaks { handle() { throw new TypeError('nobody expected this'); } }
route()(Breaks);
`,
  );
  const log = auditedIntoFile(t, {rules: [{level: 'Metadata', nonResourceURLs: ['/breaks']}]});
  const server = await startTestServer({...log.options, plugins: [plugin]});
  t.teardown(() => server.stop());
  const response = await server.client.get('/breaks');
  t.is(response.status, 500);
  t.false(response.body.toString().includes('nobody expected'));
  const [, panic, ...others] = log.events();
  t.deepEqual(others, []);
  t.like(panic, {
    stage: 'Panic',
    responseStatus: {status: 'Failure', reason: 'InternalError', message: 'panic: nobody expected this', code: 500},
  });
});
