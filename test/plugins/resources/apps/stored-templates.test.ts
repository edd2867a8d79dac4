import test from 'ava';
import {startTestServer} from '../../../../sdk/testing/index.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {faultyFields} from '../served-group.js';

const claim = {accessModes: ['ReadWriteOncePod'], resources: {requests: {storage: '1Gi'}}};
const pod = {containers: [{name: 'main', image: 'web:1'}], volumes: [{name: 'data', ephemeral: {volumeClaimTemplate: {spec: claim}}}]};
const labels = {app: 'web'};
const template = {metadata: {labels}, spec: pod};
const selector = {matchLabels: labels};
const field = 'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.accessModes';
const job = {template: {spec: {...pod, restartPolicy: 'Never'}}};

const owners: readonly [path: string, object: object, fault: string][] = [
  ['/api/v1/namespaces/default/podtemplates', {template}, `template.${field}`],
  ['/api/v1/namespaces/default/replicationcontrollers', {spec: {selector: labels, template}}, `spec.template.${field}`],
  ['/apis/apps/v1/namespaces/default/replicasets', {spec: {selector, template}}, `spec.template.${field}`],
  ['/apis/apps/v1/namespaces/default/deployments', {spec: {selector, template}}, `spec.template.${field}`],
  ['/apis/apps/v1/namespaces/default/daemonsets', {spec: {selector, template}}, `spec.template.${field}`],
  ['/apis/batch/v1/namespaces/default/jobs', {spec: job}, `spec.template.${field}`],
  ['/apis/batch/v1/namespaces/default/cronjobs', {spec: {schedule: '@daily', jobTemplate: {spec: job}}}, `spec.jobTemplate.spec.template.${field}`],
];

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
