import test from 'ava';
import {run} from '#bundle/core/cli/run.js';
import {startTestServer} from '@orch-api/orch/testing';
import {eventually} from '../helpers/eventually.js';
import {startRedis} from '../helpers/redis-server.js';

const maps = '/api/v1/namespaces/default/configmaps';

/** Runs a command of `orch` in this process. */
async function orch(...args: string[]): Promise<{code: number; out: string}> {
  let out = '';
  const take = {write: (text: string) => (out += text)};
  return {code: await run(args, {out: take, err: take, cwd: process.cwd()}), out};
}

test('a server whose Redis was emptied answers 503 and is not ready; after accept-loss it goes on with what a start makes', async (t) => {
  const redis = await startRedis(t);
  const server = await startTestServer({store: redis.url});
  t.teardown(() => server.stop());
  const {client} = server;
  const made = (await client.post(maps, {metadata: {name: 'one'}})).json<{metadata: {resourceVersion: string}}>();
  const watch = client.watch(`${maps}?watch=1&resourceVersion=${made.metadata.resourceVersion}`);
  const event = watch.next();
  await eventually(
    () => orch('store', 'status', '--store', redis.url, '--data-dir', server.dataDir),
    ({out}) => /remembered: revision [1-9]/.test(out),
  );

  await redis.client().flushall();
  for (const path of [maps, `${maps}/one`, '/apis/rbac.authorization.orch/v1/clusterroles']) {
    const answer = await client.get(path);
    t.is(answer.status, 503, `${path}: ${answer.body.toString()}`);
    t.regex(answer.body.toString(), /has lost data of this store.*orch store accept-loss/);
  }
  t.is((await client.post(maps, {metadata: {name: 'two'}})).status, 503);
  const ready = await client.get('/readyz?verbose');
  t.is(ready.status, 500);
  t.regex(ready.body.toString(), /has lost data of this store/);
  const status = await orch('store', 'status', '--store', redis.url, '--data-dir', server.dataDir);
  t.is(status.code, 2, status.out);
  t.regex(status.out, /MISSING: it is empty/);

  const accepted = await orch('store', 'accept-loss', '--store', redis.url, '--data-dir', server.dataDir);
  t.is(accepted.code, 0, accepted.out);
  t.regex(accepted.out, /^shard 0: loss accepted \(it is empty/);
  const told = (await event).value;
  t.is(told?.type, 'ERROR');
  t.is((told?.object as {code?: number} | undefined)?.code, 410, 'watchers are told to list again');
  const listed = await eventually(
    () => client.get(maps),
    ({status}) => status === 200,
  );
  const {items, metadata} = listed.json<{items: {metadata: {name: string}}[]; metadata: {resourceVersion: string}}>();
  t.false(items.some(({metadata: {name}}) => name === 'one'));
  t.true(Number(metadata.resourceVersion) > 1_700_000_000_000);
  await eventually(
    () => client.get('/readyz'),
    ({status}) => status === 200,
  );
  // What a start makes is there again, without one.
  for (const path of ['/api/v1/namespaces/default', '/apis/rbac.authorization.orch/v1/clusterroles/cluster-admin']) {
    await eventually(
      () => client.get(path),
      ({status}) => status === 200,
    );
  }
  t.is(
    (
      await eventually(
        () => client.post(maps, {metadata: {name: 'two'}}),
        ({status}) => status === 201,
      )
    ).status,
    201,
  );
  t.is(
    (await orch('store', 'accept-loss', '--store', redis.url, '--data-dir', server.dataDir)).out,
    'nothing is missing, and nothing was changed\n',
  );
});

test('the clock of a server does not matter: a step of six minutes expires neither pages nor watches', async (t) => {
  const redis = await startRedis(t);
  const server = await startTestServer({store: redis.url});
  t.teardown(() => server.stop());
  const {client} = server;
  const first = (await client.post(maps, {metadata: {name: 'a'}})).json<{metadata: {resourceVersion: string}}>();
  await client.post(maps, {metadata: {name: 'b'}});
  type Page = {metadata: {continue: string}};
  const page = (await client.get(`${maps}?limit=1`)).json<Page>();
  const {now} = Date;
  t.teardown(() => (Date.now = now));
  Date.now = () => now() + 6 * 60_000;
  // Ages are looked at once a second.
  const ticks = now() + 1500;
  await eventually(
    () => Promise.resolve(now()),
    (time) => time > ticks,
  );
  const next = await client.get(`${maps}?limit=1&continue=${encodeURIComponent(page.metadata.continue)}`);
  t.is(next.status, 200, next.body.toString());
  const watch = client.watch(`${maps}?watch=1&resourceVersion=${first.metadata.resourceVersion}`);
  const told = (await watch.next()).value;
  t.is(told?.type, 'ADDED', JSON.stringify(told));
  await watch.return(undefined);
});
