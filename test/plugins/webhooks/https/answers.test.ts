import {once} from 'node:events';
import {createServer, type AddressInfo} from 'node:net';
import test from 'ava';
import {answer, webhookService} from '../../../helpers/webhook-service.js';
import {caller, failure, target} from './caller.js';

test('a review is posted as JSON with the time limit in the query, and the answer comes back to the last digit', async (t) => {
  let sent = '';
  const {url, ca, requests} = await webhookService(t, (body, response) => {
    sent = body;
    answer(response, '{"big":9007199254740993,"list":[1.5,{"__proto__":{"a":1}}]}');
  });
  const webhooks = caller(t);
  const result = await webhooks.call(target(`${url}/convert`, {caBundle: ca}), {n: 12345678901234567890n, gone: undefined});
  t.is(sent, '{"n":12345678901234567890}');
  t.is(result['big'], 9007199254740993n);
  t.true(Object.hasOwn((result['list'] as object[])[1]!, '__proto__'));
  const [{method, url: path, headers}] = requests as unknown as [{method: string; url: string; headers: Record<string, string>}];
  t.deepEqual(
    [method, path, headers['content-type'], headers['accept'], headers['content-length'], headers['authorization']],
    ['POST', '/convert?timeout=10s', 'application/json', 'application/json', '26', undefined],
  );
  t.deepEqual(await webhooks.call(target(url, {caBundle: ca}), '{"text":  1}'), result);
  t.is(sent, '{"text":  1}');
});

test('credentials go into the request', async (t) => {
  const {url, ca} = await webhookService(t, (_body, response, {headers}) => answer(response, {authorization: headers.authorization}));
  const webhooks = caller(t);
  t.deepEqual(await webhooks.call(target(url, {caBundle: ca, credentials: {token: 'abc'}}), {}), {authorization: 'Bearer abc'});
  t.deepEqual(await webhooks.call(target(url, {caBundle: ca, credentials: {basic: {username: 'me', password: 'pw'}}}), {}), {
    authorization: 'Basic bWU6cHc=',
  });
  t.like(await failure(webhooks.call(target(url, {caBundle: ca, credentials: {token: 'a\nb'}}), {})), {code: 'Misconfigured'});
});

test('another status than success, a redirect among them, is told without the body, whose start is for the log', async (t) => {
  const statuses: Record<string, [number, string]> = {
    '/broken': [500, 'no disk'],
    '/long': [404, 'x'.repeat(5000)],
    '/moved': [307, ''],
    '/made': [201, '{}'],
  };
  const {url, ca, requests} = await webhookService(t, (_body, response, {url: path}) => {
    const [status, body] = statuses[path!.split('?')[0]!]!;
    response.writeHead(status, {location: '/made'}).end(body);
  });
  const webhooks = caller(t);
  const call = (path: string) => webhooks.call(target(url + path, {caBundle: ca}), {});
  t.deepEqual(await failure(call('/broken')), {
    code: 'Refused',
    message: 'the service answers with status 500',
    statusCode: 500,
    answer: 'no disk',
  });
  t.is((await failure(call('/long'))).answer?.length, 512);
  t.deepEqual(await failure(call('/moved')), {code: 'Refused', message: 'the service answers with status 307', statusCode: 307});
  t.deepEqual(await call('/made'), {});
  t.deepEqual(await failure(webhooks.call(target(`${url}/made`, {caBundle: ca, statusCode: 200}), {})), {
    code: 'Refused',
    message: 'the service answers with status 201',
    statusCode: 201,
    answer: '{}',
  });
  t.is(requests.length, 5);
});

test('an answer that is not a JSON object, or too large, is refused with the reason', async (t) => {
  const deep = `{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`;
  const answers: [string | Buffer, RegExp][] = [
    ['', /^the answer is empty$/],
    ['<html>', /^the answer is not JSON$/],
    ['[]', /^the answer is not a JSON object$/],
    ['null', /^the answer is not a JSON object$/],
    ['{"a":1e999}', /^the answer is not JSON$/],
    [deep, /^the answer is nested deeper than 1000 levels$/],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), /^the answer is not valid UTF-8$/],
    [Buffer.alloc(7 * 1024 * 1024, 32), /^the answer is larger than 6291456 bytes$/],
  ];
  const {url, ca} = await webhookService(t, (body, response) => void response.end(answers[Number(JSON.parse(body).position)]![0]));
  const webhooks = caller(t);
  for (const [position, [, message]] of answers.entries()) {
    const told = await failure(webhooks.call(target(url, {caBundle: ca}), {position}));
    t.is(told.code, 'BadAnswer');
    t.regex(told.message, message);
  }
});

