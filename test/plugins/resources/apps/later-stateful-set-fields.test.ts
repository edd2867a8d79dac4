import test from 'ava';
import {causesOf, servedGroup} from '../served-group.js';

const newest = servedGroup(test, {release: '1.36', platform: 'kubernetes'});
const older = servedGroup(test, {release: '1.33', platform: 'kubernetes'});
const sets = '/apis/apps/v1/namespaces/default/statefulsets';
const labels = {app: 'x'};
const setWith = (claim: object) => ({
  metadata: {name: 'set'},
  spec: {
    selector: {matchLabels: labels},
    serviceName: 'x',
    template: {metadata: {labels}, spec: {containers: [{name: 'main', image: 'web:1'}]}},
    volumeClaimTemplates: [claim],
  },
});

test('claims that a stateful set is to make follow the rules for claims', async (t) => {
  t.deepEqual(causesOf(await newest().post(sets, setWith({metadata: {name: 'data'}, spec: {accessModes: ['x']}}))), [
    'spec.volumeClaimTemplates[0].spec.accessModes: Unsupported value: "x": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
    'spec.volumeClaimTemplates[0].spec.resources[storage]: Required value',
  ]);
});

test('a stateful set of an older release takes claims that cannot be made', async (t) => {
  t.is((await older().post(sets, setWith({metadata: {name: 'data'}, spec: {accessModes: ['x']}}))).status, 201);
});

const withPod = (name: string, pod: object, spec: object = {}) => ({
  metadata: {name},
  spec: {selector: {matchLabels: labels}, template: {metadata: {labels}, spec: pod}, ...spec},
});

test('the template of a stateful set is checked, with the volumes of its claims, from 1.34 on', async (t) => {
  const pod = {containers: [{name: 'main'}], hostname: 'Each_Has_Its_Own'};
  t.deepEqual(causesOf(await newest().post(sets, withPod('broken', pod))), ['spec.template.spec.containers[0].image: Required value']);
  t.is((await older().post(sets, withPod('broken', pod))).status, 201);
  const volumeMounts = [{name: 'data', mountPath: '/data'}];
  const mounting = {containers: [{name: 'main', image: 'web:1', volumeMounts}]};
  const claim = {metadata: {name: 'data'}, spec: {accessModes: ['ReadWriteOnce'], resources: {requests: {storage: '1Gi'}}}};
  t.is((await newest().post(sets, withPod('mounting', mounting, {volumeClaimTemplates: [claim]}))).status, 201);
  t.deepEqual(causesOf(await newest().post(sets, withPod('lacking', mounting))), [
    'spec.template.spec.containers[0].volumeMounts[0].name: Not found: "data"',
  ]);
});

test('how many revisions of a stateful set are kept can be changed, and its service has a name for DNS, from 1.33 on', async (t) => {
  const pod = {containers: [{name: 'main', image: 'web:1'}]};
  t.is((await older().post(sets, withPod('kept', pod))).status, 201);
  t.is((await older().patch(`${sets}/kept`, {spec: {revisionHistoryLimit: 3}})).status, 200);
  const [fault] = causesOf(await older().post(sets, withPod('served', pod, {serviceName: 'a.b'})));
  t.regex(fault!, /^spec\.serviceName: Invalid value: "a\.b": must not contain dots$/);
});
