import {IncomingMessage, ServerResponse} from 'node:http';
import {Socket} from 'node:net';
import {setImmediate as nextTurn} from 'node:timers/promises';
import test from 'ava';
import {WatchStream} from '../../../../core/http/handlers/watch-stream.js';
import type {KindFigures} from '../../../../core/http/metrics/watch-figures.js';
import type {Exchange} from '../../../../core/http/request/exchange.js';
import {startTestServer} from '@orch-api/orch/testing';
import {auditedIntoFile} from '../../../helpers/audit-log.js';
import {receive} from '../../../helpers/bare-server.js';
import {recordingLogger} from '../../../helpers/recording-logger.js';
import {connectTo, requestText} from '../../../helpers/server-connection.js';

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

test('what was refused for its broken body while the audit log was written is not begun: no watch opens, no route is called', async (t) => {
  const {logger, lines} = recordingLogger();
  const log = auditedIntoFile(t, {rules: [{level: 'Metadata'}]});
  const server = await startTestServer({...log.options, logger});
  t.teardown(() => server.stop());
  for (const path of ['/api/v1/namespaces?watch=true', '/openid/v1/jwks']) {
    const socket = await connectTo(t, server);
    const answer = receive(socket);
    const whole = requestText('GET', path, {'transfer-encoding': 'chunked'}).replace(/content-length.*\r\n/, '');
    // The refusal waits behind the answer of a request that lasts: an ended response that can be written to by mistake.
    const slow = requestText('GET', '/api/v1/namespaces?resourceVersion=99999999&timeout=300ms');
    socket.write(`${slow}${whole}not a length\r\n`);
    t.regex(await answer, /^HTTP\/1.1 504 .*HTTP\/1.1 400 .*\r\n\r\nthe request is not one of HTTP\/1.1\n$/s, path);
  }
  await log.wait(({stage, requestURI}) => stage === 'ResponseComplete' && requestURI === '/openid/v1/jwks');
  const told = /an answer came too late|an answer could not be written/;
  t.deepEqual(
    lines.filter(({message}) => told.test(message)),
    [],
  );
});
