import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {faultyFields} from '../served-group.js';
import {templateOwners} from './template-owners.js';

const claim = {accessModes: ['ReadWriteOncePod'], resources: {requests: {storage: '1Gi'}}};
const pod = {containers: [{name: 'main', image: 'web:1'}], volumes: [{name: 'data', ephemeral: {volumeClaimTemplate: {spec: claim}}}]};
const owners = templateOwners(pod, 'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.accessModes');

test('a template that uses what has been switched off since stays updatable; others must not begin to use it', async (t) => {
  const dataDir = tempFolder(t, 'orch-templates-');
  const first = await startTestServer({store: 'embedded', dataDir, featureGates: {ReadWriteOncePod: true}});
  for (const [path, object] of owners) t.is((await first.client.post(path, {metadata: {name: 'stored'}, ...object})).status, 201, path);
  await first.stop();

  const {client, stop} = await startTestServer({store: 'embedded', dataDir});
  t.teardown(stop);
  for (const [path, object, fault] of owners) {
    const changed = await client.patch(`${path}/stored`, {metadata: {labels: {changed: 'yes'}}});
    t.is(changed.status, 200, changed.body.toString());
    t.deepEqual(faultyFields(await client.post(path, {metadata: {name: 'new'}, ...object})), [fault]);
  }
});
