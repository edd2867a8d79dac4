import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test from 'ava';
import {startWithExample} from './example-server.js';

test('a server on it keeps what it answered across a restart', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'orch-sqlite-'));
  t.teardown(() => rm(dataDir, {recursive: true, force: true}));
  const path = '/api/v1/namespaces/default/configmaps';
  const first = await startWithExample(t, 'store-sqlite', {dataDir, store: 'sqlite'});
  t.is((await first.client.post(path, {metadata: {name: 'settings'}, data: {colour: 'blue'}})).status, 201);
  await first.stop();
  const second = await startWithExample(t, 'store-sqlite', {dataDir, store: 'sqlite'});
  t.deepEqual((await second.client.get(`${path}/settings`)).json<{data: object}>().data, {colour: 'blue'});
});
