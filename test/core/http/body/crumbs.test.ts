import assert from 'node:assert/strict';
import {once} from 'node:events';
import {createServer, type IncomingMessage} from 'node:http';
import {connect, type AddressInfo} from 'node:net';
import test, {type ExecutionContext} from 'ava';
import {watchForCrumbs} from '../../../../core/http/body/crumbs.js';
import {eventually} from '@orch-api/orch/testing';

/** A server that cuts connections with bodies in crumbs, and reads bodies or lets them lie. */
async function watchingServer(t: ExecutionContext, reads: boolean) {
  const requests: IncomingMessage[] = [];
  const seen = {cuts: 0, bytes: 0, ends: 0};
  const server = createServer((request, response) => {
    requests.push(request);
    watchForCrumbs(request, () => {
      seen.cuts += 1;
      request.socket.destroy();
    });
    request.on('error', () => undefined);
    if (reads) request.on('data', (part: Buffer) => (seen.bytes += part.length));
    if (reads) request.on('end', () => void ((seen.ends += 1), response.end()));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const open = async (head: string) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setNoDelay(true);
    t.teardown(() => socket.destroy());
    socket.on('error', () => undefined);
    const before = requests.length;
    socket.write(`POST / HTTP/1.1\r\nHost: here\r\n${head}\r\n\r\n`);
    await eventually(() => assert.equal(requests.length, before + 1));
    return {socket, request: requests[before]!};
  };
  return {seen, open};
}

/** Has the server's parser see a part as if it had come alone: how the network joins parts is not ours to say. */
const arrive = (request: IncomingMessage, parts: number, bytes: number) => {
  for (let index = 0; index < parts; index += 1) request.push(Buffer.alloc(bytes, 120));
};

for (const reads of [true, false]) {
  const who = reads ? 'a body that is read' : 'a body that nobody reads';

  test(`${who} is cut after 512 parts of a few bytes, chunked or of known length`, async (t) => {
    const {seen, open} = await watchingServer(t, reads);
    const chunked = await open('Transfer-Encoding: chunked');
    chunked.socket.write('1\r\nx\r\n'.repeat(2000));
    await once(chunked.socket, 'close');
    t.is(seen.cuts, 1);

    const known = await open('Content-Length: 100000');
    arrive(known.request, 512, 63);
    t.is(seen.cuts, 1);
    arrive(known.request, 1, 63);
    t.is(seen.cuts, 2);
    arrive(known.request, 1000, 63);
    t.is(seen.cuts, 2, 'once for each connection');
    await once(known.socket, 'close');
    if (reads) t.true(seen.bytes <= 512 + 512 * 63, `${seen.bytes} bytes got through`);
    t.is(seen.ends, 0);
  });
}

test('bodies in pieces of usual size, and those with few bytes at all, are read to their ends', async (t) => {
  const {seen, open} = await watchingServer(t, true);
  const chunked = await open('Transfer-Encoding: chunked');
  chunked.socket.write(`${'80\r\n'.concat('x'.repeat(128), '\r\n').repeat(2000)}0\r\n\r\n`);
  await eventually(() => assert.equal(seen.ends, 1));
  const known = await open('Content-Length: 512');
  for (let index = 0; index < 512; index += 1) known.socket.write('x');
  await eventually(() => assert.equal(seen.ends, 2));
  t.deepEqual(seen, {cuts: 0, ends: 2, bytes: 2000 * 128 + 512});
});
