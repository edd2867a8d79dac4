import test, {type ExecutionContext} from 'ava';
import {limitTime} from '../../../../core/http/filters/limit-time.js';
import {renderErrors} from '../../../../core/http/filters/render-errors.js';
import {sendDocument, servedDocument} from '../../../../core/http/openapi/served-document.js';
import {resolveNaming} from '../../../../core/options/resolve-naming.js';
import {until} from '../../../helpers/eventually.js';
import {receive, startBareServer} from '../../../helpers/bare-server.js';
import {recordingLogger} from '../../../helpers/recording-logger.js';

const naming = resolveNaming('orch', undefined);

/** A server whose requests are ready to be answered only when something else has answered them already. */
async function startLate(t: ExecutionContext) {
  const {logger, lines} = recordingLogger();
  const [render, limit] = [renderErrors(logger, naming), limitTime(naming)];
  const handled: Promise<void>[] = [];
  const server = await startBareServer(t, (exchange) => {
    const serve = async () => {
      await until('an answer', () => exchange.response.headersSent);
      await sendDocument(exchange, 'application/json', servedDocument(Buffer.from('{}')));
    };
    const done = render(exchange, () => limit(exchange, serve));
    handled.push(done);
    return done;
  });
  const errors = async () => {
    await Promise.all(handled);
    return lines.filter(({level}) => level === 'error');
  };
  return {server, errors};
}

test('a document that is ready when the time of its request is up already leaves no error in the log', async (t) => {
  const {server, errors} = await startLate(t);
  const socket = await server.connect();
  const answer = receive(socket, /did not complete/);
  socket.write('GET /?timeout=10ms HTTP/1.1\r\nHost: orch\r\n\r\n');
  t.regex(await answer, /^HTTP\/1\.1 504 /);
  t.deepEqual(await errors(), []);
});

test('a document for a request that turns out to be broken leaves no error in the log', async (t) => {
  const {server, errors} = await startLate(t);
  const socket = await server.connect();
  const answer = receive(socket, /not one of HTTP/);
  socket.write('POST / HTTP/1.1\r\nHost: orch\r\nTransfer-Encoding: chunked\r\n\r\n');
  socket.write('no chunk\r\n');
  t.regex(await answer, /^HTTP\/1\.1 400 /);
  t.deepEqual(await errors(), []);
});
