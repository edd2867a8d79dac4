import test from 'ava';
import {compareRecorded} from './compare.js';
import {signatureOf, wordsOf} from './differences.js';
import {reasonFor} from './known/known-differences.js';
import {openDifferences, recordedReleases} from './recorded.js';

for (const release of recordedReleases()) {
  test.serial(
    `a server of ${release} answers no more requests in another way than kube-apiserver ${release} than those that are known`,
    async (t) => {
      t.timeout(180_000);
      const {count, differences} = await compareRecorded(t, release);
      t.true(count > 4_000, `${count} requests`);
      const open = differences.filter((one) => reasonFor(one) === undefined);
      t.log(`${count} requests, ${differences.length} differences, of which ${open.length} are open`);
      t.true(
        open.length <= openDifferences()[release]!,
        `npm run compare -- --release ${release} shows them:\n${open
          .slice(0, 20)
          .map((one) => `${signatureOf(one)} ${JSON.stringify(wordsOf(one))}`)
          .join('\n')}`,
      );
      // What nobody mends any more would hide what gets worse.
      t.true(open.length >= openDifferences()[release]! - 25, `fewer are open: npm run compare -- --release ${release} --update`);
    },
  );
}
