import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {causesOf, servedGroup, tableRows} from '../served-group.js';

const client = servedGroup(test, {release: '1.34'});
const classes = '/apis/storage.orch/v1/volumeattributesclasses';

test('a class of volume attributes names a driver and has parameters', async (t) => {
  t.is((await client().post(classes, {metadata: {name: 'fast'}, driverName: 'Disk.example', parameters: {iops: '1000'}})).status, 201);
  t.deepEqual(causesOf(await client().post(classes, {metadata: {name: 'none'}})), [
    'driverName: Required value',
    'parameters: Required value: must contain at least one key/value pair',
  ]);
  const bad = {metadata: {name: 'bad'}, driverName: 'a b', parameters: {'': 'x'.repeat(262_145)}};
  const [driver, ...parameters] = causesOf(await client().post(classes, bad));
  t.regex(driver!, /^driverName: Invalid value: "a b": name part must consist of alphanumeric characters/);
  t.deepEqual(parameters, [
    'parameters: Invalid value: "": field can not be empty.',
    'parameters: Too long: may not be more than 262144 bytes',
  ]);
  const many = Object.fromEntries(Array.from({length: 513}, (_item, index) => [`p${index}`, 'v']));
  t.deepEqual(causesOf(await client().post(classes, {metadata: {name: 'many'}, driverName: 'disk', parameters: many})), [
    'parameters: Too long: may not be more than 512 bytes',
  ]);
});

test('driver and parameters of a class of volume attributes are immutable', async (t) => {
  const made = (await client().post(classes, {metadata: {name: 'fixed'}, driverName: 'disk', parameters: {iops: '1'}})).json<object>();
  t.deepEqual(causesOf(await client().put(`${classes}/fixed`, {...made, driverName: 'other', parameters: {}})), [
    'driverName: Forbidden: updates to driverName are forbidden.',
    'parameters: Forbidden: updates to parameters are forbidden.',
    'parameters: Required value: must contain at least one key/value pair',
  ]);
  t.is((await client().put(`${classes}/fixed`, {...made, metadata: {name: 'fixed', labels: {a: 'b'}}})).status, 200);
});

test('the table of classes of volume attributes shows the driver, and deletion answers the object', async (t) => {
  await client().post(classes, {metadata: {name: 'shown'}, driverName: 'disk', parameters: {iops: '1'}});
  const [row] = await tableRows(client(), `${classes}/shown`);
  t.deepEqual(Object.keys(row!), ['Name', 'DriverName', 'Age']);
  t.like(row, {Name: 'shown', DriverName: 'disk'});
  t.is((await client().delete(`${classes}/shown`)).json<{kind: string}>().kind, 'VolumeAttributesClass');
});

test('deprecated versions of classes of volume attributes warn', async (t) => {
  await using server = await startTestServer({platform: 'kubernetes', release: '1.34', runtimeConfig: {'api/all': true}});
  const warning = async (version: string) =>
    (await server.client.get(`/apis/storage.k8s.io/${version}/volumeattributesclasses`)).headers['warning'];
  t.is(
    await warning('v1beta1'),
    '299 - "storage.k8s.io/v1beta1 VolumeAttributesClass is deprecated in v1.34+, unavailable in v1.37+; use storage.k8s.io/v1 VolumeAttributesClass"',
  );
  t.is(
    await warning('v1alpha1'),
    '299 - "storage.k8s.io/v1alpha1 VolumeAttributesClass is deprecated in v1.32+, unavailable in v1.35+; use storage.k8s.io/v1 VolumeAttributesClass"',
  );
  t.is(await warning('v1'), undefined);
});

test('a deprecated version advises no version that the release does not have', async (t) => {
  await using server = await startTestServer({platform: 'kubernetes', release: '1.33', runtimeConfig: {'api/all': true}});
  const {headers} = await server.client.get('/apis/storage.k8s.io/v1alpha1/volumeattributesclasses');
  t.is(headers['warning'], '299 - "storage.k8s.io/v1alpha1 VolumeAttributesClass is deprecated in v1.32+, unavailable in v1.35+"');
});
