import test from 'ava';
import {compareRecordedReads} from './compare-reads.js';
import {reasonForRead} from './known-reads.js';
import {releasesWithReads} from './recorded-reads.js';

for (const release of releasesWithReads()) {
  test.serial(`a server of ${release} answers reads as kube-apiserver ${release} does, but where that has a reason`, async (t) => {
    t.timeout(240_000);
    const {count, differences} = await compareRecordedReads(t, release);
    t.true(count > 1_000, `${count} reads`);
    const open = differences.filter((one) => reasonForRead(one) === undefined);
    t.log(`${count} reads, ${differences.length} differences with a reason`);
    t.deepEqual(
      open.map(({request: {method, path, headers}}) => `${method} ${path} ${JSON.stringify(headers ?? {})}`),
      [],
      `npm run compare:reads -- --release ${release} shows them`,
    );
  });
}
