import {createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo, Socket} from 'node:net';
import type {Teardown} from './temp-folder.js';

export interface SeenRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly socket: Socket;
}

/** A server that answers as a test says: for answers that a real one gives only in need. */
export interface ScriptedServer {
  readonly url: string;
  /** What came so far. */
  readonly requests: readonly SeenRequest[];
}

/** Starts one, plain HTTP on a free port of 127.0.0.1. Ends with the test. */
export async function scriptedServer(
  t: Teardown,
  answer: (request: SeenRequest, response: ServerResponse, number: number) => void,
): Promise<ScriptedServer> {
  const requests: SeenRequest[] = [];
  const server = createServer((incoming, response) => {
    void bodyOf(incoming).then((body) => {
      const request = {method: incoming.method!, path: incoming.url!, headers: incoming.headers, body, socket: incoming.socket};
      requests.push(request);
      answer(request, response, requests.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests};
}

/** Ends a response with a JSON body. */
export function sendJson(response: ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
  // Not chained: restify, once loaded, makes `writeHead` answer nothing.
  response.writeHead(status, {'content-type': 'application/json', ...headers});
  response.end(JSON.stringify(body));
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
