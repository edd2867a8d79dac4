import {connect, type TLSSocket} from 'node:tls';
import {readServerFile, type TestServer} from '@orch-api/orch/testing';
import type {Teardown} from './temp-folder.js';

/** A connection to a server on which requests are written by hand, with the administrator's certificate unless another is given. */
export async function connectTo(
  t: Teardown,
  server: TestServer,
  credentials?: {readonly cert?: string; readonly key?: string},
): Promise<TLSSocket> {
  const [ca, cert, key] = await Promise.all(['ca.crt', 'admin.crt', 'admin.key'].map((name) => readServerFile(server, 'pki', name)));
  const {hostname, port} = new URL(server.url);
  const socket = connect({host: hostname, port: Number(port), ca: ca!, ...(credentials ?? {cert: cert!, key: key!})});
  t.teardown(() => void socket.destroy());
  await new Promise<void>((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
  return socket.on('error', () => undefined);
}

/** The text of a request. */
export function requestText(method: string, path: string, headers: Readonly<Record<string, string>> = {}, body = ''): string {
  const lines = Object.entries({host: 'orch', 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers});
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}
