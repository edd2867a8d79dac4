import {once} from 'node:events';
import {connect, type TLSSocket} from 'node:tls';
import type {ExecutionContext} from 'ava';
import {readServerFile, type TestServer} from '@orch-api/orch/testing';
import {testOnEachStore} from '../helpers/each-store.js';
import {userClient, userCredentials} from '../helpers/user-client.js';
import {answer, assertFailure} from './answers.js';
import {configMap, gadgets, namesOf, withFixtures, type ReadList, type ReadObject} from './fixtures.js';

const eachStore = testOnEachStore(withFixtures);
const bodyLimit = 3 * 1024 * 1024;

/** The answer, as it comes, to a body that is sent in chunks without saying how long it is. */
async function sendChunked(t: ExecutionContext, server: TestServer, path: string, body: string): Promise<string> {
  const {hostname, port} = new URL(server.url);
  const [ca, cert, key] = await Promise.all(['ca.crt', 'admin.crt', 'admin.key'].map((name) => readServerFile(server, 'pki', name)));
  const socket = connect({host: hostname, port: Number(port), ca, cert, key});
  t.teardown(() => socket.destroy());
  let received = '';
  socket.on('data', (data: Buffer) => (received += data.toString()));
  // The server closes the connection as soon as it has read enough.
  socket.on('error', () => undefined);
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`);
  for (let offset = 0; offset < body.length; offset += 65_536) {
    const part = body.slice(offset, offset + 65_536);
    socket.write(`${part.length.toString(16)}\r\n${part}\r\n`);
  }
  socket.write('0\r\n\r\n');
  await once(socket, 'close');
  return received;
}

/** Connections that have begun a write and do not end it. */
async function unfinishedWrites(t: ExecutionContext, server: TestServer, path: string, count: number): Promise<TLSSocket[]> {
  const {hostname, port} = new URL(server.url);
  const credentials = await userCredentials(server, 'jane');
  const sockets = Array.from({length: count}, () => connect({host: hostname, port: Number(port), ...credentials}));
  t.teardown(() => sockets.forEach((socket) => socket.destroy()));
  await Promise.all(
    sockets.map(async (socket) => {
      await once(socket, 'secureConnect');
      socket.on('error', () => undefined).resume();
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 200\r\n\r\n{"metadata":`);
    }),
  );
  return sockets;
}

eachStore(
  'without priority and fairness, when as many writes are under way as the server takes the next is answered with 429 and Retry-After; reads and watches go on',
  async (t, {start}) => {
    const server = await start({
      enablePriorityAndFairness: false,
      authorizationMode: ['AlwaysAllow'],
      limits: {maxMutatingRequestsInflight: 5},
    });
    const client = await userClient(t, server, 'jane');
    const collection = '/api/v1/namespaces/default/configmaps';
    const sockets = await unfinishedWrites(t, server, collection, 5);
    let refused = await client.post(collection, configMap('one'));
    // The last of the connections may still be on their way.
    const deadline = performance.now() + 20_000;
    while (refused.status !== 429 && performance.now() < deadline) refused = await client.post(collection, configMap('one'));
    const status = assertFailure(t, refused, 429, 'TooManyRequests');
    t.is(status.details?.retryAfterSeconds, 1);
    t.is(refused.headers['retry-after'], '1');
    t.is((await server.client.post(collection, configMap('by-an-administrator'))).status, 201);
    t.is((await client.get(collection)).status, 200);
    t.is((await client.get(`${collection}?watch=1&timeoutSeconds=1`)).status, 200);
    for (const socket of sockets) socket.destroy();
    let accepted = await client.post(collection, configMap('late'));
    for (let round = 0; accepted.status === 429 && round < 200; round++) accepted = await client.post(collection, configMap('late'));
    t.is(accepted.status, 201);
  },
);

eachStore('a body may have 3 MiB; a larger one is answered with 413, its length announced or not', async (t, {server, client, path}) => {
  const collection = path('configmaps');
  const body = JSON.stringify(configMap('one', {a: '1'}));
  const padded = (length: number) => body + ' '.repeat(length - body.length);
  answer(t, await client.post(collection, padded(bodyLimit)), 201);
  for (const [method, target] of [
    ['POST', collection],
    ['PUT', `${collection}/one`],
    ['PATCH', `${collection}/one`],
    ['DELETE', `${collection}/one`],
  ] as const) {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const response = await client.request(method, target, {body: padded(bodyLimit + 1), headers: {'content-type': type}});
    assertFailure(t, response, 413, 'RequestEntityTooLarge', /3145728/);
  }
  const chunked = await sendChunked(t, server, collection, padded(bodyLimit + 1));
  t.regex(chunked, /^HTTP\/1\.1 413 /);
  t.regex(chunked, /"reason":"RequestEntityTooLarge"/);
  t.deepEqual(namesOf(answer<ReadList>(t, await client.get(collection), 200)), ['one']);
});

