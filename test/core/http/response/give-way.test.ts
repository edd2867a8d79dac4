import {setImmediate as nextTurn} from 'node:timers/promises';
import test from 'ava';
import {respond} from '../../../../core/http/response/respond.js';
import {sliceBytes} from '../../../../core/http/response/send-slices.js';
import {receive, startBareServer} from '../../../helpers/bare-server.js';

test('between the slices of a large answer others go first where they wait', async (t) => {
  const body = Buffer.alloc(sliceBytes * 6, 'x');
  let asked = 0;
  const server = await startBareServer(t, async (exchange) => {
    const giveWay = () => {
      asked += 1;
      return asked % 2 === 0 ? undefined : nextTurn();
    };
    exchange.turns = {giveWay, wait: () => nextTurn()};
    exchange.user = {username: 'jane', groups: []};
    await respond(exchange, 200, 'text/plain', body);
  });
  const socket = await server.connect();
  socket.write('GET / HTTP/1.1\r\nHost: orch\r\nConnection: close\r\n\r\n');
  const answer = await receive(socket);
  t.is(answer.length - answer.indexOf('\r\n\r\n') - 4, body.length);
  t.is(asked, 6);
});
