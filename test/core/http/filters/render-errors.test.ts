import test from 'ava';
import {limitTime} from '../../../../core/http/filters/limit-time.js';
import {renderErrors} from '../../../../core/http/filters/render-errors.js';
import {sendDocument, servedDocument} from '../../../../core/http/openapi/served-document.js';
import {resolveNaming} from '../../../../core/server/resolve-naming.js';
import {receive, startBareServer} from '../../../helpers/bare-server.js';
import {recordingLogger} from '../../../helpers/recording-logger.js';

test('a document that is ready when the time of its request is up already leaves no error in the log', async (t) => {
  const naming = resolveNaming('orch', undefined);
  const {logger, lines} = recordingLogger();
  const [render, limit] = [renderErrors(logger, naming), limitTime(naming)];
  const handled: Promise<void>[] = [];
  const server = await startBareServer(t, (exchange) => {
    const serve = async () => {
      await new Promise((resolve) => exchange.signal.addEventListener('abort', resolve));
      await new Promise(setImmediate);
      await sendDocument(exchange, 'application/json', servedDocument(Buffer.from('{}')));
    };
    const done = render(exchange, () => limit(exchange, serve));
    handled.push(done);
    return done;
  });
  const socket = await server.connect();
  const answer = receive(socket, /did not complete/);
  socket.write('GET /?timeout=10ms HTTP/1.1\r\nHost: orch\r\n\r\n');
  t.regex(await answer, /^HTTP\/1\.1 504 /);
  await Promise.all(handled);
  t.deepEqual(
    lines.filter(({level}) => level === 'error'),
    [],
  );
});
