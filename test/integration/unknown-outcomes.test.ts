import test from 'ava';
import {types} from '@orch-api/orch/client';
import {startTestServer} from '@orch-api/orch/testing';
import {startRedis} from '../helpers/redis-server.js';

const path = '/api/v1/namespaces/default/configmaps';

test('a write whose outcome is unknown is answered with 504 and no Retry-After, so that no client repeats it', async (t) => {
  const redis = await startRedis(t);
  const server = await startTestServer({store: redis.url});
  t.teardown(() => server.stop());
  // No replica is connected: Redis makes the change, and nobody confirms it.
  const unsure = await startTestServer({store: `${redis.url}?wait-replicas=1`, flags: {'redis-wait-timeout': 50}});
  t.teardown(() => unsure.stop());

  const answer = await unsure.client.post(path, {metadata: {generateName: 'once-'}});
  t.is(answer.status, 504, answer.body.toString());
  t.is(answer.headers['retry-after'], undefined);
  t.regex(answer.body.toString(), /whether the change took effect is not known/);

  const maps = unsure.api.resource(types.core.v1.ConfigMap, 'default');
  t.like(await t.throwsAsync(maps.create({metadata: {generateName: 'once-'}})), {code: 504});
  t.like(await t.throwsAsync(maps.create({metadata: {name: 'once-named'}})), {code: 504}, 'not AlreadyExists for its own write');
  const {items} = (await server.client.get(path)).json<{items: {metadata: {name: string}}[]}>();
  t.is(items.filter(({metadata}) => metadata.name.startsWith('once-')).length, 3, 'one object for each intent');
});
