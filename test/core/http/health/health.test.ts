import test from 'ava';
import {eventually} from '../../../helpers/eventually.js';
import {httpsClient} from '../../../helpers/https-client.js';
import {startOrch} from '../../../helpers/orch-process.js';
import {startRedis} from '../../../helpers/redis-server.js';

test('why a check fails is told to administrators and to the log, not to anybody', async (t) => {
  const redis = await startRedis(t);
  const orch = await startOrch(t, {store: redis.url});
  const administrator = httpsClient(t, orch);
  const anybody = httpsClient(t, {url: orch.url, ca: orch.ca});
  const address = new URL(redis.url).host;
  await redis.stop();
  const told = await eventually(
    () => administrator.get('/readyz?verbose'),
    ({status}) => status === 500,
    10_000,
  );
  t.true(told.text.includes(address), told.text);
  for (const path of ['/readyz', '/readyz?verbose', '/readyz/store', '/healthz']) {
    const answer = await anybody.get(path);
    t.is(answer.status, 500);
    t.false(answer.text.includes(address), answer.text);
    t.regex(answer.text, /^\[-\]store failed: reason withheld$/m);
  }
  const lines = orch
    .logs()
    .split('\n')
    .filter((line) => line.includes('"a health check fails"'));
  t.is(lines.length, 1);
  t.true(lines[0]!.includes(address));
});
