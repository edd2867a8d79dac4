import test from 'ava';
import {advanceFaults, preferredVersion} from '../../../../core/api/lifetimes/advance-faults.js';
import {uncovered, unneeded} from '../../../../core/api/lifetimes/lifetime-exceptions.js';
import {versionLifetimeFaults} from '../../../../core/api/lifetimes/version-lifetime-faults.js';
import type {ResourceDefinition, ResourceVersionDefinition, VersionLifetime} from '../../../../sdk/index.js';

type Version = Omit<ResourceVersionDefinition, 'schema'>;

function widgets(versions: readonly Version[], kind = 'Widget'): ResourceDefinition {
  return {
    group: 'shop.orch',
    names: {plural: `${kind.toLowerCase()}s`, kind},
    scope: 'Cluster',
    versions: versions.map((version) => ({...version, schema: {}})),
  };
}

function faults(name: string, lifetime: VersionLifetime, release = '1.26'): string[] {
  const others = ['v1', 'v1beta1', 'v1alpha1'].filter((other) => other !== name).map((other) => ({name: other}));
  return versionLifetimeFaults([widgets([{name, lifetime}, ...others])], undefined, release).map(({rule}) => rule);
}

test('[B-STAB-4] the check refuses a stable version that is removed within a major version, and one that is not named v and a number', (t) => {
  t.deepEqual(faults('v1', {introduced: '1.10'}), []);
  t.deepEqual(faults('v1', {introduced: '1.10', deprecated: '1.20'}), []);
  t.deepEqual(faults('v1', {introduced: '1.10', deprecated: '1.20', removed: '1.40'}), ['stable-removed']);
  t.deepEqual(faults('v1', {introduced: '1.10', deprecated: '1.20', removed: '2.0'}), []);
  for (const name of ['stable', 'v0', 'v1rc1', 'v01', 'w1']) t.deepEqual(faults(name, {introduced: '1.10'}), ['version-name'], name);
});

test('[B-STAB-5] the check refuses a beta version that is deprecated later than 9 months or 3 releases after its introduction', (t) => {
  t.deepEqual(faults('v1beta1', {introduced: '1.23', deprecated: '1.24'}), []);
  t.deepEqual(faults('v1beta1', {introduced: '1.23', deprecated: '1.26'}), []);
  t.deepEqual(faults('v1beta1', {introduced: '1.23', deprecated: '1.27'}), ['deprecated-late']);
  t.deepEqual(faults('v1beta1', {introduced: '1.23'}, '1.25'), []);
  t.deepEqual(faults('v1beta1', {introduced: '1.23'}, '1.26'), ['deprecated-late']);
  // When releases came every three months, nine months were three releases.
  t.deepEqual(faults('v1beta1', {introduced: '1.10', deprecated: '1.13', removed: '1.16'}), []);
  t.deepEqual(faults('v1alpha1', {introduced: '1.2'}), []);
});

test('[B-STAB-5] the check refuses a beta version that is removed earlier or later than as long after its deprecation', (t) => {
  const deprecated = {introduced: '1.23', deprecated: '1.24'};
  t.deepEqual(faults('v1beta1', {...deprecated, removed: '1.27'}), []);
  t.deepEqual(faults('v1beta1', {...deprecated, removed: '1.26'}), ['removed-early']);
  t.deepEqual(faults('v1beta1', {...deprecated, removed: '1.28'}), ['removed-late']);
  t.deepEqual(faults('v1beta1', deprecated, '1.26'), []);
  t.deepEqual(faults('v1beta1', deprecated, '1.27'), ['removed-late']);
  t.deepEqual(faults('v1beta1', {introduced: '1.24', removed: '1.25'}, '1.24'), ['removed-early']);
  t.deepEqual(faults('v1alpha1', {introduced: '1.24', removed: '1.25'}), []);
});

test('the check names the version and the release that it should have been', (t) => {
  const [fault] = versionLifetimeFaults([
    widgets([{name: 'v1beta1', lifetime: {introduced: '1.23', deprecated: '1.24', removed: '1.26'}}]),
  ]);
  t.is(
    `${fault!.subject}: ${fault!.text}`,
    'shop.orch/v1beta1 Widget: a beta version that is deprecated in 1.24 is served until 1.27, and it would be removed in 1.26',
  );
});

test('the check refuses lifetimes that run backwards or begin in the future', (t) => {
  t.deepEqual(faults('v1', {introduced: '1.20', deprecated: '1.19'}), ['order']);
  t.deepEqual(faults('v1', {introduced: '1.27'}), []);
  t.deepEqual(faults('v1', {introduced: '1.37'}), ['order']);
  t.deepEqual(faults('v1', {introduced: '1.27', stored: '1.26'}), ['order']);
  t.deepEqual(faults('v1alpha1', {introduced: '1.20', stored: '1.22', removed: '1.21'}), ['order']);
  t.deepEqual(faults('v1alpha1', {introduced: '1.20', deprecated: '1.22', removed: '1.21'}), ['order']);
});

