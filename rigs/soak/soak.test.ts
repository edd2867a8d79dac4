import test from 'ava';
import {soak} from './soak.js';

const seed = Number(process.env.ORCH_TEST_SEED ?? 20_260_113);

test('two servers of one store, one killed or paused in the middle, leave what should stay and nothing else [A-NAME-7] [A-NAME-8] [A-QP-24]', async (t) => {
  t.log(`seed ${seed}`);
  const report = await soak(t, {seconds: 5, seed, workers: 3, interruptSeconds: 1, interruptions: 1, settleSeconds: 30});
  t.log(JSON.stringify(report));
  t.deepEqual(report.faults, []);
  // How many there are in five seconds says only how busy the machine is.
  t.true(report.actions >= 5, `${report.actions} actions`);
  t.true(report.kills + report.pauses > 0);
});
