import type {IncomingMessage} from 'node:http';
import type {Duplex} from 'node:stream';
import type {WebSocket} from 'ws';
import type {Pod} from '../../../../sdk/types/unchecked/core/v1.js';
import {agreeToSpdy, serveSpdy, type SpdyStream} from './spdy/spdy-session.js';
import {isTunnel, tunnelProtocol} from './stream-socket.js';

/** The protocol of forwarded ports. */
const forwardProtocol = 'portforward.k8s.io';
/** What a client may send in one message. */
const largestMessage = 1024 * 1024;

/** Opens a WebSocket through which SPDY is spoken, and answers what goes through it. */
async function openTunnel(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<Duplex> {
  const {WebSocketServer, createWebSocketStream} = await import('ws');
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: largestMessage,
    perMessageDeflate: false,
    handleProtocols: () => tunnelProtocol,
  });
  const client = await new Promise<WebSocket>((resolve) => server.handleUpgrade(request, socket, head, resolve));
  const stream = createWebSocketStream(client);
  stream.on('error', () => stream.destroy());
  return stream;
}

/** What a request for the ports of a pod comes with. */
export interface ForwardRequest {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/**
 * Answers for the ports of a pod. Nothing listens there: a request of HTTP gets a page that says so, or what is said of the pod; anything else gets that text alone.
 *
 * @param said what its ports answer; undefined if nothing is said
 */
export async function forwardPorts({request, socket, head}: ForwardRequest, {metadata}: Pod, said: string | undefined): Promise<void> {
  const isInside = isTunnel(request);
  if (!isInside) agreeToSpdy(socket, head, forwardProtocol);
  const connection = isInside ? await openTunnel(request, socket, head) : socket;
  await serveSpdy(connection, (stream) => {
    // The other stream of each connection is for errors, of which there are none.
    if (stream.headers.get('streamtype') !== 'data') {
      stream.end();
      return;
    }
    const port = stream.headers.get('port') ?? '';
    const text = said ?? `pod ${metadata.namespace}/${metadata.name} is simulated: nothing listens on its port ${port}`;
    answer(stream, text.endsWith('\n') ? text : `${text}\n`);
  });
}

/** Once, when something has arrived. */
function answer(stream: SpdyStream, text: string): void {
  let isAnswered = false;
  stream.onData = (data) => {
    if (isAnswered) return;
    isAnswered = true;
    const isHttp = /^[A-Z]{3,10} \S+ HTTP\/1\.[01]\r\n/.test(data.toString('latin1', 0, 8192));
    const head = `HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n`;
    stream.write(isHttp ? head + text : text);
    stream.end();
  };
  stream.onEnd = () => {
    if (!isAnswered) stream.end();
    isAnswered = true;
  };
}
