import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {recordingLogger} from '../../helpers/recording-logger.js';
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

test('a store that a newer release has written to is served by an older one only on request, which says what it does not serve', async (t) => {
  const dataDir = tempFolder(t);
  const at = (release: string, more = {}) =>
    startTestServer({store: 'embedded', dataDir, platform: 'kubernetes', release, runtimeConfig: {'networking.k8s.io/v1': true}, ...more});
  await (await at('1.30')).stop();
  const newer = await at('1.36');
  const made = await newer.client.post('/apis/networking.k8s.io/v1/servicecidrs', {
    metadata: {name: 'more'},
    spec: {cidrs: ['10.200.0.0/24']},
  });
  t.is(made.status, 201);
  await newer.stop();
  const text =
    /^a server of release 1\.36 has written to the store, and this one speaks 1\.26: fields that came later are not shown, and are lost from objects that it writes; not served are servicecidrs\.networking\.k8s\.io \(\d\)/;
  const refused = await t.throwsAsync(at('1.26'));
  t.regex(refused.message, text);
  t.regex(refused.message, /\. Start it with --release 1\.36, or with --allow-older-release if that is wanted$/);
  const log = recordingLogger();
  const older = await at('1.26', {allowOlderRelease: true, logger: log.logger});
  t.is(log.lines.filter(({message}) => text.test(message)).length, 1);
  await older.stop();
  await t.throwsAsync(at('1.35'));
  await (await at('1.36')).stop();
});
