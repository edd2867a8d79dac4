import test from 'ava';
import {causesOf, servedGroup} from './served-group.js';

const newest = servedGroup(test, {release: '1.36', platform: 'kubernetes'});
const older = servedGroup(test, {release: '1.32', platform: 'kubernetes'});
const scalers = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
const pods = '/api/v1/namespaces/default/pods';
const scaler = (name: string, scaleTargetRef: object, more: object = {}) => ({
  metadata: {name},
  spec: {maxReplicas: 1, scaleTargetRef, ...more},
});
const measured = {
  type: 'Object',
  object: {
    describedObject: {kind: 'X', name: 'y', apiVersion: 'a/b/c'},
    metric: {name: 'm'},
    target: {type: 'Value', value: '1'},
  },
};

test('an autoscaler says in which group what it scales is, from 1.34 on', async (t) => {
  const wrong = scaler('wrong', {kind: 'Deployment', name: 'a'}, {maxReplicas: 0, metrics: [measured]});
  t.deepEqual(causesOf(await newest().post(scalers, wrong)), [
    'spec.maxReplicas: Required value: must be set and greater than 0',
    'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
    'spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group',
    'spec.metrics[0].object.describedObject.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
  ]);
  t.deepEqual(causesOf(await older().post(scalers, wrong)), [
    'spec.maxReplicas: Invalid value: 0: must be greater than 0',
    'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
  ]);
  t.deepEqual(
    causesOf(await newest().post(scalers, scaler('less', {kind: 'Deployment', name: 'a', apiVersion: 'apps/v1'}, {maxReplicas: -1}))),
    [
      'spec.maxReplicas: Invalid value: -1: must be greater than or equal to 1',
      'spec.maxReplicas: Invalid value: -1: must be greater than or equal to `minReplicas`',
    ],
  );
  t.is((await newest().post(scalers, scaler('core', {kind: 'ReplicationController', name: 'a'}))).status, 201);
});

test('what a pod requires of the labels of its node can be such labels, from 1.33 on', async (t) => {
  const nodeSelectorTerms = [{matchExpressions: [{key: 'a', operator: 'In', values: ['-x']}]}];
  const affinity = {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms}}};
  const pod = {metadata: {name: 'picky'}, spec: {containers: [{name: 'a', image: 'a'}], affinity}};
  t.is((await older().post(pods, pod)).status, 201);
  const [cause = '', ...others] = causesOf(await newest().post(pods, pod));
  t.deepEqual(others, []);
  const path =
    'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values[0]';
  t.true(cause.startsWith(`${path}: Invalid value: "-x": a valid label must be`), cause);
});
