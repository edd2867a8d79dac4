import {connect, type ClientHttp2Session} from 'node:http2';
import type {RawResponse, Sender} from './http-connection.js';
import type {Target} from './work.js';

/** Windows in bytes, as Go's client has them: with smaller ones a server waits for the client behind each part of a list. */
const windows = {stream: 4 * 2 ** 20, connection: 2 ** 30} as const;

/** Opens a connection of HTTP/2; resolves when requests can be sent. */
export function openHttp2(target: Target): Promise<ClientHttp2Session> {
  return new Promise((resolve, reject) => {
    const session = connect(target.url, {
      ca: target.ca,
      cert: target.cert,
      key: target.key,
      settings: {initialWindowSize: windows.stream, enablePush: false},
    });
    session.once('error', reject);
    session.once('connect', () => {
      session.off('error', reject).on('error', () => undefined);
      session.setLocalWindowSize(windows.connection);
      resolve(session);
    });
  });
}

/** Sends requests that are written for HTTP/1.1 over a connection that others share, one at a time. */
export class Http2Sender implements Sender {
  readonly host: string;
  readonly #session: ClientHttp2Session;

  constructor(session: ClientHttp2Session, target: Target) {
    this.#session = session;
    this.host = new URL(target.url).host;
  }

  send(text: string, keepBody = false): Promise<RawResponse> {
    const {headers, body} = headersOf(text);
    return new Promise((resolve, reject) => {
      const stream = this.#session.request(headers, {endStream: body === ''});
      let status = 0;
      const parts: Buffer[] = [];
      stream.once('response', (answer) => (status = Number(answer[':status'])));
      stream.on('data', (part: Buffer) => {
        if (keepBody) parts.push(part);
      });
      stream.once('error', reject).once('end', () => resolve({status, body: Buffer.concat(parts)}));
      if (body !== '') stream.end(body);
    });
  }

  close(): void {
    this.#session.destroy();
  }
}

/** A request of HTTP/1.1 in the form of HTTP/2. */
export function headersOf(text: string): {headers: Record<string, string>; body: string} {
  const end = text.indexOf('\r\n\r\n');
  const [line = '', ...lines] = text.slice(0, end).split('\r\n');
  const [method = '', path = ''] = line.split(' ');
  const headers: Record<string, string> = {':method': method, ':path': path};
  for (const one of lines) {
    const colon = one.indexOf(':');
    const name = one.slice(0, colon).toLowerCase();
    headers[name === 'host' ? ':authority' : name] = one.slice(colon + 1).trim();
  }
  return {headers, body: text.slice(end + 4)};
}
