import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {receive} from '../../../helpers/bare-server.js';
import {connectTo, requestText} from '../../../helpers/server-connection.js';

const collection = '/api/v1/namespaces/default/configmaps';
const body = JSON.stringify({metadata: {name: 'slow'}, data: {text: 'x'.repeat(20_000)}});

test('a body that hardly comes is refused with 408; one that comes slowly is not', async (t) => {
  const server = await startTestServer({limits: {minBodyRate: 100}});
  t.teardown(() => server.stop());
  const text = requestText('POST', collection, {}, body);
  const stuck = await connectTo(t, server);
  stuck.write(text.slice(0, -20_000));
  const slow = await connectTo(t, server);
  slow.write(text.slice(0, -1000));
  t.regex(await receive(stuck), /^HTTP\/1\.1 408 .*"reason":"Timeout"/s);
  const answered = receive(slow, /HTTP\/1\.1 \d{3}/);
  slow.write(text.slice(-1000));
  t.regex(await answered, /^HTTP\/1\.1 201 /);
});

test('a body that is not there when the time of its request is over is given up with 504', async (t) => {
  const server = await startTestServer({limits: {requestTimeout: '300ms'}});
  t.teardown(() => server.stop());
  const stuck = await connectTo(t, server);
  stuck.write(requestText('POST', collection, {}, body).slice(0, -1));
  t.regex(await receive(stuck, /\r\n\r\n\{/), /^HTTP\/1\.1 504 /);
});
