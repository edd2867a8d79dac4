import {once} from 'node:events';
import test from 'ava';
import {silentLogger} from '../../../../core/logs/silent-logger.js';
import {resolveNaming} from '../../../../core/options/resolve-naming.js';
import {FilterChain, type Filter} from '../../../../core/http/filters/filter.js';
import {ResourceCatalog} from '../../../../core/api/types/resource-catalog.js';
import {findRequestInfo} from '../../../../core/http/filters/find-request-info.js';
import {limitInFlight} from '../../../../core/http/filters/limit-in-flight.js';
import {authenticated, type AuthenticatedExchange, type ResolvedExchange} from '../../../../core/http/request/stages.js';
import {renderErrors} from '../../../../core/http/filters/render-errors.js';
import {respondText} from '../../../../core/http/response/respond.js';
import {startBareServer} from '../../../helpers/bare-server.js';
import {eventually} from '../../../helpers/eventually.js';

/** Every request is made by one user. */
function identify(username: string, ...groups: string[]): Filter<ResolvedExchange, AuthenticatedExchange> {
  return (exchange, next) => next(authenticated(exchange, {username, groups}));
}

const get = 'GET /api/v1/pods HTTP/1.1\r\nHost: orch\r\n\r\n';

test('a request counts against the limit until its answer has been sent', async (t) => {
  const filters = FilterChain.begin()
    .then(renderErrors(silentLogger, resolveNaming('orch', undefined)))
    .then(findRequestInfo(new ResourceCatalog()))
    .then(identify('jane'))
    .then(limitInFlight({reads: 2, writes: 1}));
  const large = 'x'.repeat(16 * 1024 * 1024);
  const server = await startBareServer(
    t,
    filters.endingIn(async (exchange) => respondText(exchange, 200, large)),
  );
  const slow = await Promise.all([server.connect(), server.connect()]);
  for (const socket of slow) {
    socket.write(get);
    await once(socket, 'readable');
  }
  const statusOfThird = async () => {
    const socket = await server.connect();
    socket.write(get);
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return chunk.toString('latin1', 9, 12);
  };
  t.is(await statusOfThird(), '429');
  slow[0]!.destroy();
  await eventually(statusOfThird, (status) => status === '200');
});

test('limits of requests in flight hold for others than administrators and health paths', async (t) => {
  const held: (() => void)[] = [];
  const wait = () => new Promise<void>((resolve) => held.push(resolve));
  const serve = async (groups: string[], limits: {reads: number; writes: number}) => {
    const filters = FilterChain.begin()
      .then(renderErrors(silentLogger, resolveNaming('orch', undefined)))
      .then(findRequestInfo(new ResourceCatalog()))
      .then(identify('jane', ...groups))
      .then(limitInFlight(limits));
    const server = await startBareServer(
      t,
      filters.endingIn(async (exchange) => {
        if (exchange.path === '/api/v1/pods') await wait();
        respondText(exchange, 200, 'ok');
      }),
    );
    const first = await server.connect();
    first.write(get);
    await eventually(
      () => held.length,
      (count) => count === 1,
    );
    return async (path: string, method = 'GET') => {
      const socket = await server.connect();
      socket.write(`${method} ${path} HTTP/1.1\r\nHost: orch\r\n\r\n`);
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      return chunk.toString('latin1', 9, 12);
    };
  };
  const limited = await serve([], {reads: 1, writes: 1});
  t.is(await limited('/api/v1/nodes'), '429');
  t.is(await limited('/api/v1/nodes', 'POST'), '200');
  for (const path of ['/livez', '/readyz', '/healthz/ping']) t.is(await limited(path), '200');
  held.pop()!();
  const administrator = await serve(['system:masters'], {reads: 1, writes: 1});
  t.is(await administrator('/api/v1/nodes'), '200');
  held.pop()!();
  const unlimited = await serve([], {reads: 0, writes: 0});
  t.is(await unlimited('/api/v1/nodes'), '200');
  held.pop()!();
});
