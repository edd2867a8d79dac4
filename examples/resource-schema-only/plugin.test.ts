import assert from 'node:assert/strict';
import {test} from 'node:test';
import {startTestServer} from '@orch-api/orch/testing';

test('the widgets beside the manifest can be applied', async () => {
  await using server = await startTestServer({plugins: [import.meta.dirname], platform: 'kubernetes'});
  const applied = await server.applyManifests(`${import.meta.dirname}/widgets.yaml`);
  assert.ok(applied.length > 0);
  for (const {kind} of applied) assert.equal(kind, 'Widget');
});
