import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {startRedis} from '../../helpers/redis-server.js';
import {tempFolder} from '../../helpers/temp-folder.js';

const refusal =
  /^the store belongs to the platform orch \(groups in orch, keys in orch\), and this server is of the platform kubernetes: start it with --platform orch, or on another store$/;

test('a data directory of one platform is refused to a server of another, and is served on by its own', async (t) => {
  const dataDir = tempFolder(t);
  await (await startTestServer({store: 'embedded', dataDir, platform: 'orch'})).stop();
  await t.throwsAsync(startTestServer({store: 'embedded', dataDir, platform: 'kubernetes'}), {message: refusal});
  const again = await startTestServer({store: 'embedded', dataDir, platform: 'orch'});
  t.is((await again.client.get('/api/v1/namespaces/default')).status, 200);
  await again.stop();
});

test('servers that share a Redis are of one platform', async (t) => {
  const redis = await startRedis(t);
  const first = await startTestServer({store: redis.url, platform: 'orch'});
  t.teardown(() => first.stop());
  await t.throwsAsync(startTestServer({store: redis.url, platform: 'kubernetes'}), {message: refusal});
  const second = await startTestServer({store: redis.url, platform: 'orch'});
  t.teardown(() => second.stop());
  t.is((await second.client.get('/api/v1/namespaces/default')).status, 200);
});

test('of servers that begin on an empty Redis at once those of one platform come up', async (t) => {
  const redis = await startRedis(t);
  const platforms = ['orch', 'kubernetes', 'orch', 'kubernetes'];
  const starts = await Promise.allSettled(platforms.map((platform) => startTestServer({store: redis.url, platform})));
  for (const start of starts) if (start.status === 'fulfilled') t.teardown(() => start.value.stop());
  const up = new Set(starts.flatMap(({status}, index) => (status === 'fulfilled' ? [platforms[index]] : [])));
  t.is(up.size, 1);
  t.is(starts.filter(({status}) => status === 'fulfilled').length, 2);
});
