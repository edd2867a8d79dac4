import test from 'ava';
import {policyDifferences} from './policy-differences.js';
import {readAnswers, recordedReleases} from './recorded-answers.js';
import {casesOf, runCases} from './run-cases.js';
import {ownCaseServer} from './servers.js';

for (const release of recordedReleases()) {
  test.serial(`policies of a server of ${release} are written and take effect as in kube-apiserver ${release}`, async (t) => {
    t.timeout(180_000);
    const real = readAnswers(release);
    t.true(real.size > 300, `${real.size} requests`);
    const own = await runCases(await ownCaseServer(t, release), casesOf(release));
    t.is(own.size, real.size);
    const open = policyDifferences(real, own).filter(({known}) => known === undefined);
    t.deepEqual(open, [], `npm run compare:policies -- --release ${release} shows them`);
  });
}
