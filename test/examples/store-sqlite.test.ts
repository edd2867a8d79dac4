import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {SqliteStoreProvider} from '../../examples/store-sqlite/plugin.js';
import {storeConformance} from '../../sdk/testing/conformance/index.js';
import {declareConformance} from '../conformance/declare-conformance.js';
import {exclusiveHarness, temporaryDirectory} from '../helpers/store-embedded.js';
import {startWithExample} from './example-server.js';

declareConformance(
  test,
  'sqlite',
  storeConformance(async (t: ExecutionContext) => {
    const dataDir = await temporaryDirectory(t);
    const open = () => new SqliteStoreProvider().open({url: 'sqlite', dataDir, historyMillis: 300_000}, new AbortController().signal);
    return exclusiveHarness(open, true);
  }),
);

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
