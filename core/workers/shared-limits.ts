import {limitDefinitions, type HttpLimits, type LimitName} from '../http/limits/http-limits.js';

/**
 * Whether a limit counts over the whole server, and is divided among its processes, or is for one connection, request or object. The name of another limit
 * is what each share must have room for.
 */
const isDivided: Readonly<Record<LimitName, boolean | LimitName>> = {
  maxConnections: true,
  maxConnectionsPerAddress: true,
  maxUnknownConnections: true,
  maxHandshakes: true,
  handshakeTimeout: false,
  idleTimeout: false,
  headersTimeout: false,
  maxHeaderBytes: false,
  maxHeaderBytesWithCertificate: false,
  maxHeaderBytesInAll: 'maxHeaderBytesWithCertificate',
  maxHeaderBytesPerAddress: 'maxHeaderBytesWithCertificate',
  maxHeaders: false,
  http2MaxStreamsPerConnection: false,
  maxUnfinishedRequests: false,
  maxWaitingRequests: false,
  maxObjectBytes: false,
  // Every process caches all types in its own heap.
  maxHistoryBytes: false,
  maxRequestsInflight: true,
  maxMutatingRequestsInflight: true,
  maxAuthenticationsInflight: true,
  requestTimeout: false,
  stallTimeout: false,
  maxWatches: true,
  maxWatchesPerUser: true,
  slowTurn: false,
  stalledLoop: false,
  maxUnsentBytes: 'maxUnsentBytesPerConnection',
  maxUnsentBytesPerUser: 'maxUnsentBytesPerConnection',
  maxUnsentBytesPerConnection: false,
  maxBodyBytes: false,
  maxBodyBytesInAll: 'maxBodyBytes',
  maxBodyBytesPerUser: 'maxBodyBytes',
  maxAnswerBytesInAll: true,
  minBodyRate: false,
};

/** The share of one of several processes: together they allow what one would, as far as connections are spread evenly. */
export function sharedLimits(limits: HttpLimits, processes: number): HttpLimits {
  const shares = (Object.keys(isDivided) as LimitName[]).flatMap((name) => {
    const divided = isDivided[name];
    if (divided === false) return [];
    const least = Math.min(limits[name], Math.max(limitDefinitions[name].minimum, divided === true ? 0 : limits[divided]));
    return [[name, Math.max(least, Math.ceil(limits[name] / processes))] as const];
  });
  return {...limits, ...Object.fromEntries(shares)};
}
