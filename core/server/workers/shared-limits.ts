import {limitDefinitions, type HttpLimits, type LimitName} from '../../http/limits/http-limits.js';

/** Whether a limit counts over the whole server, and is divided among its processes, or is for one connection, request or object. */
const isDivided: Readonly<Record<LimitName, boolean>> = {
  maxConnections: true,
  maxConnectionsPerAddress: true,
  maxUnknownConnections: true,
  maxHandshakes: true,
  handshakeTimeout: false,
  idleTimeout: false,
  headersTimeout: false,
  maxHeaderBytes: false,
  maxHeaderBytesWithCertificate: false,
  maxHeaderBytesInAll: true,
  maxHeaderBytesPerAddress: true,
  maxHeaders: false,
  maxUnfinishedRequests: false,
  maxWaitingRequests: false,
  maxObjectBytes: false,
  maxRequestsInflight: true,
  maxMutatingRequestsInflight: true,
  maxAuthenticationsInflight: true,
  requestTimeout: false,
  stallTimeout: false,
  maxWatches: true,
  maxWatchesPerUser: true,
  slowTurn: false,
  maxUnsentBytes: true,
  maxUnsentBytesPerUser: true,
  maxUnsentBytesPerConnection: false,
  maxBodyBytes: false,
  maxBodyBytesInAll: true,
  maxBodyBytesPerUser: true,
  minBodyRate: false,
};

/** The share of one of several processes: together they allow what one would, as far as connections are spread evenly. */
export function sharedLimits(limits: HttpLimits, processes: number): HttpLimits {
  const divided = (Object.keys(isDivided) as LimitName[]).filter((name) => isDivided[name]);
  const shares = divided.map((name) => [name, Math.max(limitDefinitions[name].minimum, Math.ceil(limits[name] / processes))] as const);
  return {...limits, ...Object.fromEntries(shares)};
}
