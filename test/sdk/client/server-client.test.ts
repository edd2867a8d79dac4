import test from 'ava';
import {createServer} from '@orch-api/orch';
import {ConnectionError, types} from '@orch-api/orch/client';
import {tempFolder} from '../../helpers/temp-folder.js';

test('a server in the own process has a client while it runs, with full rights and the names of its platform', async (t) => {
  const server = await createServer({store: 'memory', securePort: 0, platform: 'kubernetes', dataDir: tempFolder(t)});
  t.throws(() => server.client, {message: /the server is new: its client can be used while it runs/});
  await server.start();
  t.teardown(() => server.stop());
  const {client} = server;
  t.is(server.client, client);
  t.is(client.platform.groupSuffix, 'k8s.io');
  const classes = client.resource(types.scheduling.v1.PriorityClass);
  t.is((await classes.create({metadata: {name: 'high'}, value: 5})).apiVersion, 'scheduling.k8s.io/v1');
  const watch = client.resource(types.core.v1.Namespace).watch();
  t.is((await watch.next()).value?.type, 'ADDED');
  const end = (async () => {
    for await (const _event of watch) t.pass();
  })().catch((error: unknown) => t.true(error instanceof ConnectionError));
  const began = performance.now();
  await server.stop();
  await end;
  t.true(performance.now() - began < 5000, 'neither a watch nor idle connections hold the server up');
  t.throws(() => server.client, {message: /the server is stopped/});
  await t.throwsAsync(client.getJson('/version'), {message: 'the client is closed'});
});
