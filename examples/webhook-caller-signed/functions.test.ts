import assert from 'node:assert/strict';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {startTestServer} from '@orch-api/orch/testing';
import signedWebhooks from './functions.js';

test('a server starts with the caller, and refuses one without its key', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'signing-'));
  t.after(() => rm(folder, {recursive: true}));
  await assert.rejects(startTestServer({plugins: [signedWebhooks]}), /keyFile is required/);
  await writeFile(join(folder, 'key'), 'secret');
  const configuration = {plugins: {'signed-webhooks': {config: {keyFile: join(folder, 'key')}}}};
  await using server = await startTestServer({plugins: [signedWebhooks], configuration});
  assert.equal((await server.client.get('/version')).status, 200);
});
