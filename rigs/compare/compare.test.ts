import test from 'ava';
import {compareRecorded} from './compare.js';
import {signatureOf, wordsOf} from './differences.js';
import {reasonFor} from './known/known-differences.js';
import {openDifferences, recordedReleases, testedOneIn} from './recorded.js';

for (const release of recordedReleases()) {
  test.serial(
    `a server of ${release} answers no more requests in another way than kube-apiserver ${release} than those that are known`,
    async (t) => {
      t.timeout(180_000);
      for (const [kind, {count, differences}] of await compareRecorded(t, release, {oneIn: testedOneIn})) {
        t.true(count >= 50, `${count} requests of ${kind}`);
        const open = differences.filter((one) => reasonFor(one) === undefined);
        t.log(`${kind}: ${count} requests, ${differences.length} differences, of which ${open.length} are open`);
        t.true(
          open.length <= openDifferences()[release]![kind]!,
          `npm run compare -- --release ${release} --kind ${kind} shows them:\n${open
            .slice(0, 20)
            .map((one) => `${signatureOf(one)} ${JSON.stringify(wordsOf(one))}`)
            .join('\n')}`,
        );
      }
    },
  );
}
