import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {sameValue} from '../../sdk/validation/index.js';
import {eventually} from '../../test/helpers/eventually.js';
import {makePriorities, PlayedSituation} from './play-situation.js';
import {recordedOutcomes} from './recorded-outcomes.js';
import {situations} from './situations.js';

let server: TestServer;

test.before(async () => {
  server = await startTestServer({
    platform: 'kubernetes',
    release: '1.36',
    controllers: ['apiserver', 'serviceaccount', 'kube-scheduler'],
  });
  await makePriorities(server.client);
});
test.after.always(() => server.stop());

const recorded = recordedOutcomes('1.36');

for (const situation of situations) {
  test.serial(`${situation.name}: the scheduler says what kube-scheduler 1.36 says`, async (t) => {
    const real = recorded[situation.name];
    t.truthy(real, 'npm run compare:scheduling -- --record makes it');
    await using played = await PlayedSituation.open(server.client, situation, () => server.settled());
    // The last look, if they never come to be the same.
    let last = await played.look();
    const look = async () => (last = await played.look());
    await eventually(look, (own) => sameValue(own, real!)).catch(() => undefined);
    t.deepEqual(last, real);
  });
}
