import type {IncomingMessage} from 'node:http';
import type {Duplex} from 'node:stream';
import type {WebSocket} from 'ws';

/** Versions of the protocol in which the streams of a container go through a WebSocket, the best first. */
const protocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
/** The same over SPDY, which only older clients speak. */
const spdyProtocols = ['v4.channel.k8s.io'];
/** SPDY within a WebSocket, for forwarded ports. */
export const tunnelProtocol = 'SPDY/3.1+portforward.k8s.io';
const stdout = 1;
const stderr = 2;
const outcome = 3;
/** What a client may send at once: nothing of it is kept. */
const largestMessage = 1024 * 1024;

/** The streams of a container, as a client sees them. */
export interface ContainerStreams {
  out(text: string): void;
  error(text: string): void;
  /** Ends them. @param exitCode of what ran */
  end(exitCode: number): void;
  /** Resolves when the client has gone. */
  readonly closed: Promise<void>;
}

/** Whether a request wants the streams of a container over a WebSocket. */
export function isWebSocket({headers}: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/** Whether a request wants SPDY, as older clients do. */
export function isSpdy({headers}: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'spdy/3.1';
}

/** Whether a request wants to forward ports over a WebSocket, as newer clients do. */
export function isTunnel(request: IncomingMessage): boolean {
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((each) => each.trim());
  return isWebSocket(request) && offered.includes(tunnelProtocol);
}

/** The version of the protocol over SPDY that both know; undefined if there is none, or the request wants none. */
export function spdyProtocolOf(request: IncomingMessage): string | undefined {
  const given = request.headers['x-stream-protocol-version'] ?? '';
  const offered = (Array.isArray(given) ? given : given.split(',')).map((each) => each.trim());
  return isSpdy(request) ? spdyProtocols.find((protocol) => offered.includes(protocol)) : undefined;
}

/** Opens the streams of a container over a WebSocket. */
export async function openStreams(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<ContainerStreams> {
  const {WebSocketServer} = await import('ws');
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: largestMessage,
    perMessageDeflate: false,
    handleProtocols: (offered) => protocols.find((protocol) => offered.has(protocol)) ?? false,
  });
  const client = await new Promise<WebSocket>((resolve) => server.handleUpgrade(request, socket, head, resolve));
  client.on('error', () => client.terminate());
  const send = (channel: number, text: string) => {
    if (text !== '') client.send(Buffer.concat([Buffer.from([channel]), Buffer.from(text)]));
  };
  return {
    out: (text) => send(stdout, text),
    error: (text) => send(stderr, text),
    end: (exitCode) => {
      send(outcome, JSON.stringify(statusOf(exitCode)));
      client.close(1000);
    },
    closed: new Promise((resolve) => client.once('close', () => resolve())),
  };
}

/** How something ended, as kubelets say it. */
export function statusOf(exitCode: number): object {
  if (exitCode === 0) return {metadata: {}, status: 'Success'};
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: exit status ${exitCode}`,
    reason: 'NonZeroExitCode',
    details: {causes: [{reason: 'ExitCode', message: String(exitCode)}]},
  };
}
