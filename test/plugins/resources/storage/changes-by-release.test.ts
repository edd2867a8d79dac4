import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {causesOf} from '../served-group.js';

const drivers = '/apis/storage.k8s.io/v1/csidrivers';
const classes = '/apis/storage.k8s.io/v1/storageclasses';

interface Stored {
  readonly metadata: {readonly generation?: number};
}

test('from 1.30 on a CSIDriver may change in what nodes are told of pods and in its policy, and each change of its spec counts', async (t) => {
  for (const [release, isChangeable] of [
    ['1.29', false],
    ['1.30', true],
  ] as const) {
    await using server = await startTestServer({platform: 'kubernetes', release});
    const {client} = server;
    t.is((await client.post(drivers, {metadata: {name: 'd.example.com'}, spec: {}})).status, 201);
    const change = (spec: object) => client.patch(`${drivers}/d.example.com`, {spec});
    const changed = await change({podInfoOnMount: true, fsGroupPolicy: 'None'});
    if (isChangeable) t.is(changed.status, 200, changed.body.toString());
    else {
      t.deepEqual(
        causesOf(changed).map((text) => text.replace(/Invalid value: \S+ /, '')),
        ['spec.fsGroupPolicy: field is immutable', 'spec.podInfoOnMount: field is immutable'],
      );
    }
    const counted = (await change({storageCapacity: true})).json<Stored>().metadata.generation ?? 0;
    t.is(counted, isChangeable ? 2 : 0, release);
    t.regex(causesOf(await change({attachRequired: false}))[0]!, /: field is immutable$/);
  }
});

test('from 1.36 on what may not change of a StorageClass is immutable, before that forbidden', async (t) => {
  for (const [release, faults] of [
    ['1.35', ['provisioner: Forbidden: updates to provisioner are forbidden.']],
    ['1.36', ['provisioner: Invalid value: "b.example.com": field is immutable']],
  ] as const) {
    await using server = await startTestServer({platform: 'kubernetes', release});
    const {client} = server;
    t.is((await client.post(classes, {metadata: {name: 'c'}, provisioner: 'a.example.com'})).status, 201);
    t.deepEqual(causesOf(await client.patch(`${classes}/c`, {provisioner: 'b.example.com'})), [...faults]);
  }
});
