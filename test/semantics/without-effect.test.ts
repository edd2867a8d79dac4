import test from 'ava';
import {startTestServer, type TestResponse, type TestServer} from '@orch-api/orch/testing';

const runtimeConfig = {'admissionregistration.orch/v1alpha1': true};
const enforcing = ['MutatingAdmissionWebhook', 'ValidatingAdmissionWebhook', 'LimitRanger', 'ResourceQuota'];

/** Without the controllers that give objects their effect, and with them. */
let server: TestServer;
let enforcer: TestServer;
test.before(async () => {
  server = await startTestServer({runtimeConfig, disableAdmissionPlugins: enforcing});
  enforcer = await startTestServer({runtimeConfig, featureGates: {ValidatingAdmissionPolicy: true}});
});
test.after.always(async () => {
  await server?.stop();
  await enforcer?.stop();
});

/** The texts of the `Warning` headers. */
function warnings({headers}: TestResponse): string[] {
  const text = headers['warning'];
  return text === undefined ? [] : [...String(text).matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, told]) => told!.replaceAll('\\"', '"'));
}

const hooks = '/apis/admissionregistration.orch/v1';
const policies = '/apis/admissionregistration.orch/v1alpha1';
const local = '/api/v1/namespaces/default';

for (const [path, kind, body, reason] of [
  [`${hooks}/validatingwebhookconfigurations`, 'ValidatingWebhookConfiguration', {}, 'no admission webhook is called'],
  [`${hooks}/mutatingwebhookconfigurations`, 'MutatingWebhookConfiguration', {}, 'no admission webhook is called'],
  [`${local}/resourcequotas`, 'ResourceQuota', {spec: {hard: {pods: '1'}}}, 'quotas are not enforced'],
  [`${local}/limitranges`, 'LimitRange', {spec: {limits: [{type: 'Container', max: {cpu: '1'}}]}}, 'limits of namespaces are not enforced'],
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
  test(`who makes a ${kind} is warned that it has no effect where nothing enforces it, and not warned elsewhere`, async (t) => {
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
    const effective = await enforcer.client.post(path, {metadata: {name}, ...body});
    t.is(effective.status, 201, effective.body.toString());
    t.deepEqual(warnings(effective), []);
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
