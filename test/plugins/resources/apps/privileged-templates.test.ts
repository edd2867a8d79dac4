import test from 'ava';
import {startTestServer, type TestServer} from '../../../../sdk/testing/index.js';
import {faultyFields} from '../served-group.js';

let server: TestServer;
test.before(async () => {
  server = await startTestServer({flags: {'allow-privileged': false}});
});
test.after.always(() => server?.stop());

const pod = {containers: [{name: 'main', image: 'web:1', securityContext: {privileged: true}}]};
const labels = {app: 'web'};
const template = {metadata: {labels}, spec: pod};
const selector = {matchLabels: labels};
const job = {template: {spec: {...pod, restartPolicy: 'Never'}}};
const field = 'spec.containers[0].securityContext.privileged';

const owners: readonly [path: string, object: object, fault: string][] = [
  ['/api/v1/namespaces/default/pods', {spec: pod}, field],
  ['/api/v1/namespaces/default/podtemplates', {template}, `template.${field}`],
  ['/api/v1/namespaces/default/replicationcontrollers', {spec: {selector: labels, template}}, `spec.template.${field}`],
  ['/apis/apps/v1/namespaces/default/replicasets', {spec: {selector, template}}, `spec.template.${field}`],
  ['/apis/apps/v1/namespaces/default/deployments', {spec: {selector, template}}, `spec.template.${field}`],
  ['/apis/apps/v1/namespaces/default/daemonsets', {spec: {selector, template}}, `spec.template.${field}`],
  ['/apis/batch/v1/namespaces/default/jobs', {spec: job}, `spec.template.${field}`],
  ['/apis/batch/v1/namespaces/default/cronjobs', {spec: {schedule: '@daily', jobTemplate: {spec: job}}}, `spec.jobTemplate.spec.template.${field}`],
];

for (const [path, object, fault] of owners) {
  test(`privileged containers are refused in ${path.split('/').at(-1)} when the server does not allow them`, async (t) => {
    t.deepEqual(faultyFields(await server.client.post(path, {metadata: {name: 'privileged'}, ...object})), [fault]);
  });
}

test('the pods of a stateful set are checked when they are made', async (t) => {
  const response = await server.client.post('/apis/apps/v1/namespaces/default/statefulsets', {metadata: {name: 'privileged'}, spec: {serviceName: 'web', selector, template}});
  t.is(response.status, 201, response.body.toString());
});
