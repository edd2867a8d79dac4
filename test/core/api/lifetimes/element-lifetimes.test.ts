import test from 'ava';
import {earliestRemoval, elementLifetimeFaults} from '../../../../core/api/lifetimes/element-lifetime-faults.js';
import {gateLifetimeFaults} from '../../../../core/api/lifetimes/gate-lifetime-faults.js';
import type {ElementDeprecation, FeatureGateLifetime} from '../../../../sdk/index.js';

type Who = Pick<ElementDeprecation, 'audience' | 'stage'>;

function deprecation(who: Who, since: string, removal?: string): ElementDeprecation {
  return {...who, since, message: 'Use --new instead.', ...(removal === undefined ? {} : {removal})};
}

// When releases came every three months, and since they come every four.
const periods: readonly (readonly [who: Who, from112: string, from122: string])[] = [
  [{audience: 'user', stage: 'stable'}, '1.16', '1.25'],
  [{audience: 'user', stage: 'beta'}, '1.13', '1.23'],
  [{audience: 'user', stage: 'alpha'}, '1.12', '1.22'],
  [{audience: 'admin', stage: 'stable'}, '1.14', '1.24'],
  [{audience: 'admin', stage: 'beta'}, '1.13', '1.23'],
  [{audience: 'admin', stage: 'alpha'}, '1.12', '1.22'],
];

for (const [who, ...expected] of periods) {
  test(`[B-DEPR-11] the check refuses the removal of a ${who.stage} flag for the ${who.audience} before its time`, (t) => {
    for (const [index, since] of ['1.12', '1.22'].entries()) {
      const earliest = expected[index]!;
      t.is(earliestRemoval(deprecation(who, since)), earliest);
      const rules = (removal: string) =>
        elementLifetimeFaults([], [{name: '--old', deprecated: deprecation(who, since, removal)}]).map(({rule}) => rule);
      t.deepEqual(rules(earliest), []);
      const before = `1.${Number(earliest.split('.')[1]) - 1}`;
      t.deepEqual(rules(before), ['removed-early'], before);
      t.deepEqual(
        elementLifetimeFaults([{name: '--old', deprecated: deprecation(who, since, before)}], [], '1.10').filter(
          ({rule}) => rule === 'removed-early',
        ).length,
        1,
      );
    }
  });
}

test('[B-DEPR-11] the check refuses an element that is gone before the release that was named, and one that outlives it', (t) => {
  const admin = {audience: 'admin', stage: 'stable'} as const;
  const rules = (...args: Parameters<typeof elementLifetimeFaults>) => elementLifetimeFaults(...args).map(({rule}) => rule);
  const later = {name: '--old', deprecated: deprecation(admin, '1.26', '1.28')};
  t.deepEqual(rules([later], []), []);
  t.deepEqual(rules([], [later]), ['removed-early']);
  t.deepEqual(rules([later], [], '1.28'), ['still-there']);
  t.deepEqual(rules([{name: '--old'}], [{name: '--old', deprecated: deprecation(admin, '1.20', '1.23')}]), ['still-there']);
  t.deepEqual(rules([], [{name: '--old', deprecated: deprecation(admin, '1.20')}]), ['order']);
  t.deepEqual(rules([{name: '--old', deprecated: deprecation(admin, '1.27')}], []), ['order']);
  t.deepEqual(rules([{name: 'orch old', deprecated: deprecation(admin, '1.20')}, {name: '--plain'}], []), []);
});

type Stage = 'alpha' | 'beta' | 'stable';
const present = (stage: Stage, lifetime: FeatureGateLifetime, release = '1.26') =>
  gateLifetimeFaults([{name: 'Fast', stage, lifetime}], [], release).map(({rule}) => rule);
const gone = (stage: Stage, lifetime: FeatureGateLifetime, release = '1.26') =>
  gateLifetimeFaults([], [{name: 'Fast', stage, lifetime}], release).map(({rule}) => rule);

test('[B-DEPR-12] the check refuses the removal of the gate of a stable feature before 6 months or 2 releases', (t) => {
  const stable = {introduced: '1.18', beta: '1.20', stable: '1.22'};
  t.deepEqual(gone('stable', {...stable, removed: '1.24'}), []);
  t.deepEqual(gone('stable', {...stable, removed: '1.23'}), ['removed-early']);
  t.deepEqual(present('stable', {...stable, removed: '1.27'}), []);
  t.deepEqual(present('stable', {introduced: '1.24', beta: '1.25', stable: '1.26', removed: '1.27'}), ['removed-early']);
});

test('[B-DEPR-12] the check refuses the removal of the gate of a beta feature that is given up before 3 months or 1 release', (t) => {
  const beta = {introduced: '1.18', beta: '1.20'};
  t.deepEqual(gone('beta', {...beta, deprecated: '1.24', removed: '1.25'}), []);
  t.deepEqual(gone('beta', {...beta, deprecated: '1.24', removed: '1.24'}), ['removed-early']);
  t.deepEqual(gone('beta', {...beta, removed: '1.25'}), ['removed-early']);
});

test('[B-DEPR-12] the gate of an alpha feature may go at any time', (t) => {
  t.deepEqual(gone('alpha', {introduced: '1.25', removed: '1.26'}), []);
  t.deepEqual(gone('alpha', {introduced: '1.25', removed: '1.25'}), []);
});

test('[B-DEPR-12] the check refuses a gate that is gone before the release that was named, that outlives it, or whose stage is another one', (t) => {
  const stable = {introduced: '1.18', beta: '1.20', stable: '1.22'};
  t.deepEqual(gone('stable', {...stable, removed: '1.27'}), ['removed-early']);
  t.deepEqual(gone('stable', stable), ['order']);
  t.deepEqual(present('stable', {...stable, removed: '1.26'}), ['still-there']);
  t.deepEqual(present('beta', stable), ['stage']);
  t.deepEqual(present('beta', stable, '1.21'), []);
  t.deepEqual(present('stable', {introduced: '1.20', beta: '1.18', stable: '1.22'}), ['order']);
  t.deepEqual(
    gateLifetimeFaults([{name: 'Fast', stage: 'alpha'}], [{name: 'Fast', stage: 'stable', lifetime: {...stable, removed: '1.25'}}]).map(
      ({rule}) => rule,
    ),
    ['still-there'],
  );
});
