import test from 'ava';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import type {ApiObject} from '@orch-api/orch/sdk';
import type {TestClient} from '@orch-api/orch/testing';
import {until} from '../helpers/eventually.js';
import {exampleFolder, exampleObjects, startWithExample} from './example-server.js';

const example = 'backups-controller';
const maps = '/api/v1/namespaces/default/configmaps';
const backups = '/apis/backups.example.com/v1/namespaces/default/backups';

interface Backup extends ApiObject {
  status?: {copy?: string; conditions: {type: string; status: string}[]};
}

/** The Backup waits for its source, then there is a copy that belongs to it, and goes with it. */
async function isKept(t: import('ava').ExecutionContext, client: TestClient): Promise<void> {
  const [backup] = exampleObjects(example, 'backup.yaml');
  t.is((await client.post(backups, backup)).status, 201);
  const read = async () => (await client.get(`${backups}/first`)).json<Backup>();
  await until('it waits', async () => (await read()).status?.conditions[0]?.status === 'False');
  t.is((await client.post(maps, {metadata: {name: 'settings'}, data: {colour: 'blue'}})).status, 201);
  await until('it is complete', async () => (await read()).status?.conditions[0]?.status === 'True');
  const copy = (await client.get(`${maps}/first-copy`)).json<ApiObject & {data: object}>();
  t.deepEqual(copy.data, {colour: 'blue'});
  t.like(copy.metadata.ownerReferences?.[0], {kind: 'Backup', name: 'first', controller: true});
  t.is((await client.delete(`${backups}/first`)).status, 200);
  await until('the copy goes with it', async () => (await client.get(`${maps}/first-copy`)).status === 404);
}

test('the controller works inside the server', async (t) => {
  const {client} = await startWithExample(t, example);
  await isKept(t, client);
});

test('the same controller works as a program of its own, with a lease, which it releases at its end', async (t) => {
  const server = await startWithExample(t, example, {controllers: ['*', '-backups'], platform: 'kubernetes'});
  const env = {...process.env, KUBECONFIG: server.kubeconfig};
  const operator = spawn(process.execPath, [join(exampleFolder(example), 'operator.js')], {stdio: ['ignore', 'inherit', 'pipe'], env});
  t.teardown(() => void operator.kill('SIGKILL'));
  let log = '';
  operator.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  await isKept(t, server.client).catch((error: Error) => t.fail(`${error.message}\n${log}`));
  const lease = async () =>
    (await server.client.get('/apis/coordination.k8s.io/v1/namespaces/default/leases/backups-operator')).json<{
      spec: {holderIdentity: string};
    }>();
  t.regex((await lease()).spec.holderIdentity, /_/);
  const exited = once(operator, 'exit');
  operator.kill('SIGTERM');
  t.deepEqual(await exited, [0, null]);
  t.is((await lease()).spec.holderIdentity, '');
});
