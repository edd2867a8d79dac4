import {once} from 'node:events';
import type {IncomingMessage} from 'node:http';
import {Agent, createServer, request as httpsRequest} from 'node:https';
import type {AddressInfo, Socket} from 'node:net';
import {buffer} from 'node:stream/consumers';
import {readServerFile, type TestServer} from '@orch-api/orch/testing';
import type {Recorded} from '../corpus-entry.js';

/** Stands between clients and a server, and writes down what the clients send. */
export interface RecordingProxy {
  readonly url: string;
  /** All requests so far, in order of arrival. */
  readonly recorded: Recorded[];
  close(): Promise<void>;
}

/** Headers that say nothing about the request, or are another each time. */
const passing = new Set(['host', 'connection', 'content-length', 'date', 'sec-websocket-key', 'authorization']);

/** Starts the proxy in front of a server; clients trust it as they trust the server, and are its administrator. */
export async function startRecordingProxy(server: TestServer): Promise<RecordingProxy> {
  const [ca, cert, key, ownCert, ownKey] = await Promise.all(
    ['ca.crt', 'admin.crt', 'admin.key', 'serving.crt', 'serving.key'].map((name) => readServerFile(server, 'pki', name)),
  );
  const agent = new Agent({ca, cert, key, keepAlive: true});
  const recorded: Recorded[] = [];
  const {hostname, port} = new URL(server.url);
  const note = ({method = 'GET', url = '/', headers}: IncomingMessage, body: Buffer | undefined) => {
    const kept = Object.entries(headers).filter(([name]) => !passing.has(name));
    recorded.push({method, path: url, headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])), body});
  };
  const proxy = createServer({cert: ownCert, key: ownKey}, (incoming, outgoing) => {
    buffer(incoming).then(
      (body) => {
        note(incoming, body.length > 0 ? body : undefined);
        const {host: _host, ...headers} = incoming.headers;
        const call = httpsRequest({hostname, port, agent, method: incoming.method, path: incoming.url, headers}, (answer) => {
          outgoing.writeHead(answer.statusCode!, answer.headers);
          answer.pipe(outgoing);
        });
        call.on('error', () => outgoing.destroy());
        outgoing.on('close', () => call.destroy());
        call.end(body);
      },
      () => outgoing.destroy(),
    );
  });
  proxy.on('upgrade', (incoming: IncomingMessage, socket: Socket) => {
    note(incoming, undefined);
    const {host: _host, ...headers} = incoming.headers;
    const call = httpsRequest({hostname, port, agent, path: incoming.url, headers});
    call.on('upgrade', (answer, upstream: Socket) => {
      const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
      upstream.on('error', () => socket.destroy());
      socket.on('error', () => upstream.destroy());
      upstream.pipe(socket).pipe(upstream);
    });
    call.on('error', () => socket.destroy());
    call.end();
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    recorded,
    async close() {
      agent.destroy();
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