test('brackets in texts do not count as nesting', async (t) => {
  const text = `\\"${'['.repeat(2000)}\\\\`;
  const {url, ca} = await webhookService(t, (_body, response) => answer(response, `{"a":"${text}"}`));
  t.is(String((await caller(t).call(target(url, {caBundle: ca}), {}))['a']).length, 2002);
});

test('a service that cannot be reached, or hangs up, is told with its address', async (t) => {
  const {url, port, ca, stop} = await webhookService(t, (_body, response) => void response.destroy());
  const webhooks = caller(t);
  const call = (to: string) => failure(webhooks.call(target(to, {caBundle: ca}), {}));
  t.deepEqual(await call(url), {
    code: 'Unreachable',
    message: `the connection to 127.0.0.1:${port} broke off before the answer was complete (ECONNRESET)`,
  });
  await stop();
  t.deepEqual(await call(url), {code: 'Unreachable', message: `cannot connect to 127.0.0.1:${port} (ECONNREFUSED)`});
  t.deepEqual(await call('https://nowhere.invalid/'), {
    code: 'Unreachable',
    message: 'the host "nowhere.invalid" cannot be found (ENOTFOUND)',
  });
});

test('interim answers without end are none', async (t) => {
  const {url, ca} = await webhookService(t, (_body, response) => {
    for (let count = 0; count < 100; count += 1) response.writeContinue();
    answer(response, {});
  });
  const webhooks = caller(t);
  t.like(await failure(webhooks.call(target(url, {caBundle: ca}), {})), {
    code: 'BadAnswer',
    message: 'there were more than 5 interim answers',
  });
});

test('an answer that breaks off in the middle is none', async (t) => {
  const {url, port, ca} = await webhookService(t, (_body, response) => {
    response.writeHead(200, {'content-length': '100'});
    response.write('{"a":');
    setImmediate(() => response.destroy());
  });
  t.deepEqual(await failure(caller(t).call(target(url, {caBundle: ca}), {})), {
    code: 'Unreachable',
    message: `the connection to 127.0.0.1:${port} broke off before the answer was complete (ECONNRESET)`,
  });
});

test('the time limit ends a call wherever it hangs', async (t) => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.teardown(() => void silent.close());
  const {url, ca, connections} = await webhookService(t, (body, response) => {
    if (body === '{"head":true}') response.writeHead(200).write('{');
  });
  const webhooks = caller(t);
  const call = (to: string, review: object) => failure(webhooks.call({...target(to, {caBundle: ca}), timeoutMillis: 100}, review));
  const expected = {code: 'Timeout', message: 'no answer within 0.1 s'};
  t.deepEqual(await call(url, {}), expected);
  t.deepEqual(await call(url, {head: true}), expected);
  t.deepEqual(await call(`https://127.0.0.1:${(silent.address() as AddressInfo).port}`, {}), expected);
  while (connections.open > 0) await new Promise((resolve) => setImmediate(resolve));
  t.is(connections.open, 0);
});

test('a signal gives a call up with its reason', async (t) => {
  const {url, ca, requests} = await webhookService(t, () => undefined);
  const webhooks = caller(t);
  const abort = new AbortController();
  const reason = new Error('changed my mind');
  const call = webhooks.call(target(url, {caBundle: ca}), {}, abort.signal);
  while (requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
  abort.abort(reason);
  t.is(await call.catch((error: unknown) => error), reason);
  t.is(await webhooks.call(target(url, {caBundle: ca}), {}, abort.signal).catch((error: unknown) => error), reason);
  t.is(requests.length, 1);
});

test('a URL that cannot be called is told; its password is not', async (t) => {
  const webhooks = caller(t);
  t.deepEqual(await failure(webhooks.call(target('http://127.0.0.1/'), {})), {
    code: 'Misconfigured',
    message: '"http://127.0.0.1/" is not an https URL',
  });
  t.deepEqual(await failure(webhooks.call(target('there'), {})), {code: 'Misconfigured', message: '"there" is not a URL'});
  const error = await t.throwsAsync(webhooks.call({url: 'https://me:secret@127.0.0.1:1/x', timeoutMillis: 2000}, {}), {
    name: 'WebhookError',
  });
  t.is(error.message, 'Post "https://127.0.0.1:1/x?timeout=2s": cannot connect to 127.0.0.1:1 (ECONNREFUSED)');
});
