import {byMemory, bytes, count, duration, type LimitDefinition} from './limit.js';

const kibi = 1024;
const mebi = 1024 * kibi;

function between(least: number, value: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

/** A connection with a watch on it takes about 90 KiB, most of it for TLS and outside the heap. */
const connectionsFor = (heapBytes: number) => between(1000, heapBytes / (128 * kibi), 20_000);

const headBytesFor = (heapBytes: number) => between(16 * mebi, heapBytes / 16, 256 * mebi);

/**
 * What connections, clients and requests may cost: every limit of the HTTP server and of stored objects, with its unit, default and reason. Each is a setting:
 * a flag of the same name in kebab case, and a member of `limits` in the configuration file. A test compares the table in `docs/operations/limits.md` with this one.
 *
 * The defaults serve a controller manager with 200 node agents behind one address (with HTTP/1.1 a connection for
 * each watch) where the memory allows it, and keep a server with a heap of 300 MB below 400 MB in all.
 */
export const limitDefinitions = {
  maxConnections: byMemory(
    'count',
    connectionsFor,
    'one for each 128Ki of heap, 1000 to 20000',
    10,
    'All connections. Beyond it, a new connection replaces the one that has been idle longest, those of unknown callers first; if none is idle, the new one is refused',
  ),
  maxConnectionsPerAddress: byMemory(
    'count',
    (heap) => connectionsFor(heap) * 0.75,
    'three quarters of the default of max-connections',
    1,
    'Connections from one address (for IPv6, from one /64 network); further ones are refused',
  ),
  maxUnknownConnections: byMemory(
    'count',
    (heap) => connectionsFor(heap) * 0.25,
    'a quarter of the default of max-connections',
    1,
    'Connections whose client has neither a valid certificate nor sent a request with valid credentials. Beyond it, a new connection replaces the one that has been idle longest; if none is idle, the new one is refused',
  ),
  maxHandshakes: count(256, 'Connections that have not finished their TLS handshake; beyond it, the oldest is closed'),
  handshakeTimeout: duration(10_000, 100, 'Time for the TLS handshake of a connection'),
  idleTimeout: duration(
    120_000,
    1000,
    'Time that a connection stays open without a request. Clients typically close idle connections after 90 s, and should do so first',
  ),

  headersTimeout: duration(
    10_000,
    100,
    'Time for the headers of a request, from its first byte; for the first request, from the end of the handshake',
  ),
  maxHeaderBytes: bytes(
    64 * kibi,
    kibi,
    'Bytes of the request line and headers on connections without a valid client certificate; beyond it, 431',
  ),
  maxHeaderBytesWithCertificate: byMemory(
    'bytes',
    (heap) => between(128 * kibi, heap / 2048, mebi),
    'a 2048th of the heap, 128Ki to 1Mi',
    kibi,
    'Bytes of the request line and headers on connections with a valid client certificate, because selectors may name thousands of values; beyond it, 431',
  ),
  maxHeaderBytesInAll: byMemory(
    'bytes',
    headBytesFor,
    'a sixteenth of the heap, 16Mi to 256Mi',
    kibi,
    'Bytes of the request lines and headers of more than 8Ki on all connections that are arriving or whose requests are in progress (also of trailers). Beyond it, further ones of more than 8Ki get 429',
  ),
  maxHeaderBytesPerAddress: byMemory(
    'bytes',
    (heap) => headBytesFor(heap) / 2,
    'half of the default of max-header-bytes-in-all',
    kibi,
    'Those bytes on the connections from one address (for IPv6, from one /64 network). Beyond it, further ones of more than 8Ki from there get 429',
  ),
  maxHeaders: count(1000, 'Headers of a request; beyond it, 431', 10),

  maxUnfinishedRequests: count(
    16,
    'Requests of one connection that are in progress or whose responses have not been sent; further ones wait, and the connection is not read meanwhile',
  ),
  maxWaitingRequests: count(
    250,
    'Requests of one connection that wait for earlier responses (they arrived in the same 64Ki as the one that exceeded max-unfinished-requests). Beyond it, the connection is closed',
  ),

  http2MaxStreamsPerConnection: count(
    100,
    'Requests of one connection of HTTP/2 that are in progress or whose responses have not been sent, watches among them (0: 100); clients are told, and open further connections. Beyond it, requests are refused, and clients may repeat them',
    0,
  ),

  maxObjectBytes: bytes(
    1.5 * mebi,
    kibi,
    'Bytes of the JSON of a stored object; a write that would exceed it gets 413. An object that is already larger may be written as long as it does not grow',
  ),

  maxHistoryBytes: byMemory(
    'bytes',
    (heap) => between(32 * mebi, heap / 8, 512 * mebi),
    'an eighth of the heap, 32Mi to 512Mi',
    mebi,
    'Bytes of the objects in the history of all types, from which watches resume (at most 64Mi for one type). Beyond it, the longest histories are cut: watches from before get 410',
  ),

  maxRequestsInflight: count(
    400,
    'Together with --max-mutating-requests-inflight, the seats that priority levels share. If priority and fairness is off, the concurrent read-only requests (0: unlimited); beyond it, 429',
    0,
  ),
  maxMutatingRequestsInflight: count(200, 'Like --max-requests-inflight, for all other requests', 0),
  maxAuthenticationsInflight: count(
    1000,
    'Requests that wait for one authenticator; beyond it, 429, unless another authenticator recognises the caller',
  ),
  requestTimeout: duration(
    60_000,
    100,
    'Time for a request, from its headers to the last byte of its response, unless its parameter timeout asks for less; watches and proxied connections have their own limits. Beyond it, 504, or the connection is closed if the response has begun',
  ),
  stallTimeout: duration(
    30_000,
    100,
    'Time that a client may read nothing of a response that is ready; then its connection is closed. One second while max-unsent-bytes is used up',
  ),
  maxWatches: byMemory(
    'count',
    (heap) => connectionsFor(heap) * 0.75,
    'three quarters of the default of max-connections',
    1,
    'All watches and other long-running requests (exec, attach, port forwarding, logs, proxies); beyond it, 429',
  ),
  maxWatchesPerUser: byMemory(
    'count',
    (heap) => connectionsFor(heap) * 0.5,
    'half of the default of max-connections',
    1,
    'Watches and other long-running requests of one user; beyond it, 429. Members of system:masters are limited only by max-watches',
  ),

  slowTurn: duration(
    100,
    20,
    'A turn of the event loop that takes longer is logged, with the request that caused it: no other request is served meanwhile',
  ),

  stalledLoop: duration(
    30_000,
    0,
    'Time for which the event loop may stand still before the process ends with a failure, and the log names the code that held it up; 0 for as long as it likes. Watched where there are plugins that did not come with the server',
  ),

  maxUnsentBytes: byMemory(
    'bytes',
    (heap) => between(32 * mebi, heap / 8, 512 * mebi),
    'an eighth of the heap, 32Mi to 512Mi',
    64 * kibi,
    'Bytes of all unsent responses; encrypting them takes as much again. Beyond it, large reads and requests with large bodies get 429, and watches of clients that are behind end',
  ),
  maxUnsentBytesPerUser: byMemory(
    'bytes',
    (heap) => between(32 * mebi, heap / 8, 512 * mebi) / 2,
    'half of the default of max-unsent-bytes',
    64 * kibi,
    "Bytes of unsent responses for one user; beyond it, 429 for the user's large reads",
  ),
  maxUnsentBytesPerConnection: bytes(
    8 * mebi,
    64 * kibi,
    'Bytes of unsent responses on one connection. Beyond it, its further requests wait, and a watch ends with 410',
  ),

  maxBodyBytes: bytes(3 * mebi, kibi, 'Bytes of a request body; beyond it, 413'),
  maxBodyBytesInAll: byMemory(
    'bytes',
    (heap) => between(16 * mebi, heap / 16, 256 * mebi),
    'a sixteenth of the heap, 16Mi to 256Mi',
    kibi,
    'Bytes of all request bodies that are being received or processed; the objects made from them take many times as much. Beyond it, 429',
  ),
  maxBodyBytesPerUser: byMemory(
    'bytes',
    (heap) => between(16 * mebi, heap / 16, 256 * mebi) / 2,
    'half of the default of max-body-bytes-in-all',
    kibi,
    'Bytes of the request bodies of one user that are being received or processed; beyond it, 429',
  ),
  maxAnswerBytesInAll: byMemory(
    'bytes',
    (heap) => between(16 * mebi, heap / 16, 256 * mebi),
    'a sixteenth of the heap, 16Mi to 256Mi',
    kibi,
    'Bytes of the answers of called services (webhooks, reviewers, aggregated API servers, issuers of tokens) of more than 64Ki that are being received or read, each with what the largest of its kind may have. Beyond it, further ones wait, as long as the time limits of the calls allow',
  ),
  minBodyRate: bytes(
    kibi,
    1,
    'Average bytes per second with which a body must arrive, once it has been arriving for 5 s; otherwise 408',
    'bytes per second',
  ),
} as const satisfies Readonly<Record<string, LimitDefinition>>;

export type LimitName = keyof typeof limitDefinitions;

/** The limits that a server runs with: counts, bytes, bytes per second and milliseconds. */
export type HttpLimits = Readonly<Record<LimitName, number>>;
