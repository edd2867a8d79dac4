import type {AuthenticationRequest} from '../contracts/authenticator.js';

/** The token of the header `Authorization: Bearer TOKEN`; undefined if the request has none. */
export function bearerToken(request: AuthenticationRequest): string | undefined {
  return /^bearer +(\S+)$/i.exec(request.header('authorization')[0] ?? '')?.[1];
}
