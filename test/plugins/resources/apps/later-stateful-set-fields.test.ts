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
