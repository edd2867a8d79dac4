import test from 'ava';
import {respondText} from '../../core/http/response/respond.js';
import {clientCertificate, startBareServer} from '../../test/helpers/bare-server.js';
import {eventually} from '../../test/helpers/eventually.js';
import {HttpConnection, requestText} from './http-connection.js';

test('a connection that the server has closed between two requests is opened again', async (t) => {
  let closed = 0;
  const server = await startBareServer(t, async (exchange) => {
    exchange.response.setHeader('Connection', 'close');
    exchange.request.socket.once('close', () => closed++);
    respondText(exchange, 200, `answer to ${exchange.path}`);
  });
  const connection = await HttpConnection.open({url: `https://localhost:${server.port}`, ca: server.ca, ...(await clientCertificate())});
  t.teardown(() => connection.close());
  for (const [index, path] of ['/first', '/second'].entries()) {
    const {status, body} = await connection.send(requestText('GET', path, connection.host), true);
    t.deepEqual([status, body.toString()], [200, `answer to ${path}`]);
    await eventually(
      () => closed,
      (count) => count > index,
    );
  }
});
