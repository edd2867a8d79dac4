import {byMemory, bytes, count, duration, type LimitDefinition} from './limit.js';

const kibi = 1024;
const mebi = 1024 * kibi;

function between(least: number, value: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

/** A connection with a watch on it takes about 90 KiB, most of it for TLS and outside the heap. */
const connectionsFor = (heapBytes: number) => between(1000, heapBytes / (128 * kibi), 20_000);

/**
 * What connections, clients and requests may cost: every bound of the HTTP server, and of what it stores, with its unit, its default and its reason. Each is a setting:
 * a flag of the same name in kebab case, and a member of `limits` in the configuration file. The table in `docs/operations.md` is made of this one.
 *
 * The defaults serve a controller manager with 200 node agents behind one address (a connection for each watch, since the server speaks
 * HTTP/1.1) where the memory allows it, and keep a server with a heap of 300 MB below 400 MB in all.
 */
export const limitDefinitions = {
  maxConnections: byMemory(
    'count',
    connectionsFor,
    'one for each 128Ki of heap, 1000 to 20000',
    10,
    'Connections in all. Beyond it the one that has been idle longest is closed for a new one, those of unknown callers first; with none idle the new one is refused',
  ),
  maxConnectionsPerAddress: byMemory(
    'count',
    (heap) => connectionsFor(heap) * 0.75,
    'three quarters of the default of max-connections',
    1,
    'Connections from one address (of IPv6: from one /64 network); further ones are refused',
  ),
  maxUnknownConnections: byMemory(
    'count',
    (heap) => connectionsFor(heap) * 0.25,
    'a quarter of the default of max-connections',
    1,
    'Connections whose client has shown no valid certificate and has sent no request with valid credentials. Beyond it the idlest of them is closed for a new one; with none idle the new one is refused',
  ),
  maxHandshakes: count(256, 'Connections that have not finished their TLS handshake; beyond it the oldest is closed'),
  handshakeTimeout: duration(10_000, 100, 'Time for the TLS handshake of a connection'),
  idleTimeout: duration(
    120_000,
    1000,
    'Time that a connection stays open without a request. Clients that keep connections give up theirs after 90 s, and had better be first',
  ),

  headersTimeout: duration(
    10_000,
    100,
    'Time for the head of a request, from its first byte; for the first one from the end of the handshake',
  ),
  maxHeaderBytes: bytes(
    64 * kibi,
    kibi,
    "Bytes of a request's line and headers on connections without a valid client certificate; beyond it 431",
  ),
  maxHeaderBytesWithCertificate: bytes(
    mebi,
    kibi,
    "Bytes of a request's line and headers on connections with a valid client certificate: selectors may name thousands of values; beyond it 431",
  ),
  maxHeaders: count(1000, 'Headers of a request; beyond it 431', 10),

  maxUnfinishedRequests: count(
    16,
    'Requests of one connection that are served, or whose answers are not sent; those behind them wait, and the connection is not read on',
  ),
  maxWaitingRequests: count(
    128,
    'Requests of one connection that wait for answers before them: what had arrived before the connection was read no more. Beyond it the connection is cut',
  ),

  maxObjectBytes: bytes(
    1.5 * mebi,
    kibi,
    'Bytes of JSON of an object that is stored; a write that would make it larger is answered with 413. One that is larger already may be written as long as it does not grow',
  ),

  maxRequestsInflight: count(
    400,
    'With --max-mutating-requests-inflight the seats that priority levels share; where priority and fairness is off the requests that only read and are served at once, 0 for any number, beyond it 429',
    0,
  ),
  maxMutatingRequestsInflight: count(200, 'As --max-requests-inflight, for other requests', 0),
  maxAuthenticationsInflight: count(
    1000,
    'Requests that wait for the answer of one authenticator; beyond it 429, unless another authenticator knows the caller',
  ),
} as const satisfies Readonly<Record<string, LimitDefinition>>;

export type LimitName = keyof typeof limitDefinitions;

/** The limits that a server runs with: counts, bytes, bytes per second and milliseconds. */
export type HttpLimits = Readonly<Record<LimitName, number>>;
