import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {answer} from '../../semantics/answers.js';

const groups = '/apis/scheduling.k8s.io/v1alpha2/namespaces/default';
const jobs = '/apis/batch/v1/namespaces/default/jobs';
const gang = {gang: {minCount: 2}};
const groupOf = (name: string, workloadName: string, podGroupTemplateName: string) => ({
  metadata: {name},
  spec: {podGroupTemplateRef: {workload: {workloadName, podGroupTemplateName}}, schedulingPolicy: gang},
});

test('a group of pods names a template that there is, and its job keeps the number of its pods [B-ADM-36] [B-ADM-37]', async (t) => {
  await using server = await startTestServer({
    platform: 'kubernetes',
    featureGates: {GenericWorkload: true},
    runtimeConfig: {'api/all': true},
  });
  const {client} = server;
  const spec = {podGroupTemplates: [{name: 'workers', schedulingPolicy: gang}]};
  answer(t, await client.post(`${groups}/workloads`, {metadata: {name: 'w'}, spec}), 201);
  const made = async (...names: [string, string, string]) =>
    (await client.post(`${groups}/podgroups`, groupOf(...names))).json<{message?: string}>().message;
  const rejected = 'podgroups.scheduling.k8s.io "g" is forbidden: PodGroup rejected';
  t.is(await made('g', 'absent', 'workers'), `${rejected}: Workload "absent" not found`);
  t.is(await made('g', 'w', 'absent'), `${rejected}: PodGroupTemplate "absent" not found in Workload "w"`);
  t.is(await made('g', 'w', 'workers'), undefined);
  const template = {spec: {restartPolicy: 'Never', schedulingGroup: {podGroupName: 'g'}, containers: [{name: 'a', image: 'a'}]}};
  answer(t, await client.post(jobs, {metadata: {name: 'j'}, spec: {parallelism: 2, template}}), 201);
  const {message} = (await client.patch(`${jobs}/j`, {spec: {parallelism: 3}})).json<{message: string}>();
  t.is(message, 'jobs.batch "j" is forbidden: cannot change parallelism for a Job referencing gang-scheduled PodGroup "g"');
  answer(t, await client.patch(`${jobs}/j`, {spec: {backoffLimit: 3}}), 200);
});
