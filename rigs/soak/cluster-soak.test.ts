import test from 'ava';
import {clusterSoak} from './cluster-soak.js';
import {podFaults} from './cluster-faults.js';
import type {SoakWorkload} from './cluster-worker.js';

const seed = Number(process.env.ORCH_TEST_SEED ?? 20_260_114);

test('a cluster of two servers, one killed or paused in the middle, has each pod that it should have, and no other', async (t) => {
  t.timeout(180_000);
  t.log(`seed ${seed}`);
  const report = await clusterSoak(t, {seconds: 6, seed, workers: 2, interruptSeconds: 1, interruptions: 1, settleSeconds: 90});
  t.log(JSON.stringify(report));
  t.deepEqual(report.faults, []);
  t.true(report.actions >= 3, `${report.actions} actions`);
  t.true(report.kills + report.pauses + report.storeKills > 0);
});

test('pods that are doubled, forgotten, left over or crowded are found', (t) => {
  const workload = (kind: SoakWorkload['kind'], name: string, count: number): SoakWorkload => ({
    kind,
    name,
    uid: name,
    path: `/${name}`,
    count,
    round: 0,
  });
  const pod = (app: string, name: string, more: {phase?: string; ip?: string; index?: string} = {}) => ({
    metadata: {
      name,
      labels: {app, round: '0', ...(more.index === undefined ? {} : {'batch.kubernetes.io/job-completion-index': more.index})},
    },
    spec: {containers: [], nodeName: 'node-1'},
    status: {phase: more.phase ?? 'Running', podIP: more.ip ?? name, conditions: [{type: 'Ready', status: 'True'}]},
  });
  const web = workload('Deployment', 'web', 1);
  const job = workload('Job', 'job', 2);
  const kinds = (faults: readonly string[]) => faults.map((fault) => fault.replace(/:? .*/, ''));
  t.deepEqual(podFaults([web], [pod('web', 'a')], 1), []);
  t.deepEqual(kinds(podFaults([web], [pod('web', 'a'), pod('web', 'b')], 2)), ['Deployment'], 'doubled');
  t.deepEqual(kinds(podFaults([web], [], 1)), ['Deployment'], 'forgotten');
  t.deepEqual(kinds(podFaults([], [pod('web', 'a')], 1)), ['1'], 'left over');
  t.deepEqual(kinds(podFaults([web, workload('Deployment', 'other', 1)], [pod('web', 'a'), pod('other', 'b')], 1)), ['2'], 'crowded');
  const two = [pod('web', 'a', {ip: '10.0.0.1'}), pod('other', 'b', {ip: '10.0.0.1'})];
  t.deepEqual(kinds(podFaults([web, workload('Deployment', 'other', 1)], two, 2)), ['a'], 'one address twice');
  const runs = ['0', '0'].map((index, number) => pod('job', `job-${number}`, {phase: 'Succeeded', index}));
  t.deepEqual(kinds(podFaults([job], runs, 2)), ['an'], 'one index twice');
});
