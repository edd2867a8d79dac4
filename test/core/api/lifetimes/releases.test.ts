import test from 'ava';
import {areOrdered, compareReleases, defaultReleaseOf, releaseAfter} from '../../../../core/api/lifetimes/releases.js';
import {versionInfo} from '../../../../core/http/discovery/version-info.js';

test('/version answers the release that is served, and its patch', (t) => {
  const {major, minor, gitVersion} = versionInfo(defaultReleaseOf(), '0.1.0');
  t.is(defaultReleaseOf(), `${major}.${minor}`);
  t.is(gitVersion, 'v1.26.15+orch.0.1.0');
  t.is(versionInfo('1.34', '0.1.0').minor, '34');
  t.is(versionInfo(defaultReleaseOf('kubernetes'), '0.1.0').gitVersion, 'v1.36.2+orch.0.1.0');
});

test('releases are compared by number, not by text', (t) => {
  t.true(compareReleases('1.9', '1.10') < 0);
  t.true(compareReleases('2.0', '1.99') > 0);
  t.is(compareReleases('1.26', '1.26'), 0);
  t.true(areOrdered(['1.2', undefined, '1.10', '1.10']));
  t.false(areOrdered(['1.10', '1.9']));
  for (const text of ['1', '1.x', 'v1.2', '1.2.3', ''])
    t.throws(() => compareReleases(text, '1.2'), {instanceOf: TypeError, message: `${JSON.stringify(text)} is no release, as 1.26 is one`});
});

test('of a number of releases and a number of months the longer counts', (t) => {
  // Four releases a year: three releases are nine months. Three releases a year: they are a year.
  t.is(releaseAfter('1.10', {months: 9, releases: 3}), '1.13');
  t.is(releaseAfter('1.22', {months: 9, releases: 3}), '1.25');
  t.is(releaseAfter('1.14', {months: 12, releases: 2}), '1.18');
  t.is(releaseAfter('1.22', {months: 12, releases: 2}), '1.25');
  t.is(releaseAfter('1.24', {months: 3, releases: 1}), '1.25');
  t.is(releaseAfter('1.24', {months: 0, releases: 0}), '1.24');
});

test('releases to come are expected every four months', (t) => {
  t.is(releaseAfter('1.40', {months: 12, releases: 1}), '1.43');
  t.is(releaseAfter('1.40', {months: 13, releases: 1}), '1.44');
});