eachStore('the parameter timeout bounds a request; it is a duration', async (t, {client, path}) => {
  const collection = path('configmaps');
  const far = BigInt(answer<ReadList>(t, await client.get(collection), 200).metadata.resourceVersion) + 1_000_000n;
  for (const [value, millis] of [
    ['1s', 1000],
    ['700ms', 700],
    ['0.01m', 600],
  ] as const) {
    const started = performance.now();
    assertFailure(t, await client.get(`${collection}?resourceVersion=${far}&timeout=${value}`), 504, 'Timeout', /did not complete within/);
    t.true(performance.now() - started >= millis - 50, value);
  }
  for (const value of ['1m30s', '34s', '0', '0s', '', '-1s']) answer(t, await client.get(`${collection}?timeout=${value}`), 200);
  for (const [bad, problem] of [
    ['soon', 'invalid duration "soon"'],
    ['s', 'invalid duration "s"'],
    ['.s', 'invalid duration ".s"'],
    ['1..5s', 'missing unit in duration "1..5s"'],
    ['-', 'invalid duration "-"'],
    ['5', 'missing unit in duration "5"'],
    ['1s2', 'missing unit in duration "1s2"'],
    ['1d', 'unknown unit "d" in duration "1d"'],
    ['1s5 x', 'unknown unit " x" in duration "1s5 x"'],
    ['1"é\\', String.raw`unknown unit "\"\xc3\xa9\\" in duration "1\"\xc3\xa9\\"`],
    ['9999999999h', 'invalid duration "9999999999h"'],
  ] as const) {
    const {message} = assertFailure(t, await client.get(`${collection}?timeout=${encodeURIComponent(bad)}`), 400, 'BadRequest');
    t.is(message, `invalid timeout specified in the request URL - time: ${problem}`);
  }
  // The connection of a request that ran out of time serves the next one.
  answer(t, await client.get(collection), 200);
});

eachStore('integers beyond 2^53 survive create, patch, list and watch, in JSON and YAML', async (t, {client}) => {
  const name = `integers-${Date.now()}`;
  const [largest, smallest, odd] = ['9223372036854775807', '-9223372036854775808', '9007199254740993'];
  const body = `{"metadata":{"name":"${name}"},"spec":{"text":"big","big":${largest},"numbers":{"odd":${odd},"small":${smallest}},"free":{"deep":[${odd}]}}}`;
  const item = `${gadgets}/${name}`;
  const has = (text: string, ...parts: string[]) => {
    for (const part of parts) t.true(text.includes(part), `${part} in ${text}`);
  };
  const whole = [`"big":${largest}`, `"odd":${odd}`, `"small":${smallest}`, `"deep":[${odd}]`];
  const version = answer<ReadList>(t, await client.get(gadgets), 200).metadata.resourceVersion;
  has((await client.post(gadgets, body)).body.toString(), ...whole);
  for (const target of [item, `${gadgets}?fieldSelector=metadata.name%3D${name}`, `${item}?pretty=false`])
    has((await client.get(target)).body.toString(), ...whole);
  has((await client.get(`${item}?pretty=true`)).body.toString().replaceAll(/\s/g, ''), ...whole);
  has((await client.get(item, {headers: {accept: 'application/yaml'}})).body.toString(), `big: ${largest}`, `odd: ${odd}`);
  const patched = '9007199254740995';
  has(
    (await client.patch(item, `{"spec":{"numbers":{"odd":${patched}}}}`)).body.toString(),
    `"odd":${patched}`,
    `"small":${smallest}`,
    `"big":${largest}`,
  );
  has(
    (
      await client.patch(
        item,
        `[{"op":"test","path":"/spec/numbers/odd","value":${patched}},{"op":"copy","from":"/spec/big","path":"/spec/numbers/copy"}]`,
        'application/json-patch+json',
      )
    ).body.toString(),
    `"copy":${largest}`,
  );
  t.is(
    (await client.patch(item, `[{"op":"test","path":"/spec/numbers/odd","value":9007199254740994}]`, 'application/json-patch+json')).status,
    422,
  );
  const yaml = `metadata: {name: ${name}}\nspec: {text: big, big: ${largest}, numbers: {odd: ${patched}, small: ${smallest}, copy: ${largest}}, free: {deep: [${odd}]}}\n`;
  const before = answer<ReadObject>(t, await client.get(item), 200).metadata.resourceVersion;
  // The same values in another notation are no change.
  t.is(
    answer<ReadObject>(t, await client.request('PUT', item, {body: yaml, headers: {'content-type': 'application/yaml'}}), 200).metadata
      .resourceVersion,
    before,
  );
  const events = (
    await client.get(`${gadgets}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3D${name}&resourceVersion=${version}`)
  ).body
    .toString()
    .trimEnd()
    .split('\n');
  t.is(events.length, 3);
  has(events[0]!, ...whole);
  has(events[2]!, `"copy":${largest}`);
});
