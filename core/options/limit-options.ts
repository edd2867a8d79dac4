import type {HttpLimits} from '../http/limits/http-limits.js';
import {resolveLimits} from '../http/limits/resolve-limits.js';
import type {ServerOptions} from './server-options.js';

/** The limits of a server with these options, before they are divided among processes. @throws Error in one sentence */
export function limitsOf({limits, configuration}: Pick<ServerOptions, 'configuration' | 'limits'>): HttpLimits {
  return resolveLimits({...configuration?.limits, ...limits});
}
