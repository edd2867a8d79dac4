import assert from 'node:assert/strict';
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import type {IncomingMessage} from 'node:http';
import {request} from 'node:https';
import {join} from 'node:path';
import {test} from 'node:test';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {WebSocket} from 'ws';
import events from './plugin.js';

const tls = ({dataDir}: TestServer) => {
  const file = (name: string) => readFileSync(join(dataDir, 'pki', name));
  return {ca: file('ca.crt'), cert: file('admin.crt'), key: file('admin.key')};
};
const make = (server: TestServer, name: string) => server.client.post('/api/v1/namespaces/default/configmaps', {metadata: {name}});

test('changes come as an event stream that outlives the deadline of requests', async () => {
  await using server = await startTestServer({plugins: [events], limits: {requestTimeout: '300ms'}});
  const outgoing = request(`${server.url}/config-map-events`, tls(server)).end();
  const [stream] = (await once(outgoing, 'response')) as [IncomingMessage];
  assert.equal(stream.headers['content-type'], 'text/event-stream');
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await new Promise((resolve) => setTimeout(resolve, 600));
  await make(server, 'late');
  while (!text.includes('"late"')) await once(stream, 'data');
  assert.match(text, /^data: \{"type":"ADDED","name":"[^"]+"\}$/m);
  outgoing.destroy();
});

test('changes come as messages of a WebSocket', async () => {
  await using server = await startTestServer({plugins: [events], limits: {requestTimeout: '300ms'}});
  const client = new WebSocket(`${server.url.replace('https', 'wss')}/config-map-events`, tls(server));
  const names: string[] = [];
  client.on('message', (data: Buffer) => names.push((JSON.parse(data.toString()) as {name: string}).name));
  await once(client, 'open');
  await new Promise((resolve) => setTimeout(resolve, 600));
  await make(server, 'late');
  while (!names.includes('late')) await once(client, 'message');
  client.close();
  await once(client, 'close');
});
