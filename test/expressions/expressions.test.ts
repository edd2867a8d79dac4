import test from 'ava';
import {differencesIn} from './differences.js';
import {openDifferences, readRecorded, recordedReleases} from './recorded.js';

for (const release of recordedReleases()) {
  test(`expressions are judged and evaluated as a real server of ${release} does, but for the differences that are counted`, (t) => {
    const cases = readRecorded(release);
    t.true(cases.length >= 1500);
    const open = differencesIn(release, cases).filter(({reason}) => reason === undefined);
    const allowed = openDifferences()[release] ?? 0;
    const shown = open.map(({one}) => `${one.kind}: ${one.rule.rule.slice(0, 200)}`);
    t.true(open.length <= allowed, `${open.length} differences are open, and ${allowed} were:\n${shown.slice(0, 20).join('\n')}`);
  });
}
