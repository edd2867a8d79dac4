import test from 'ava';
import type {EventRecorder} from '@orch-api/orch/sdk/controllers';
import type {ResourceClient} from '@orch-api/orch/sdk';
import {PodWriter} from '../../../../plugins/controllers/scheduler/cycle/pod-writer.js';
import type {KnownPod} from '../../../../plugins/controllers/scheduler/model/known-pod.js';

test('of a thousand pods that get their nodes at once there are events, then of fifty a second; refusals are told of all', async (t) => {
  const reasons: string[] = [];
  let [now, bound] = [0, 0];
  const resources = {
    create: () => {
      bound += 1;
      return Promise.resolve({});
    },
  };
  const events = {record: (_object: object, {reason}: {reason: string}) => void reasons.push(reason)};
  const writer = new PodWriter({
    resources: resources as unknown as ResourceClient,
    events: events as unknown as EventRecorder,
    now: () => now,
    writesGeneration: false,
  });
  const pod = {namespace: 'default', name: 'one', uid: '1', resourceVersion: '1'} as KnownPod;
  const placed = () => reasons.filter((reason) => reason === 'Scheduled').length;
  for (let count = 0; count < 1500; count += 1) await writer.bind(pod, 'node-1');
  t.deepEqual([bound, placed()], [1500, 1000]);
  now = 2000;
  for (let count = 0; count < 500; count += 1) await writer.bind(pod, 'node-1');
  t.deepEqual([bound, placed()], [2000, 1100]);
  for (let count = 0; count < 300; count += 1) writer.recordFailure(pod, 'no nodes available to schedule pods');
  t.is(reasons.length, 1400);
});