test('[B-DEPR-4] the check refuses a version that is deprecated in favour of a less stable one, or of none that exists', (t) => {
  const replaced = (name: string, replacedBy: string) => faults(name, {introduced: '1.24', deprecated: '1.26', replacedBy});
  t.deepEqual(replaced('v1', 'shop.orch/v1beta1'), ['less-stable-replacement']);
  t.deepEqual(replaced('v1', 'shop.orch/v1alpha1'), ['less-stable-replacement']);
  t.deepEqual(replaced('v1beta1', 'shop.orch/v1alpha1'), ['less-stable-replacement']);
  t.deepEqual(replaced('v1beta1', 'shop.orch/v1'), []);
  t.deepEqual(replaced('v1alpha1', 'shop.orch/v1beta1'), []);
  t.deepEqual(replaced('v1', 'other.example.com/v3'), []);
  t.deepEqual(replaced('v1', 'shop.orch/v9'), ['unknown-replacement']);
  t.deepEqual(replaced('v1', 'a/b/c'), ['unknown-replacement']);
  t.deepEqual(replaced('v1beta1', 'shop.orch/v1 Widget'), []);
  t.deepEqual(replaced('v1beta1', 'shop.orch/v1 Gadget'), ['unknown-replacement']);
});

const advance = (...versions: Version[]) => advanceFaults([widgets(versions)], '1.26').map(({rule, subject}) => `${rule} ${subject}`);

test('[B-DEPR-6] the check refuses a preferred version that comes with the present release while the release before served another', (t) => {
  const old = {name: 'v1', storage: true, lifetime: {introduced: '1.20'}};
  t.deepEqual(advance(old, {name: 'v2', lifetime: {introduced: '1.26'}}), ['preferred-too-early shop.orch/v2']);
  t.deepEqual(advance(old, {name: 'v2', lifetime: {introduced: '1.25'}}), []);
  t.deepEqual(advance(old, {name: 'v2', served: false, lifetime: {introduced: '1.26'}}), []);
  t.deepEqual(advance(old, {name: 'v2beta1', lifetime: {introduced: '1.26'}}), []);
  t.deepEqual(advance({name: 'v1', lifetime: {introduced: '1.26'}}), []);
  t.is(preferredVersion('shop.orch', [widgets([old, {name: 'v2', lifetime: {introduced: '1.26'}}])], '1.26'), 'v2');
});

test('[B-DEPR-6] a new type in a version that its group had already is no advance of the group', (t) => {
  const group = [
    widgets([{name: 'v1', lifetime: {introduced: '1.20'}}]),
    widgets([{name: 'v1', lifetime: {introduced: '1.26'}}], 'Gadget'),
  ];
  t.deepEqual(advanceFaults(group, '1.26'), []);
  const early = [
    widgets([{name: 'v1', lifetime: {introduced: '1.20'}}]),
    widgets([{name: 'v2', lifetime: {introduced: '1.26'}}], 'Gadget'),
  ];
  t.deepEqual(
    advanceFaults(early, '1.26').map(({rule}) => rule),
    ['preferred-too-early'],
  );
});

test('[B-DEPR-6] the check refuses a storage version that comes with the present release while the release before had another', (t) => {
  const fresh = {name: 'v1beta2', served: true, lifetime: {introduced: '1.26'}};
  t.deepEqual(advance({name: 'v1', lifetime: {introduced: '1.20'}}, {...fresh, storage: true}), [
    'storage-too-early shop.orch/v1beta2 Widget',
  ]);
  t.deepEqual(advance({name: 'v1', storage: true, lifetime: {introduced: '1.20'}}, fresh), []);
  t.deepEqual(advance({name: 'v1alpha1', lifetime: {introduced: '1.24', removed: '1.25'}}, {...fresh, storage: true}), []);
  t.deepEqual(advance({name: 'v1alpha1', lifetime: {introduced: '1.24', removed: '1.26'}}, {...fresh, storage: true}), [
    'storage-too-early shop.orch/v1beta2 Widget',
  ]);
});

test('an exception covers one fault, and one that covers none is a fault', (t) => {
  const found = advanceFaults(
    [
      widgets([
        {name: 'v1', storage: true, lifetime: {introduced: '1.20'}},
        {name: 'v2', lifetime: {introduced: '1.26'}},
      ]),
    ],
    '1.26',
  );
  const exception = {rule: 'preferred-too-early', subject: 'shop.orch/v2', reason: 'for the test'} as const;
  t.deepEqual(uncovered(found, [exception]), []);
  t.deepEqual(uncovered(found, [{...exception, subject: 'shop.orch/v3'}]), found);
  t.deepEqual(uncovered(found, [{...exception, rule: 'storage-too-early'}]), found);
  t.deepEqual(unneeded(found, [exception]), []);
  t.deepEqual(
    unneeded([], [exception]).map(({rule}) => rule),
    ['unneeded-exception'],
  );
});
