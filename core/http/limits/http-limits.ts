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
  maxHeaderBytesWithCertificate: byMemory(
    'bytes',
    (heap) => between(256 * kibi, heap / 1024, mebi),
    'a 1024th of the heap, 256Ki to 1Mi',
    kibi,
    "Bytes of a request's line and headers on connections with a valid client certificate: selectors may name thousands of values; beyond it 431",
  ),
  maxHeaders: count(1000, 'Headers of a request; beyond it 431', 10),

  maxUnfinishedRequests: count(
    16,
    'Requests of one connection that are served, or whose answers are not sent; those behind them wait, and the connection is not read on',
  ),
  maxWaitingRequests: count(
    2500,
    'Requests of one connection that wait for answers before them: what arrived in the 64Ki in which there was one too many. Beyond it the connection is cut',
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
  requestTimeout: duration(
    60_000,
    100,
    'Time for a request from its head to the last byte of its answer, unless it asks for less with its parameter timeout; watches and connections to other servers have their own. Beyond it 504, or the connection is cut when the answer has begun',
  ),
  stallTimeout: duration(
    30_000,
    100,
    'Time that a client may take nothing of an answer that waits for it; then its connection is cut. A second where max-unsent-bytes is used up',
  ),
  maxWatches: byMemory(
    'count',
    (heap) => connectionsFor(heap) * 0.75,
    'three quarters of the default of max-connections',
    1,
    'Watches in all, with other requests that last (exec, attach, port forwarding, logs, proxies); beyond it 429',
  ),
  maxWatchesPerUser: byMemory(
    'count',
    (heap) => connectionsFor(heap) * 0.5,
    'half of the default of max-connections',
    1,
    'Watches of one user, with other requests that last; beyond it 429. Members of system:masters may have as many as there may be in all',
  ),

  slowTurn: duration(
    100,
    20,
    'A turn of the event loop that takes longer is told in the log, with the request that caused it: nobody else is served meanwhile',
  ),

  maxUnsentBytes: byMemory(
    'bytes',
    (heap) => between(32 * mebi, heap / 8, 512 * mebi),
    'an eighth of the heap, 32Mi to 512Mi',
    64 * kibi,
    'Bytes of answers that are made and not sent, in all; what is encrypted takes as much again. Beyond it reads of much data and requests with large bodies get 429, and watches of clients that are behind end',
  ),
  maxUnsentBytesPerUser: byMemory(
    'bytes',
    (heap) => between(32 * mebi, heap / 8, 512 * mebi) / 2,
    'half of the default of max-unsent-bytes',
    64 * kibi,
    'Bytes of answers that are made and not sent for one user; beyond it 429 for its reads of much data',
  ),
  maxUnsentBytesPerConnection: bytes(
    8 * mebi,
    64 * kibi,
    'Bytes of answers that are made and not sent on one connection. Beyond it its further requests wait, and a watch ends with 410',
  ),

  maxBodyBytes: bytes(3 * mebi, kibi, 'Bytes of the body of a request; beyond it 413'),
  maxBodyBytesInAll: byMemory(
    'bytes',
    (heap) => between(16 * mebi, heap / 16, 256 * mebi),
    'a sixteenth of the heap, 16Mi to 256Mi',
    kibi,
    'Bytes of all bodies of requests that are received or served: objects made of them take many times as much. Beyond it 429',
  ),
  maxBodyBytesPerUser: byMemory(
    'bytes',
    (heap) => between(16 * mebi, heap / 16, 256 * mebi) / 2,
    'half of the default of max-body-bytes-in-all',
    kibi,
    'Bytes of the bodies of one user that are received or served; beyond it 429',
  ),
  minBodyRate: bytes(
    kibi,
    1,
    'Bytes in a second that a body must come with on average, once it has been coming for 5 s; otherwise 408',
    'bytes per second',
  ),
} as const satisfies Readonly<Record<string, LimitDefinition>>;

export type LimitName = keyof typeof limitDefinitions;

/** The limits that a server runs with: counts, bytes, bytes per second and milliseconds. */
export type HttpLimits = Readonly<Record<LimitName, number>>;
