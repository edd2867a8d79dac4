import test from 'ava';
import {behaviourTable} from '../../../../core/api/gates/behaviour-table.js';
import {gatesAtRelease, recordedGates} from '../../../../core/api/gates/gates-at-release.js';
import {gateTable} from '../../../../core/api/gates/gate-table.js';
import {platformGates} from '../../../../core/api/gates/platform-gates.js';
import {areOrdered, servedReleases} from '../../../../core/api/lifetimes/releases.js';

for (const {gate, release, state} of [
  {gate: 'InPlacePodVerticalScaling', release: '1.26', state: {enabled: false, setting: 'unknown'}},
  {gate: 'InPlacePodVerticalScaling', release: '1.27', state: {enabled: false, setting: 'free', stage: 'alpha'}},
  {gate: 'InPlacePodVerticalScaling', release: '1.33', state: {enabled: true, setting: 'free'}},
  {gate: 'InPlacePodVerticalScaling', release: '1.36', state: {enabled: true, setting: 'locked'}},
  {gate: 'CronJobTimeZone', release: '1.26', state: {enabled: true, setting: 'free'}},
  {gate: 'CronJobTimeZone', release: '1.28', state: {enabled: true, setting: 'locked'}},
  {gate: 'CronJobTimeZone', release: '1.29', state: {enabled: true, setting: 'unknown', stage: 'gone'}},
  {gate: 'NetworkPolicyStatus', release: '1.28', state: {enabled: false, setting: 'unknown'}},
] as const) {
  test(`the feature gate ${gate} is ${state.enabled ? 'on' : 'off'} and ${state.setting} in ${release}`, (t) => {
    t.like(gatesAtRelease(release).get(gate), state);
  });
}

test('every step of every gate can be read, and the steps are in order', (t) => {
  for (const [name, text] of Object.entries(gateTable)) {
    const steps = text.split(', ');
    for (const step of steps) t.regex(step, /^1\.\d+ (?:(?:alpha|beta|stable|deprecated) (?:on|off)(?: locked)?|gone)$/, name);
    t.true(areOrdered(steps.map((step) => step.split(' ')[0])), name);
  }
  for (const release of servedReleases) t.is(gatesAtRelease(release).size, Object.keys(gateTable).length);
});

test('a default of a naming profile counts until the release locks the gate', (t) => {
  const profile = {CustomResourceValidationExpressions: false, Own: true};
  t.like(platformGates('1.26', profile).get('CustomResourceValidationExpressions'), {enabled: false, setting: 'free'});
  t.like(platformGates('1.29', profile).get('CustomResourceValidationExpressions'), {enabled: true, setting: 'locked'});
  t.like(platformGates('1.36', profile).get('CustomResourceValidationExpressions'), {enabled: true, setting: 'unknown'});
  t.deepEqual(platformGates('1.36', profile).get('Own'), {enabled: true, setting: 'free'});
});

test('a naming profile can have what its release has not yet, which cannot be set', (t) => {
  const profile = {CustomResourceFieldSelectors: true};
  t.deepEqual(platformGates('1.29', profile).get('CustomResourceFieldSelectors'), {enabled: true, setting: 'unknown'});
  t.like(platformGates('1.30', profile).get('CustomResourceFieldSelectors'), {enabled: true, setting: 'free'});
  t.like(platformGates('1.30', {}).get('CustomResourceFieldSelectors'), {enabled: false, setting: 'free'});
});

test('what a release does without a gate can be asked for like a gate, and not be set', (t) => {
  const states = (name: string) => servedReleases.filter((release) => platformGates(release, {}).get(name)?.enabled);
  for (const [name, text] of Object.entries(behaviourTable)) {
    t.regex(text, /^1\.\d+(?: to 1\.\d+)?$/, name);
    t.false(name in gateTable, name);
    t.is(platformGates('1.36', {}).get(name)?.setting, 'unknown', name);
  }
  t.deepEqual(states('AppArmorAnnotations'), ['1.30', '1.31', '1.32', '1.33']);
  t.deepEqual(states('AddressForms'), ['1.33', '1.34', '1.35', '1.36']);
});

test('gates are recorded with their lifetime so far', (t) => {
  const {present, removed} = recordedGates('1.26');
  t.deepEqual(
    present.find(({name}) => name === 'CronJobTimeZone'),
    {name: 'CronJobTimeZone', stage: 'beta', lifetime: {introduced: '1.24', beta: '1.25'}},
  );
  t.deepEqual(
    removed.find(({name}) => name === 'CSRDuration'),
    {name: 'CSRDuration', stage: 'stable', lifetime: {introduced: '1.22', beta: '1.22', stable: '1.24', removed: '1.26'}},
  );
  t.is(
    present.find(({name}) => name === 'SidecarContainers'),
    undefined,
  );
});
