import {once} from 'node:events';
import test from 'ava';
import {silentLogger} from '../../../../core/server/silent-logger.js';
import {settleNaming} from '../../../../core/server/settle-naming.js';
import {chain} from '../../../../core/http/filters/filter.js';
import {findRequestInfo} from '../../../../core/http/filters/find-request-info.js';
import {limitInFlight} from '../../../../core/http/filters/limit-in-flight.js';
import {renderErrors} from '../../../../core/http/filters/render-errors.js';
import {respondText} from '../../../../core/http/respond.js';
import {startBareServer} from '../../../helpers/bare-server.js';
import {eventually} from '../../../helpers/eventually.js';

const get = 'GET /api/v1/pods HTTP/1.1\r\nHost: orch\r\n\r\n';

test('[SEC-5] a request counts against the limit until its answer has been sent', async (t) => {
  const filters = [renderErrors(silentLogger, settleNaming('orch', undefined)), findRequestInfo(), limitInFlight({reads: 2, writes: 1})];
  const large = 'x'.repeat(16 * 1024 * 1024);
  const server = await startBareServer(
    t,
    chain(filters, async (exchange) => respondText(exchange, 200, large)),
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
