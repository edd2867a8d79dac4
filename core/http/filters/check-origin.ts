import {forbidden} from '../../../sdk/index.js';
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
 * not ask for them. Clients other than browsers send no origin.
 *
 * @throws 403 for such a request
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
      if (exchange.method !== 'OPTIONS') return next(exchange);
      response.statusCode = 204;
      response.end();
      return Promise.resolve();
    }
    if (isHarmless(exchange) || isOurs(origin, exchange.request.headers.host ?? '')) return next(exchange);
    const shown = JSON.stringify(origin.slice(0, 200));
    throw forbidden(
      {group: '', resource: ''},
      `requests from the origin ${shown} are not allowed; --cors-allowed-origins names those that are`,
    );
  };
}

/**
 * Reads are safe, because the page cannot see the responses. So are requests with tokens: only the page itself can add them, after a
 * preflight that would be refused.
 */
function isHarmless({upgrade, method, request}: Exchange): boolean {
  if (/^bearer /i.test(request.headers.authorization ?? '')) return true;
  return !upgrade && readMethods.has(method);
}

/** Pages of this server, and pages from the user's own machine (a dashboard behind `kubectl proxy`). */
function isOurs(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return false;
  // http or https does not matter: only this server listens there. The default port may be left out in either place.
  const withPort = (text: string) => (/:\d+$/.test(text) ? text : `${text}:443`).toLowerCase();
  return withPort(url.host) === withPort(host) || isLoopback(url.hostname);
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
