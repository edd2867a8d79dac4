import test from 'ava';
import {limitTime} from '../../../../core/http/filters/limit-time.js';
import {renderErrors} from '../../../../core/http/filters/render-errors.js';
import {PluginRoutes} from '../../../../core/http/handlers/serve-routes.js';
import {resolveNaming} from '../../../../core/options/resolve-naming.js';
import type {Route} from '../../../../sdk/index.js';
import {receive, startBareServer} from '../../../helpers/bare-server.js';
import {recordingLogger} from '../../../helpers/recording-logger.js';

const naming = resolveNaming('orch', undefined);
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: orch\r\n\r\n`;

/** A server with one plugin's route at `/late` and the filters around it. */
async function serveRoute(t: Parameters<typeof startBareServer>[0], route: Route) {
  const routes = new PluginRoutes([{path: '/late', methods: ['GET'], instance: route}]);
  const {logger, lines} = recordingLogger();
  const [render, limit] = [renderErrors(logger, naming), limitTime(naming)];
  const handled: Promise<void>[] = [];
  const server = await startBareServer(t, (exchange) => {
    const done = render(exchange, () => limit(exchange, () => routes.serve(routes.find(exchange)!, exchange)));
    handled.push(done);
    return done;
  });
  return {server, lines, handled};
}

test('a route that writes its answer when the time of the request is up already leaves no error in the log', async (t) => {
  const {server, lines, handled} = await serveRoute(t, {
    async handle({signal}, response) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      // The answer of the time limit is on its way in this turn already.
      await new Promise(setImmediate);
      response.writeHead(200, {'content-length': 2}).end('ok');
    },
  });
  const socket = await server.connect();
  const answer = receive(socket, /did not complete/);
  socket.write(get('/late?timeout=10ms'));
  t.regex(await answer, /^HTTP\/1\.1 504 /);
  await Promise.all(handled);
  t.deepEqual(
    lines.filter(({level}) => level === 'error'),
    [],
  );
});

test('an error of a route is in the log and answered with 500', async (t) => {
  const {server, lines, handled} = await serveRoute(t, {
    handle() {
      throw new Error('a fault of the route');
    },
  });
  const socket = await server.connect();
  const answer = receive(socket, /"code":\s*500/);
  socket.write(get('/late'));
  t.regex(await answer, /^HTTP\/1\.1 500 /);
  await Promise.all(handled);
  t.is(lines.filter(({level}) => level === 'error').length, 1);
});
