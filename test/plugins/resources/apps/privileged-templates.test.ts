import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {faultyFields} from '../served-group.js';
import {labels, selector, templateOwners, type TemplateOwner} from './template-owners.js';

let server: TestServer;
test.before(async () => {
  server = await startTestServer({flags: {'allow-privileged': false}});
});
test.after.always(() => server?.stop());

const pod = {containers: [{name: 'main', image: 'web:1', securityContext: {privileged: true}}]};
const field = 'spec.containers[0].securityContext.privileged';
const owners: readonly TemplateOwner[] = [['/api/v1/namespaces/default/pods', {spec: pod}, field], ...templateOwners(pod, field)];

for (const [path, object, fault] of owners) {
  test(`privileged containers are refused in ${path.split('/').at(-1)} when the server does not allow them`, async (t) => {
    t.deepEqual(faultyFields(await server.client.post(path, {metadata: {name: 'privileged'}, ...object})), [fault]);
  });
}

test('the pods of a stateful set are checked when they are made', async (t) => {
  const response = await server.client.post('/apis/apps/v1/namespaces/default/statefulsets', {
    metadata: {name: 'privileged'},
    spec: {serviceName: 'web', selector, template: {metadata: {labels}, spec: pod}},
  });
  t.is(response.status, 201, response.body.toString());
});
