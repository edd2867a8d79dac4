import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {answer} from '../../../semantics/answers.js';
import {causesOf, servedGroup, tableRows} from '../served-group.js';

const gates = {
  TopologyAwareWorkloadScheduling: true,
  DRAWorkloadResourceClaims: true,
  WorkloadAwarePreemption: true,
  GenericWorkload: true,
};
const client = servedGroup(test, {release: '1.36', runtimeConfig: {'api/all': true}, featureGates: gates});
const url = (resource: string, version = 'v1alpha2') => `/apis/scheduling.orch/${version}/namespaces/default/${resource}`;
const gang = {gang: {minCount: 2}};

test('a workload has one to eight templates for groups, and what made it', async (t) => {
  const post = (name: string, spec: object) => client().post(url('workloads'), {metadata: {name}, spec});
  t.is(
    (
      await post('sound', {
        controllerRef: {kind: 'Job', name: 'j', apiGroup: 'batch'},
        podGroupTemplates: [{name: 'a', schedulingPolicy: gang}],
      })
    ).status,
    201,
  );
  t.deepEqual(causesOf(await post('none', {controllerRef: {apiGroup: 'batch'}, podGroupTemplates: []})), [
    'spec.controllerRef.kind: Required value',
    'spec.controllerRef.name: Required value',
    'spec.podGroupTemplates: Required value',
  ]);
  const many = Array.from({length: 9}, (_item, index) => ({name: `g${index}`, schedulingPolicy: {basic: {}}}));
  t.deepEqual(causesOf(await post('many', {podGroupTemplates: many})), ['spec.podGroupTemplates: Too many: 9: must have at most 8 items']);
  t.deepEqual(
    causesOf(
      await post('bad', {podGroupTemplates: [{schedulingPolicy: {}}, {name: 'b', schedulingPolicy: {basic: {}, gang: {minCount: -1}}}]}),
    ),
    [
      'spec.podGroupTemplates[0].name: Required value',
      'spec.podGroupTemplates[0].schedulingPolicy: Invalid value: "": must specify one of: `basic`, `gang`',
      'spec.podGroupTemplates[1].schedulingPolicy: Invalid value: "{basic, gang}": must specify exactly one of: `basic`, `gang`',
      'spec.podGroupTemplates[1].schedulingPolicy.gang.minCount: Invalid value: -1: must be greater than or equal to 1',
    ],
  );
  t.deepEqual(causesOf(await client().patch(`${url('workloads')}/sound`, {spec: {controllerRef: {name: 'k'}}})), [
    'spec.controllerRef: Invalid value: null: field is immutable',
  ]);
});

test('a group of pods names its template, its claims and its place, and cannot be changed', async (t) => {
  const post = (name: string, spec: object) => client().post(url('podgroups'), {metadata: {name}, spec});
  const reference = {workload: {workloadName: 'w', podGroupTemplateName: 'a'}};
  const claims = [{name: 'gpu', resourceClaimName: 'c'}];
  const workload = {metadata: {name: 'w'}, spec: {podGroupTemplates: [{name: 'a', schedulingPolicy: gang}]}};
  t.is((await client().post(url('workloads'), workload)).status, 201);
  t.is((await post('sound', {podGroupTemplateRef: reference, schedulingPolicy: gang, resourceClaims: claims})).status, 201);
  const bad = {
    podGroupTemplateRef: {},
    schedulingPolicy: {gang: {}},
    schedulingConstraints: {topology: [{key: 'a b'}]},
    resourceClaims: [{name: 'X', resourceClaimName: 'c', resourceClaimTemplateName: 't'}],
    disruptionMode: 'Odd',
    priority: 1_000_000_001,
  };
  t.deepEqual(
    causesOf(await post('bad', bad)).map((text) => text.split(/ part must consist| RFC 1123/)[0]),
    [
      'spec.podGroupTemplateRef: Invalid value: "": must specify one of: `workload`',
      'spec.schedulingPolicy.gang.minCount: Required value',
      'spec.schedulingConstraints.topology[0].key: Invalid value: "a b": name',
      'spec.resourceClaims[0]: Invalid value: "{resourceClaimName, resourceClaimTemplateName}": must specify exactly one of: `resourceClaimName`, `resourceClaimTemplateName`',
      'spec.resourceClaims[0].name: Invalid value: "X": a lowercase',
      'spec.disruptionMode: Unsupported value: "Odd": supported values: "Pod", "PodGroup"',
      'spec.priority: Invalid value: 1000000001: must be less than or equal to 1000000000',
    ],
  );
  t.deepEqual(causesOf(await client().patch(`${url('podgroups')}/sound`, {spec: {schedulingPolicy: {gang: {minCount: 3}}}})), [
    'spec.schedulingPolicy: Invalid value: null: field is immutable',
  ]);
  const condition = {type: 'PodGroupScheduled', status: 'True', reason: 'Done', message: '', lastTransitionTime: '2026-01-01T00:00:00Z'};
  const report = (status: object) => client().patch(`${url('podgroups')}/sound/status`, {status});
  t.deepEqual(causesOf(await report({resourceClaimStatuses: [{name: 'other'}]})), [
    'status.resourceClaimStatuses[0].name: Invalid value: "other": must match the name of an entry in `spec.resourceClaims`',
  ]);
  t.is((await report({conditions: [condition]})).status, 200);
  const [row] = await tableRows(client(), `${url('podgroups')}/sound`);
  t.like(row, {Name: 'sound', Policy: 'Gang', Workload: 'w', Status: 'Scheduled'});
});

test('fields of a group whose own gates are off are dropped', async (t) => {
  await using server = await startTestServer({release: '1.36', runtimeConfig: {'api/all': true}, featureGates: {GenericWorkload: true}});
  const spec = {schedulingPolicy: gang, priority: 5, disruptionMode: 'PodGroup', schedulingConstraints: {topology: [{key: 'zone'}]}};
  const made = answer<{spec: object}>(t, await server.client.post(url('podgroups'), {metadata: {name: 'g'}, spec}), 201);
  t.deepEqual(
    Object.keys(made.spec).filter((member) => member in spec),
    ['schedulingPolicy'],
  );
});

test('a workload of v1alpha1 has the groups themselves, which v1alpha2 shows as templates', async (t) => {
  const dataDir = tempFolder(t);
  const featureGates = {GenericWorkload: true};
  const at = (release: string) => startTestServer({store: 'embedded', dataDir, release, runtimeConfig: {'api/all': true}, featureGates});
  {
    await using server = await at('1.35');
    const post = (name: string, spec: object) => server.client.post(url('workloads', 'v1alpha1'), {metadata: {name}, spec});
    answer(t, await post('one', {podGroups: [{name: 'a', policy: gang}]}), 201);
    t.deepEqual(causesOf(await post('none', {})), ['spec.podGroups: Required value: must have at least one item']);
    t.deepEqual(
      causesOf(
        await post('bad', {
          podGroups: [
            {name: 'a', policy: {}},
            {name: 'a', policy: {gang: {minCount: 0}}},
          ],
        }),
      ),
      [
        'spec.podGroups[0].policy: Required value: exactly one of `basic`, `gang` is required',
        'spec.podGroups[1].name: Duplicate value: "a"',
        'spec.podGroups[1].policy.gang.minCount: Invalid value: 0: must be greater than zero',
      ],
    );
  }
  await using server = await at('1.36');
  const read = answer<{spec: object}>(t, await server.client.get(`${url('workloads')}/one`), 200);
  t.deepEqual(read.spec, {podGroupTemplates: [{name: 'a', schedulingPolicy: gang}]});
});
