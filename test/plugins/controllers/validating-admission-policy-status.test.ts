import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {eventually} from '../../helpers/eventually.js';

const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';

interface Policy {
  readonly metadata: {readonly generation: number};
  readonly status?: {
    readonly observedGeneration?: number;
    readonly typeChecking?: {readonly expressionWarnings?: readonly {readonly fieldRef: string; readonly warning: string}[]};
  };
}

const rule = (resource: string, group: string) => ({operations: ['*'], apiGroups: [group], apiVersions: ['v1'], resources: [resource]});

test('the status of a policy says which expressions do not fit the types that its rules name, for each of its generations', async (t) => {
  await using server = await startTestServer({
    platform: 'kubernetes',
    release: '1.36',
    controllers: ['validatingadmissionpolicy-status-controller'],
  });
  const {client} = server;
  const made = await client.post(policies, {
    metadata: {name: 'p'},
    spec: {
      matchConstraints: {resourceRules: [rule('deployments', 'apps'), rule('pods/status', ''), rule('*', 'batch')]},
      variables: [{name: 'replicas', expression: 'object.spec.replicas'}],
      validations: [
        {expression: 'object.spec.replicas > 1', messageExpression: 'string(object.spec.replicants)'},
        {expression: "variables.replicas == 'many'"},
        {expression: "object.metadata.labels['a'] == 'b' && has(object.metadata.uid) && authorizer.path('/x').check('get').allowed()"},
      ],
    },
  });
  t.is(made.status, 201, made.body.toString());
  const seen = (generation: number) =>
    eventually(
      async () => (await client.get(`${policies}/p`)).json<Policy>(),
      ({status}) => status?.observedGeneration === generation,
    );
  const warnings = (await seen(1)).status?.typeChecking?.expressionWarnings ?? [];
  t.deepEqual(
    warnings.map(({fieldRef}) => fieldRef),
    ['spec.validations[0].messageExpression', 'spec.validations[1].expression'],
  );
  for (const {warning} of warnings) t.regex(warning, /^apps\/v1, Kind=Deployment: .+\n$/s);

  const better = [{op: 'replace', path: '/spec/validations', value: [{expression: 'object.spec.replicas > 1'}]}];
  const changed = await client.request('PATCH', `${policies}/p`, {body: better, headers: {'content-type': 'application/json-patch+json'}});
  t.is(changed.status, 200, changed.body.toString());
  t.deepEqual((await seen(2)).status?.typeChecking, {});
});
