import test from 'ava';
import {causesOf, servedGroup, tableRows} from '../served-group.js';

const client = servedGroup(test, {release: '1.36', runtimeConfig: {'api/all': true}});
const url = (plural: string, version = 'v1') => `/apis/admissionregistration.orch/${version}/${plural}`;
const policies = 'mutatingadmissionpolicies';
const bindings = 'mutatingadmissionpolicybindings';
const rule = {operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments']};
const applied = {patchType: 'ApplyConfiguration', applyConfiguration: {expression: 'Object{}'}};
const spec = {matchConstraints: {resourceRules: [rule]}, mutations: [applied], reinvocationPolicy: 'Never'};

/** The errors of a new object, as field and message. */
async function faults(plural: string, members: object, version?: string): Promise<string[]> {
  const made = await client().post(`${url(plural, version)}?dryRun=All&fieldValidation=Strict`, {metadata: {name: 'bad'}, spec: members});
  return causesOf(made).map(String);
}

test('a policy is filled in, shown, and read in all versions', async (t) => {
  const paramKind = {apiVersion: 'rules.example/v1', kind: 'Limit'};
  const made = await client().post(url(policies), {metadata: {name: 'shown'}, spec: {...spec, paramKind}});
  t.is(made.status, 201, made.body.toString());
  t.like(made.json<object>(), {
    metadata: {generation: 1},
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: {matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {}, resourceRules: [{scope: '*'}]},
    },
  });
  t.like((await tableRows(client(), `${url(policies)}/shown`))[0], {Mutations: 1, ParamKind: 'rules.example/v1/Limit'});
  for (const version of ['v1beta1', 'v1alpha1'])
    t.like((await client().get(`${url(policies, version)}/shown`)).json<object>(), {
      apiVersion: `admissionregistration.orch/${version}`,
      spec: made.json<{spec: object}>().spec,
    });
});

test('a binding is shown with its parameters; what is to happen without them has a default in v1alpha1 alone', async (t) => {
  const bind = (name: string, paramRef: object) =>
    client().post(url(bindings), {metadata: {name}, spec: {policyName: 'p', paramRef: {...paramRef, parameterNotFoundAction: 'Allow'}}});
  t.is((await bind('named', {name: 'x', namespace: 'y'})).status, 201);
  t.is((await bind('anywhere', {name: 'x'})).status, 201);
  for (const [name, text] of [
    ['named', 'y/x'],
    ['anywhere', '*/x'],
  ] as const)
    t.like((await tableRows(client(), `${url(bindings)}/${name}`))[0], {PolicyName: 'p', ParamRef: text});
  const made = await client().post(url(bindings, 'v1alpha1'), {metadata: {name: 'alpha'}, spec: {policyName: 'p', paramRef: {name: 'x'}}});
  t.like(made.json<object>(), {spec: {paramRef: {parameterNotFoundAction: 'Deny'}}});
  t.deepEqual(await faults(bindings, {policyName: 'p', paramRef: {name: 'x'}}), ['spec.paramRef.parameterNotFoundAction: Required value']);
});

test('a policy says every fault of its members', async (t) => {
  t.deepEqual(await faults(policies, {}), [
    'spec.matchConstraints: Required value',
    'spec.mutations: Required value: mutations must contain at least one item',
    'spec.reinvocationPolicy: Required value',
  ]);
  t.deepEqual(
    await faults(policies, {
      failurePolicy: 'Retry',
      reinvocationPolicy: 'Always',
      matchConstraints: {resourceRules: [{...rule, operations: ['CREATE', 'DELETE']}]},
      matchConditions: [{name: 'a', expression: '1'}],
      variables: [{name: 'in', expression: 'Object{}'}],
      mutations: [
        {},
        {patchType: 'Merge'},
        {patchType: 'JSONPatch', applyConfiguration: {expression: 'Object{}'}},
        {patchType: 'ApplyConfiguration', applyConfiguration: {expression: ' '}, jsonPatch: {expression: '[]'}},
        {patchType: 'ApplyConfiguration', applyConfiguration: {expression: ' object '}},
        {patchType: 'JSONPatch', jsonPatch: {expression: 'Object{}'}},
      ],
    }).then((found) => found.map((fault) => fault.replace(/^spec\./, ''))),
    [
      'failurePolicy: Unsupported value: "Retry": supported values: "Fail", "Ignore"',
      'matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
      'matchConditions[0].expression: Invalid value: "1": must evaluate to bool but got int',
      'variables[0].name: Invalid value: "in": must be a valid CEL identifier',
      `variables[0].expression: Invalid value: "Object{}": compilation failed: ERROR: <input>:1:7: undeclared reference to 'Object' (in container '')\n | Object{}\n | ......^`,
      'mutations[0].patchType: Required value',
      'mutations[1].patchType: Unsupported value: "Merge": supported values: "ApplyConfiguration", "JSONPatch"',
      'mutations[2].jsonPatch: Required value: must be specified when patchType is JSONPatch',
      'mutations[2].applyConfiguration: Invalid value: "{applyConfiguration}": must not be specified when patchType is JSONPatch',
      'mutations[3].applyConfiguration.expression: Required value',
      'mutations[3].jsonPatch: Invalid value: "{jsonPatch}": must not be specified when patchType is ApplyConfiguration',
      'mutations[4].applyConfiguration.expression: Invalid value: "object": must evaluate to Object but got dyn',
      'mutations[5].jsonPatch.expression: Invalid value: "Object{}": must evaluate to list(JSONPatch) but got Object',
      'reinvocationPolicy: Unsupported value: "Always": supported values: "IfNeeded", "Never"',
    ],
  );
});

test('a binding says every fault of its members', async (t) => {
  t.deepEqual(
    await faults(bindings, {
      policyName: 'Bad Name',
      paramRef: {},
      matchResources: {resourceRules: [{...rule, operations: ['DELETE']}]},
    }).then((found) => found.map((fault) => fault.split(':')[0])),
    ['spec.policyName', 'spec.paramRef', 'spec.paramRef.parameterNotFoundAction', 'spec.matchResources.resourceRules.operations'],
  );
});

test('match conditions that were accepted once may stay', async (t) => {
  const created = await client().post(url(policies), {
    metadata: {name: 'kept'},
    spec: {...spec, matchConditions: [{name: 'a', expression: 'true'}]},
  });
  const stored = created.json<{spec: object}>();
  const changed = await client().put(`${url(policies)}/kept`, {...stored, spec: {...stored.spec, reinvocationPolicy: 'IfNeeded'}});
  t.is(changed.status, 200, changed.body.toString());
  t.like(changed.json<object>(), {metadata: {generation: 2}});
});
