import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../../helpers/eventually.js';
import {recordingLogger} from '../../../helpers/recording-logger.js';
import {userClient} from '../../../helpers/user-client.js';

const {logger, lines} = recordingLogger();
let server: TestServer;

test.before(async () => {
  server = await startTestServer({logger, logLevel: 'warn,rbac=debug', slowRequestThreshold: '0s'});
});
test.after.always(() => server.stop());

const put = (flag: string, body: string, headers = {}) => server.client.request('PUT', `/debug/flags/${flag}`, {body, headers});
const levels = async () =>
  (await server.client.get('/debug/flags/log-level')).json<{default: string; components: Record<string, string>}>();
const logged = (path: string) => lines.filter(({fields}) => fields['path'] === path).map(({level}) => level);

test.serial('what components log can be seen and changed while the server runs', async (t) => {
  const before = await levels();
  t.is(before.default, 'warn');
  t.like(before.components, {http: 'warn', storage: 'warn', kernel: 'warn', rbac: 'debug'});
  await server.client.get('/version?quiet');
  const answer = await put('log-level', 'http=debug,rbac=default');
  t.is(answer.status, 200);
  t.is(answer.body.toString(), 'successfully set log-level to http=debug,rbac=default\n');
  t.like(await levels(), {default: 'warn', components: {http: 'debug', rbac: 'warn', storage: 'warn'}});
  await server.client.get('/version');
  await eventually(
    () => logged('/version'),
    (found) => found.length > 0,
  );
  t.deepEqual(logged('/version'), ['debug']);
  t.is((await put('log-level', 'error,http=default')).status, 200);
  t.like(await levels(), {default: 'error', components: {http: 'error', storage: 'error'}});
});

test.serial('all requests are logged at info when that is wanted, with their documented keys', async (t) => {
  t.is((await put('log-level', 'info')).status, 200);
  t.is((await server.client.get('/api')).status, 200);
  t.is((await put('log-requests', 'true')).status, 200);
  t.true((await server.client.get('/debug/flags/log-requests')).json());
  await server.client.get('/apis');
  await eventually(
    () => logged('/apis'),
    (found) => found.length > 0,
  );
  t.deepEqual(logged('/apis'), ['info']);
  t.deepEqual(logged('/api'), []);
  const line = lines.find(({fields}) => fields['path'] === '/apis')!;
  t.like(line, {message: 'request', fields: {method: 'GET', code: 200, user: 'orch-admin'}});
  t.is((await put('log-requests', 'false')).status, 200);
  const changes = lines.filter(({message}) => message === 'a flag was changed');
  t.like(changes.at(-1)!.fields, {flag: 'log-requests', value: 'false', user: 'orch-admin'});
});

test.serial('a value that a flag does not take changes nothing, and tells what it takes', async (t) => {
  const before = await levels();
  for (const [flag, body, message] of [
    ['log-level', 'loud', /log-level must be LEVEL or COMPONENT=LEVEL/],
    ['log-level', 'http=debug,=info', /log-level must be/],
    ['log-level', '', /log-level must be/],
    ['log-requests', 'yes', /log-requests must be true or false, not "yes"/],
    ['log-level', `${'a'.repeat(200)}=info`, /log-level must be/],
    ['log-level', Array.from({length: 1100}, (_, index) => `c${index}=info`).join(','), /log-level/],
  ] as const) {
    const refused = await put(flag, body);
    t.is(refused.status, 400, body.slice(0, 20));
    t.regex(refused.json<{message: string}>().message, message);
  }
  t.deepEqual(await levels(), before);
  t.is((await put('v', '4')).status, 404);
  t.is((await server.client.request('DELETE', '/debug/flags/log-level')).status, 405);
});

test.serial('who has no permission for the path can neither see nor change it', async (t) => {
  const jane = await userClient(t, server, 'jane');
  t.is((await jane.get('/debug/flags/log-level')).status, 403);
  t.is((await jane.request('PUT', '/debug/flags/log-level', {body: 'trace'})).status, 403);
});

test.serial('a value that is too long is refused, not cut', async (t) => {
  const before = (await server.client.get('/debug/flags/log-level')).json();
  const answer = await server.client.request('PUT', '/debug/flags/log-level', {body: `${'http=debug,'.repeat(1000)}http=trace`});
  t.is(answer.status, 400, answer.body.toString());
  const cut = await server.client.request('PUT', '/debug/flags/log-level', {body: `http=debug${' '.repeat(5000)},http=nonsense`});
  t.is(cut.status, 400, cut.body.toString());
  t.deepEqual((await server.client.get('/debug/flags/log-level')).json(), before);
});
