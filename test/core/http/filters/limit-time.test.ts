import test from 'ava';
import {FilterChain} from '../../../../core/http/filters/filter.js';
import {ResourceCatalog} from '../../../../core/api/types/resource-catalog.js';
import {findRequestInfo} from '../../../../core/http/filters/find-request-info.js';
import {limitTime} from '../../../../core/http/filters/limit-time.js';
import {respondText} from '../../../../core/http/response/respond.js';
import {resolveNaming} from '../../../../core/options/resolve-naming.js';
import {receive, startBareServer} from '../../../helpers/bare-server.js';

test('a response that is complete when the parameter timeout is over is not cut off, nor the requests behind it', async (t) => {
  const naming = resolveNaming('orch', undefined);
  const filters = FilterChain.begin().then(findRequestInfo(new ResourceCatalog())).then(limitTime(naming));
  const server = await startBareServer(
    t,
    filters.endingIn(async (exchange) => {
      respondText(exchange, 200, `${'-'.repeat(1_000_000)}answer to ${exchange.path}\n`);
      // The time limit is over before the event loop hears that the response was sent.
      const until = performance.now() + 20;
      while (performance.now() < until);
    }),
  );
  const socket = await server.connect();
  const received = receive(socket, /answer to \/last\n/);
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: orch\r\n\r\n`;
  socket.write([...Array.from({length: 1}, () => get('/api?timeout=1ms')), get('/last')].join(''));
  t.is((await received).split('answer to /').length - 1, 2);
});
