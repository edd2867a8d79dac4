import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {startRedis} from '../helpers/redis-server.js';

const maps = '/api/v1/namespaces/default/configmaps';

test('while Redis is frozen no request takes much longer than --redis-command-timeout', async (t) => {
  const redis = await startRedis(t);
  const server = await startTestServer({store: redis.url});
  t.teardown(() => server.stop());
  const {client} = server;
  const made = (await client.post(maps, {metadata: {name: 'one'}})).json<{metadata: {resourceVersion: string}}>();
  const update = {metadata: {name: 'one', resourceVersion: made.metadata.resourceVersion}, data: {a: 'b'}};
  await redis.kill('SIGSTOP');
  t.teardown(() => redis.kill('SIGCONT'));
  const timed = async (what: string, request: () => Promise<{status: number; body: Buffer}>) => {
    const started = performance.now();
    const {status, body} = await request();
    return {what, status, seconds: (performance.now() - started) / 1000, body: body.toString()};
  };
  const put = () => timed('PUT', () => client.put(`${maps}/one`, update));
  const answers = await Promise.all([
    put(),
    timed('POST', () => client.post(maps, {metadata: {name: 'two'}})),
    timed('PATCH', () => client.patch(`${maps}/one`, {data: {c: 'd'}})),
    timed('GET', () => client.get(`${maps}/one`)),
    timed('DELETE', () => client.delete(`${maps}/one`)),
  ]);
  answers.push(await put());
  t.log(answers.map(({what, status, seconds}) => `${what} ${status} ${seconds.toFixed(2)} s`).join(', '));
  for (const {what, status, seconds, body} of answers) {
    t.true(status === 503 || status === 504, `${what}: ${body}`);
    t.true(seconds < 2.9, `${what} took ${seconds.toFixed(2)} s`);
  }
});
