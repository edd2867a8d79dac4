import {IncomingMessage, ServerResponse} from 'node:http';
import {Socket} from 'node:net';
import {setImmediate as nextTurn} from 'node:timers/promises';
import test from 'ava';
import {WatchStream} from '../../../../core/http/handlers/watch-stream.js';
import type {KindFigures} from '../../../../core/http/metrics/watch-figures.js';
import type {Exchange} from '../../../../core/http/request/exchange.js';

test('a watch writes nothing behind the end of its response, and does not end it twice: Node would end the process', async (t) => {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const errors: Error[] = [];
  response.on('error', (error) => errors.push(error));
  const nothing = () => undefined;
  const exchange = {response, whenFinished: nothing, holdQueue: nothing, sampleAnswer: nothing, carrier: {answers: {isFull: false}}};
  const stream = new WatchStream(exchange as unknown as Exchange, 'application/json', {sent: nothing} as unknown as KindFigures);
  response.end('answered otherwise');
  stream.write(Buffer.from('an event'));
  stream.end(Buffer.from('the last one'));
  await nextTurn();
  t.deepEqual(errors, []);
});
