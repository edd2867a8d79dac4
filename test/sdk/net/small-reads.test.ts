import {once} from 'node:events';
import {connect, createServer, type AddressInfo} from 'node:net';
import test, {type ExecutionContext} from 'ava';
import {readInSmallParts} from '../../../sdk/net/small-reads.js';

/** A connection to a server that sends so many bytes at once and then ends. */
async function receiving(t: ExecutionContext, bytes: number) {
  const server = createServer((socket) => socket.on('error', () => undefined).end(Buffer.alloc(bytes, 'x')));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  t.teardown(() => void socket.destroy());
  return socket;
}

test('nothing more is passed on once the socket is destroyed', async (t) => {
  const socket = await receiving(t, 60_000);
  readInSmallParts(socket);
  let received = 0;
  socket.on('data', (part: Buffer) => {
    received += part.length;
    socket.destroy();
  });
  await once(socket, 'close');
  t.true(received > 0 && received <= 4096, String(received));
});

test('everything arrives in its order, in small parts until that is ended', async (t) => {
  const socket = await receiving(t, 1_000_000);
  const end = readInSmallParts(socket);
  const sizes: number[] = [];
  socket.on('data', (part: Buffer) => {
    sizes.push(part.length);
    if (sizes.length === 20) end();
  });
  await once(socket, 'end');
  t.is(
    sizes.reduce((sum, size) => sum + size, 0),
    1_000_000,
  );
  t.true(sizes.slice(0, 20).every((size) => size <= 4096));
});
