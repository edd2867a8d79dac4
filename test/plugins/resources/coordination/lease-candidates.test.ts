import test from 'ava';
import {compareSemanticVersions, parseSemanticVersion} from '../../../../plugins/families/semantic-versions/semantic-version.js';
import {causesOf, servedGroup, tableRows} from '../served-group.js';

const client = servedGroup(test, {release: '1.33', runtimeConfig: {'coordination.orch/v1beta1': true, 'coordination.orch/v1alpha2': true}});
const url = (version = 'v1beta1') => `/apis/coordination.orch/${version}/namespaces/default/leasecandidates`;
const spec = {leaseName: 'controller', binaryVersion: '1.33.0', emulationVersion: '1.32.0', strategy: 'OldestEmulationVersion'};
const causes = async (changes: object) => causesOf(await client().post(url(), {metadata: {name: 'bad'}, spec: {...spec, ...changes}}));

test('a candidate names a lease, its versions and how the holder is chosen', async (t) => {
  t.is((await client().post(url(), {metadata: {name: 'One_a.b'}, spec})).status, 201);
  t.is(
    (await client().post(url(), {metadata: {name: 'own'}, spec: {...spec, emulationVersion: '', strategy: 'example.com/Mine'}})).status,
    201,
  );
  t.deepEqual(causesOf(await client().post(url(), {metadata: {name: 'none'}})), [
    'spec.leaseName: Required value',
    'spec.binaryVersion: Required value',
    'spec.strategy: Required value',
  ]);
  t.deepEqual(await causes({emulationVersion: '1.2', binaryVersion: 'v1'}), [
    'spec.emulationVersion: Invalid value: "1.2": must be a valid semantic version',
    'spec.binaryVersion: Invalid value: "v1": must be a valid semantic version',
    "spec.emulationVersion: Required value: must be specified when `strategy` is 'OldestEmulationVersion'",
  ]);
  t.deepEqual(await causes({emulationVersion: '1.34.0'}), [
    'spec.binaryVersion: Invalid value: "1.33.0": must be greater than or equal to `emulationVersion`',
  ]);
  t.deepEqual(await causes({strategy: 'Youngest'}), [
    'spec.strategy.strategy: Unsupported value: "Youngest": supported values: "OldestEmulationVersion"',
  ]);
  t.regex((await causes({strategy: 'a/b/c'}))[0]!, /^spec\.strategy\.strategy: Invalid value: "a\/b\/c": a qualified name must consist of/);
  t.regex(
    causesOf(await client().post(url(), {metadata: {name: 'a b'}, spec}))[0]!,
    /^metadata\.name: Invalid value: "a b": a valid config key must/,
  );
});

test('the lease of a candidate is immutable, and a candidate may be created by an update', async (t) => {
  const put = (leaseName: string, metadata = {}) =>
    client().put(`${url()}/put`, {metadata: {name: 'put', ...metadata}, spec: {...spec, leaseName}});
  const made = await put('controller');
  t.is(made.status, 201);
  const {resourceVersion} = made.json<{metadata: {resourceVersion: string}}>().metadata;
  t.deepEqual(causesOf(await put('other', {resourceVersion})), ['spec.leaseName: Invalid value: "other": field is immutable']);
  t.deepEqual(causesOf(await put('controller')), ['metadata.resourceVersion: Invalid value: 0: must be specified for an update']);
});

test('candidates are the same in both versions, and their table shows lease and versions', async (t) => {
  await client().post(url(), {metadata: {name: 'shown'}, spec});
  t.like((await client().get(`${url('v1alpha2')}/shown`)).json<object>(), {apiVersion: 'coordination.orch/v1alpha2', spec});
  const [row] = await tableRows(client(), `${url()}/shown`);
  t.deepEqual(Object.keys(row!), ['Name', 'LeaseName', 'BinaryVersion', 'EmulationVersion', 'Age']);
  t.like(row, {Name: 'shown', LeaseName: 'controller', BinaryVersion: '1.33.0', EmulationVersion: '1.32.0'});
});

test('versions of programs are ordered as semver.org says', (t) => {
  const order = [
    '1.0.0-1',
    '1.0.0-2',
    '1.0.0-10',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-rc',
    '1.0.0',
    '1.0.1',
    '1.1.0',
    '1.10.0',
    '2.0.0',
  ];
  const versions = order.map((text) => parseSemanticVersion(text)!);
  for (const [index, version] of versions.entries())
    for (const [other, second] of versions.entries())
      t.is(Math.sign(compareSemanticVersions(version, second)), Math.sign(index - other), `${order[index]} and ${order[other]}`);
  t.is(compareSemanticVersions(parseSemanticVersion('1.0.0+a')!, parseSemanticVersion('1.0.0+b')!), 0);
  for (const text of ['', '1', '1.2', 'v1.2.3', '01.2.3', '1.2.3-', '1.2.3-01', '1.2.3+', `1.2.3-${'a'.repeat(300)}`])
    t.is(parseSemanticVersion(text), undefined, text);
});
