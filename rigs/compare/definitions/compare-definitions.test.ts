import test from 'ava';
import {signatureOf, wordsOf} from '../differences.js';
import {compareScenarios} from './compare-definitions.js';
import {reasonForDefinitions} from './known-of-definitions.js';
import {openDifferences, recordedReleases} from './recorded-scenarios.js';

for (const release of recordedReleases()) {
  test.serial(
    `a server of ${release} answers no more requests about definitions and their objects in another way than kube-apiserver ${release} than those that are known`,
    async (t) => {
      t.timeout(240_000);
      const {count, differences} = await compareScenarios(t, release);
      t.true(count > 4_000, `${count} requests`);
      const open = differences.filter((one) => reasonForDefinitions(one) === undefined);
      t.log(`${count} requests, ${differences.length} differences, of which ${open.length} are open`);
      t.true(
        open.length <= openDifferences()[release]!,
        `npm run compare:definitions -- --release ${release} shows them:\n${open
          .slice(0, 20)
          .map((one) => `${signatureOf(one)} ${JSON.stringify(wordsOf(one))}`)
          .join('\n')}`,
      );
    },
  );
}
