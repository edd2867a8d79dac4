import test from 'ava';
import {join} from 'node:path';
import type {ApiObject} from '../../../sdk/index.js';
import {orch} from '../../../core/api/naming/orch.js';
import {LocalClient} from '../../../core/registry/local/local-client.js';
import {createServer} from '../../../core/server/index.js';
import {TestClient} from '../../../testing/test-client.js';
import {until} from '../../helpers/eventually.js';
import {startOrch} from '../../helpers/orch-process.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {writingPlugin} from './writing-plugin.js';

for (const place of ['timer', 'promise', 'start']) {
  test.serial(`a controller that fails in a ${place} is told in the log and started again, and the server goes on`, async (t) => {
    const orchProcess = await startOrch(t, {store: 'memory', extra: ['--plugin', writingPlugin(t)], env: {WRITER_FAILS: place}});
    const client = await TestClient.open(orchProcess.url, join(orchProcess.dataDir, 'pki'));
    t.teardown(() => client.close());
    await until('the log tells of it', () => orchProcess.logs().includes(`a bug in ${place === 'start' ? 'start' : `a ${place}`}`));
    const fault = orchProcess
      .logs()
      .split('\n')
      .find((line) => line.includes('a bug in'))!;
    t.like(JSON.parse(fault), {level: 'error', controller: 'writer'});
    const count = async () => {
      const answer = await client.get('/api/v1/namespaces/default/configmaps/written');
      return answer.status === 200 ? Number(answer.json<ApiObject & {data: {count: string}}>().data.count) : 0;
    };
    // A new instance counts from the start.
    const before = await count();
    await until('it writes again', async () => {
      const now = await count();
      return now > 0 && (before === 0 || now !== before);
    });
    t.is((await client.get('/readyz')).status, 200);
    t.is(orchProcess.child.exitCode, null);
  });
}

test.serial('a write whose guard no longer holds is refused and stores nothing, whatever the verb', async (t) => {
  const server = await createServer({store: 'memory', securePort: 0, dataDir: tempFolder(t)});
  t.teardown(() => server.stop());
  await server.start();
  const user = {username: 'test', groups: ['system:masters', 'system:authenticated']};
  const registry = server.registry!;
  const free = new LocalClient(user, orch, {registry});
  const fenced = new LocalClient(user, orch, {registry, guard: {of: () => ({type: '~leader.0', key: 'nobody', revision: 1})}});
  const maps = {group: '', version: 'v1', resource: 'configmaps'};
  const map = (name: string) => ({metadata: {name}, data: {of: name}}) as unknown as ApiObject;
  await free.create(maps, 'default', map('one'));
  const finalized = map('two');
  finalized.metadata.finalizers = ['example.com/wait'];
  await free.create(maps, 'default', finalized);
  const attempts = [
    () => fenced.create(maps, 'default', map('three')),
    () => fenced.update(maps, 'default', {...map('one'), data: {of: 'nobody'}} as unknown as ApiObject),
    () => fenced.patch(maps, 'default', 'one', {data: {of: 'nobody'}}),
    () => fenced.delete(maps, 'default', 'one'),
    () => fenced.delete(maps, 'default', 'two'),
    () => fenced.patch(maps, 'default', 'two', {metadata: {finalizers: null}, data: {of: 'nobody'}}),
    () => fenced.deleteCollection(maps, 'default'),
  ];
  // The certificates for pods may be published in the middle.
  const own = async () => (await free.list(maps, 'default')).items.filter(({metadata}) => metadata.name?.endsWith('root-ca.crt') !== true);
  const before = await own();
  for (const attempt of attempts) {
    const error = await t.throwsAsync<Error & {code: number}>(attempt);
    t.is(error.code, 503);
  }
  t.deepEqual(await own(), before);
});
