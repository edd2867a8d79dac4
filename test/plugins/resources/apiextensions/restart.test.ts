import test from 'ava';
import {until} from '../../../helpers/eventually.js';
import {startTestServer} from '@orch-api/orch/testing';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {definition, definitionsPath, establish} from './definition-fixture.js';

test('types of definitions are there from the first request after a restart, and what was being deleted is gone soon', async (t) => {
  const dataDir = tempFolder(t, 'orch-definitions-');
  const first = await startTestServer({store: 'embedded', dataDir});
  await establish(first.client, definition('kept.example.com'));
  await establish(first.client, definition('gone.example.com'));
  const widgets = (group: string) => `/apis/${group}/v1/namespaces/default/widgets`;
  for (const group of ['kept.example.com', 'gone.example.com'])
    t.is((await first.client.post(widgets(group), {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: 'w'}})).status, 201);
  await first.client.delete(`${definitionsPath}/widgets.gone.example.com`);
  await first.stop();

  const second = await startTestServer({store: 'embedded', dataDir});
  t.teardown(() => second.stop());
  t.is((await second.client.get(`${widgets('kept.example.com')}/w`)).status, 200);
  await until('the deletion', async () => (await second.client.get(`${definitionsPath}/widgets.gone.example.com`)).status === 404);
  t.is((await second.client.get(widgets('gone.example.com'))).status, 404);
});
