import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../helpers/eventually.js';
import {tempFolder} from '../../helpers/temp-folder.js';
import {causesOf} from '../resources/served-group.js';

const group = 'admissionregistration.k8s.io';
const url = (plural: string, version = 'v1') => `/apis/${group}/${version}/${plural}`;
const policies = 'validatingadmissionpolicies';
const bindings = 'validatingadmissionpolicybindings';
const configMaps = '/api/v1/namespaces/default/configmaps';
const rule = {operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps']};
const matchConstraints = {resourceRules: [rule]};
const at = (release: string, options: object = {}): Promise<TestServer> => startTestServer({platform: 'kubernetes', release, ...options});

interface Made {
  readonly status: number;
  readonly message?: string;
}

/** Makes a policy and its binding, and waits until a config map named `probe…` shows that it is in effect. */
async function enforce(
  server: TestServer,
  spec: object,
  binding: object = {},
  inEffect = (made: Made) => made.status === 422,
): Promise<void> {
  const {client} = server;
  const policy = await client.post(`${url(policies)}?fieldValidation=Strict`, {metadata: {name: 'p'}, spec: {matchConstraints, ...spec}});
  if (policy.status !== 201) throw new Error(policy.body.toString());
  const bound = await client.post(`${url(bindings)}?fieldValidation=Strict`, {
    metadata: {name: 'b'},
    spec: {policyName: 'p', validationActions: ['Deny'], ...binding},
  });
  if (bound.status !== 201) throw new Error(bound.body.toString());
  let count = 0;
  await eventually(async () => {
    const made = await client.post(configMaps, {metadata: {name: `probe-${++count}`}, data: {probe: 'yes'}});
    return {status: made.headers['warning'] === undefined ? made.status : 422, message: made.body.toString()};
  }, inEffect);
}

const create = async (server: TestServer, name: string, data: object = {}) => server.client.post(configMaps, {metadata: {name}, data});

for (const {release, byDefault, withAll, status} of [
  {release: '1.26', byDefault: [], withAll: ['v1alpha1'], status: false},
  {release: '1.27', byDefault: [], withAll: ['v1alpha1'], status: true},
  {release: '1.28', byDefault: [], withAll: ['v1beta1', 'v1alpha1'], status: true},
  {release: '1.30', byDefault: ['v1'], withAll: ['v1', 'v1beta1', 'v1alpha1'], status: true},
  {release: '1.33', byDefault: ['v1'], withAll: ['v1', 'v1beta1'], status: true},
  {release: '1.34', byDefault: ['v1'], withAll: ['v1'], status: true},
]) {
  test.serial(
    `policies are served in [${byDefault.join(', ')}] at release ${release}, with all APIs on in [${withAll.join(', ')}]`,
    async (t) => {
      for (const [runtimeConfig, versions] of [
        [{}, byDefault],
        [{'api/all': true}, withAll],
      ] as const) {
        await using server = await at(release, {runtimeConfig});
        for (const version of ['v1', 'v1beta1', 'v1alpha1']) {
          const found = await server.client.get(`/apis/${group}/${version}`);
          const names = found.status === 200 ? found.json<{resources: {name: string}[]}>().resources.map(({name}) => name) : [];
          t.is(names.includes(policies), versions.includes(version), version);
          t.is(names.includes(bindings), versions.includes(version), version);
          t.is(names.includes(`${policies}/status`), versions.includes(version) && status, version);
        }
      }
    },
  );
}

for (const release of ['1.30', '1.36']) {
  test.serial(`policies of v1 take effect at release ${release} without any setting`, async (t) => {
    await using server = await at(release);
    await enforce(server, {validations: [{expression: "!has(object.data) || !('probe' in object.data)", message: 'no probes'}]});
    const refused = await create(server, 'refused', {probe: 'x'});
    t.is(refused.status, 422);
    t.true(refused.json<{message: string}>().message.endsWith("ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no probes"));
    t.is((await create(server, 'fine')).status, 201);
  });
}

test.serial('variables build on one another, and a message is computed with them', async (t) => {
  await using server = await at('1.34');
  await enforce(server, {
    variables: [
      {name: 'data', expression: 'has(object.data) ? object.data : {}'},
      {name: 'size', expression: 'variables.data.size()'},
      {name: 'unused', expression: "variables.data['nowhere']"},
    ],
    validations: [{expression: 'variables.size == 0', messageExpression: "'there are ' + string(variables.size) + ' in it'"}],
  });
  const refused = await create(server, 'two', {a: '1', b: '2'});
  t.regex(refused.json<{message: string}>().message, /denied request: there are 2 in it$/);
  t.is((await create(server, 'none')).status, 201);
});

test.serial('a policy judges only what its match conditions select', async (t) => {
  await using server = await at('1.34');
  await enforce(server, {
    matchConditions: [{name: 'probes', expression: "object.metadata.name.startsWith('probe')"}],
    validations: [{expression: 'false'}],
  });
  t.is((await create(server, 'other')).status, 201);
  t.is((await create(server, 'probe-last')).status, 422);
});

test.serial('a binding that warns lets the write pass with a warning of each refusal', async (t) => {
  await using server = await at('1.34');
  await enforce(
    server,
    {
      validations: [
        {expression: 'false', message: 'one'},
        {expression: 'false', message: 'two'},
      ],
    },
    {validationActions: ['Warn', 'Audit']},
  );
  const made = await create(server, 'warned');
  t.is(made.status, 201);
  const warnings = String(made.headers['warning']);
  for (const message of ['one', 'two'])
    t.true(warnings.includes(`Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': ${message}`), warnings);
});

test.serial('params are selected by labels in the namespace of the write; without any the binding says what happens', async (t) => {
  await using server = await at('1.34');
  const limit = (name: string, most: string, labels: object) => ({metadata: {name, labels}, data: {most}});
  t.is((await server.client.post(configMaps, limit('limit', '3', {role: 'limit'}))).status, 201);
  await enforce(
    server,
    {
      paramKind: {apiVersion: 'v1', kind: 'ConfigMap'},
      validations: [{expression: "!has(object.data) || !('probe' in object.data) || params.data['most'] == 'x'"}],
    },
    {paramRef: {selector: {matchLabels: {role: 'limit'}}, parameterNotFoundAction: 'Deny'}},
  );
  await server.client.post('/api/v1/namespaces', {metadata: {name: 'bare'}});
  const bare = () => server.client.post('/api/v1/namespaces/bare/configmaps', {metadata: {generateName: 'c-'}});
  const refused = await bare();
  t.is(refused.status, 422);
  t.regex(refused.json<{message: string}>().message, /no params found for policy binding with `Deny` parameterNotFoundAction/);
  const patched = await server.client.patch(`${url(bindings)}/b`, {
    spec: {paramRef: {selector: {matchLabels: {role: 'limit'}}, parameterNotFoundAction: 'Allow'}},
  });
  t.is(patched.status, 200, patched.body.toString());
  await eventually(bare, ({status}) => status === 201);
});

test.serial('a policy of v1 says every fault of its members', async (t) => {
  await using server = await at('1.36');
  const faults = async (plural: string, spec: object) => causesOf(await server.client.post(url(plural), {metadata: {name: 'bad'}, spec}));
  t.deepEqual(await faults(policies, {matchConstraints}), [
    'spec.validations: Required value: validations or auditAnnotations must contain at least one item',
    'spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item',
  ]);
  const found = await faults(policies, {
    matchConstraints,
    matchConditions: [
      {name: 'a b', expression: ' '},
      {name: '', expression: 'true'},
      {name: 'x', expression: '1'},
      {name: 'x', expression: 'true'},
    ],
    variables: [
      {name: 'in', expression: 'true'},
      {name: '', expression: ''},
      {name: 'good', expression: '1 +'},
    ],
    validations: [
      {expression: '1', message: 'a\nb', messageExpression: ' '},
      {expression: 'true', messageExpression: '1'},
    ],
    auditAnnotations: [
      {key: 'k', valueExpression: ''},
      {key: 'k', valueExpression: "'x'"},
      {key: 'a/b', valueExpression: 'nothing'},
    ],
  });
  t.deepEqual(
    found.map((fault) => fault.split(': ')[0]),
    [
      'spec.matchConditions[0].expression',
      'spec.matchConditions[0].name',
      'spec.matchConditions[1].name',
      'spec.matchConditions[2].expression',
      'spec.matchConditions[3].name',
      'spec.variables[0].name',
      'spec.variables[1].name',
      'spec.variables[1].expression',
      'spec.variables[2].expression',
      'spec.validations[0].expression',
      'spec.validations[0].messageExpression',
      'spec.validations[0].message',
      'spec.validations[1].messageExpression',
      'spec.auditAnnotations[0].valueExpression',
      'spec.auditAnnotations[1].key',
      'spec.auditAnnotations[2].key',
      'spec.auditAnnotations[2].valueExpression',
    ],
  );
  t.deepEqual(
    (
      await faults(bindings, {policyName: 'A', paramRef: {name: 'n', selector: {}}, validationActions: ['Deny', 'Warn', 'Warn', 'Log']})
    ).map((fault) => fault.split(': ').slice(0, 2).join(': ')),
    [
      'spec.policyName: Invalid value',
      'spec.paramRef.name: Forbidden',
      'spec.paramRef.selector: Forbidden',
      'spec.paramRef.parameterNotFoundAction: Required value',
      'spec.validationActions[2]: Duplicate value',
      'spec.validationActions[3]: Unsupported value',
      'spec.validationActions: Invalid value',
    ],
  );
  t.deepEqual(await faults(bindings, {policyName: 'p', paramRef: {parameterNotFoundAction: 'Allow'}}), [
    'spec.paramRef: Required value: one of name or selector must be specified',
    'spec.validationActions: Required value: at least one validation action is required',
  ]);
});

test.serial('the status of a policy is written through its subresource, and checked', async (t) => {
  await using server = await at('1.36');
  const {client} = server;
  const spec = {matchConstraints, validations: [{expression: 'true'}]};
  const made = (await client.post(url(policies), {metadata: {name: 's'}, spec, status: {observedGeneration: 7}})).json<{status?: object}>();
  t.deepEqual(made.status ?? {}, {});
  // The controller of the status may write it in between.
  const put = async (status: object) => {
    for (let attempt = 1; ; attempt += 1) {
      const current = (await client.get(`${url(policies)}/s`)).json<object>();
      const answer = await client.put(`${url(policies)}/s/status`, {...current, status});
      if (answer.status !== 409 || attempt === 10) return answer;
    }
  };
  t.deepEqual(causesOf(await put({typeChecking: {expressionWarnings: [{}]}})), [
    'status.typeChecking.expressionWarnings[0].warning: Required value',
    'status.typeChecking.expressionWarnings[0].fieldRef: Required value',
  ]);
  const kept = await put({
    observedGeneration: 1,
    typeChecking: {expressionWarnings: [{fieldRef: 'spec.validations[0].expression', warning: 'w'}]},
  });
  t.is(kept.status, 200, kept.body.toString());
  t.like(kept.json<object>(), {status: {observedGeneration: 1}});
  const {rows} = (await client.get(`${url(policies)}/s`, {headers: {accept: 'application/json;as=Table;v=v1;g=meta.k8s.io'}})).json<{
    rows: {cells: unknown[]}[];
  }>();
  t.deepEqual(rows[0]!.cells.slice(0, 3), ['s', 1, '<unset>']);
});

test.serial('a policy that an older release stored in v1alpha1 is shown and enforced in v1', async (t) => {
  const dataDir = tempFolder(t);
  const runtimeConfig = {'api/all': true};
  {
    await using older = await at('1.26', {store: 'embedded', dataDir, runtimeConfig, featureGates: {ValidatingAdmissionPolicy: true}});
    const {client} = older;
    const spec = {matchConstraints, validations: [{expression: 'false'}]};
    t.is((await client.post(url(policies, 'v1alpha1'), {metadata: {name: 'p'}, spec})).status, 201);
    t.is((await client.post(url(bindings, 'v1alpha1'), {metadata: {name: 'b'}, spec: {policyName: 'p'}})).status, 201);
  }
  await using newer = await at('1.34', {store: 'embedded', dataDir});
  t.like((await newer.client.get(`${url(policies)}/p`)).json<object>(), {apiVersion: `${group}/v1`, spec: {failurePolicy: 'Fail'}});
  t.is((await create(newer, 'refused')).status, 422);
});
