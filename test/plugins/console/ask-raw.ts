import {request} from 'node:https';
import type {IncomingHttpHeaders} from 'node:http';
import type {TestServer} from '@orch-api/orch/testing';

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a path and a `Host` as they are: other clients put the one in order, and hold the other against the certificate. Shows no certificate. */
export function askRaw(server: TestServer, method: string, path: string, headers: Record<string, string> = {}): Promise<RawAnswer> {
  const {hostname, port} = new URL(server.url);
  return new Promise((resolve, reject) => {
    const sent = request({hostname, port, method, path, headers, rejectUnauthorized: false}, (response) => {
      let body = '';
      response
        .setEncoding('utf8')
        .on('data', (text: string) => (body += text))
        .on('end', () => resolve({status: response.statusCode!, headers: response.headers, body}));
    });
    sent.on('error', reject).end();
  });
}
