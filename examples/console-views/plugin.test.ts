import assert from 'node:assert/strict';
import {test} from 'node:test';
import {startTestServer} from '@orch-api/orch/testing';

test('the console knows the views, and has their modules', async () => {
  await using server = await startTestServer({plugins: [import.meta.dirname], enableConsole: true});
  const {items} = (await server.client.get('/console/views/')).json<{items: {title: string; module: string}[]}>();
  assert.deepEqual(
    items.map(({title}) => title),
    ['Config maps by namespace', 'Sizes'],
  );
  for (const {module} of items) assert.match((await server.client.get(module)).body.toString(), /export default/);
});
