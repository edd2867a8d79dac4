import test from 'ava';
import {startTestServer, type TestResponse, type TestServer} from '../../sdk/testing/index.js';

let server: TestServer;
test.before(async () => {
  server = await startTestServer({runtimeConfig: {'admissionregistration.orch/v1alpha1': true}});
});
test.after.always(() => server?.stop());

/** The texts of the `Warning` headers. */
function warnings({headers}: TestResponse): string[] {
  const text = headers['warning'];
  return text === undefined ? [] : [...String(text).matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, told]) => told!.replaceAll('\\"', '"'));
}

const policies = '/apis/admissionregistration.orch/v1alpha1';
const local = '/api/v1/namespaces/default';

for (const [path, kind, body, reason] of [
  [
    `${policies}/validatingadmissionpolicies`,
    'ValidatingAdmissionPolicy',
    {
      spec: {
        matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods']}]},
        validations: [{expression: 'true'}],
      },
    },
    'no admission policy is evaluated',
  ],
  [
    `${policies}/validatingadmissionpolicybindings`,
    'ValidatingAdmissionPolicyBinding',
    {spec: {policyName: 'some'}},
    'no admission policy is evaluated',
  ],
] as const) {
  test(`[SEC-4] who makes a ${kind} is warned that it has no effect`, async (t) => {
    const name = `warned-${kind.toLowerCase()}`;
    const expected = [`${kind} has no effect on this server: ${reason}`];
    const send = (query: string) => server.client.post(`${path}${query}`, {metadata: {name}, ...body});
    const [tried, made] = [await send('?dryRun=All'), await send('')];
    for (const answer of [tried, made]) {
      t.is(answer.status, 201, answer.body.toString());
      t.deepEqual(warnings(answer), expected);
    }
    const object = `${path}/${name}`;
    t.deepEqual(warnings(await server.client.patch(object, {metadata: {labels: {a: 'b'}}})), expected);
    t.deepEqual(warnings(await server.client.get(object)), []);
    t.deepEqual(warnings(await server.client.delete(object)), []);
  });
}

test('what takes effect is made without a warning', async (t) => {
  for (const [path, body] of [
    [`${local}/configmaps`, {}],
    ['/api/v1/namespaces', {metadata: {name: 'effective', labels: {'pod-security.orch/enforce': 'restricted'}}}],
    ['/apis/policy/v1/namespaces/default/poddisruptionbudgets', {spec: {selector: {}}}],
  ] as const) {
    t.deepEqual(warnings(await server.client.post(path, {metadata: {name: 'effective'}, ...body})), []);
  }
});
