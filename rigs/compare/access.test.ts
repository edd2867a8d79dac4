import test from 'ava';
import {accessConfigurations} from './access-configurations.js';
import {accessDifferences} from './access-differences.js';
import {accessReleases, readAccess} from './access-record.js';
import {accessRequests} from './access-requests.js';

for (const release of accessReleases) {
  test.serial(`a server of ${release} says about access what kube-apiserver ${release} says, but for what is known`, async (t) => {
    t.timeout(180_000);
    const record = readAccess(release);
    t.deepEqual([record.faults.length, record.answers.length], [accessConfigurations.length, accessRequests.length]);
    t.true(record.faults.length + record.answers.length > 300);
    const differences = await accessDifferences(t, release, record);
    t.log(`${record.faults.length} configurations, ${record.answers.length} requests, ${differences.length} differences, all known`);
    t.deepEqual(
      differences.filter(({why}) => why === undefined),
      [],
    );
  });
}
