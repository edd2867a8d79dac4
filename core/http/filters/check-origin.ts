import {forbidden, StatusError} from '../../../sdk/index.js';
import type {Exchange} from '../request/exchange.js';
import {addVary} from '../response/vary.js';
import type {Filter} from './filter.js';

/** Which other origins may use the server, by the regular expressions of `--cors-allowed-origins`. */
export interface AllowedOrigins {
  /** Whether there are any. */
  readonly some: boolean;
  allow(origin: string): boolean;
}

const longestOrigin = 2048;
const readMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
/** The values that Kubernetes returns. */
const corsHeaders: Readonly<Record<string, string>> = {
  'Access-Control-Allow-Methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
  'Access-Control-Allow-Headers':
    'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  'Access-Control-Expose-Headers': 'Date',
  'Access-Control-Allow-Credentials': 'true',
};

/**
 * Checks the origin of the page that makes a request. Pages of allowed origins get CORS headers, and preflights are answered. Requests of
 * other pages with credentials that a browser adds automatically must change nothing and open no WebSocket, because the browser's user did
 * not ask for them. Clients other than browsers send no origin, and are not concerned.
 *
 * @throws 403 for such a request; 415 for a body of any page that comes without a media type
 */
export function checkOrigin(allowed: AllowedOrigins): Filter {
  return (exchange, next) => {
    const origin = exchange.request.headers.origin;
    if (allowed.some) addVary(exchange.response, 'Origin');
    if (origin === undefined) return next(exchange);
    if (origin.length <= longestOrigin && allowed.allow(origin)) {
      const {response} = exchange;
      response.setHeader('Access-Control-Allow-Origin', origin);
      for (const [name, value] of Object.entries(corsHeaders)) response.setHeader(name, value);
      if (exchange.method === 'OPTIONS') {
        response.statusCode = 204;
        response.end();
        return Promise.resolve();
      }
    } else if (!isHarmless(exchange) && !isOurs(origin, exchange)) {
      const shown = JSON.stringify(origin.slice(0, 200));
      throw forbidden(
        {group: '', resource: ''},
        `requests from the origin ${shown} are not allowed; --cors-allowed-origins names those that are`,
      );
    }
    if (isUntyped(exchange)) {
      throw new StatusError(415, 'UnsupportedMediaType', 'the body of a request from a web page needs a media type (Content-Type)');
    }
    return next(exchange);
  };
}

/**
 * Reads are safe, because the page cannot see the responses. So are requests with tokens: only the page itself can add them, after a
 * preflight that would be refused; but no page can add one to a WebSocket.
 */
function isHarmless({upgrade, method, request}: Exchange): boolean {
  if (upgrade) return false;
  return readMethods.has(method) || /^bearer /i.test(request.headers.authorization ?? '');
}

/** Pages of this server, and pages that a proxy on the user's own machine shows (`kubectl proxy`). */
function isOurs(origin: string, {request}: Exchange): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return false;
  // http or https does not matter where a port is given: only this server listens there.
  const ownHost = (request.headers.host ?? '').toLowerCase().replace(/:443$/, '');
  const host = url.protocol === 'https:' || url.port !== '' ? url.host : `${url.host}:80`;
  return host === ownHost || (isLoopback(url.hostname) && isLocallyForwarded(request.headers['x-forwarded-for']));
}

/**
 * Whether a proxy has sent the request, for a browser on the proxy's own machine. A browser does not send this header by itself, and a page cannot
 * set it without a preflight that would be refused. Other programs of the machine that show pages are not the server: the browser's
 * certificate is not theirs.
 */
function isLocallyForwarded(forwardedFor: string | string[] | undefined): boolean {
  return typeof forwardedFor === 'string' && /^(?:127(?:\.\d{1,3}){3}|::1)$/.test(forwardedFor);
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** A page can send a body without a media type anywhere, without being asked: it is not taken for JSON, as that of other clients is. */
function isUntyped({request}: Exchange): boolean {
  const {'content-type': type, 'content-length': length, 'transfer-encoding': coding} = request.headers;
  return !type && (coding !== undefined || (length !== undefined && Number(length) > 0));
}
