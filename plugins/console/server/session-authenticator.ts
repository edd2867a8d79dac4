import {
  authenticator,
  inject,
  Tokens,
  unauthorized,
  type AuthenticationRequest,
  type Authenticator,
  type UserInfo,
} from '../../../sdk/index.js';
import {bearerToken} from '../../../sdk/authentication/index.js';
import {KnownHosts, type ConsoleSettings} from './known-hosts.js';
import {cookieName, cookieOf} from './session-cookie.js';
import {Sessions} from './sessions.js';

/**
 * Knows the users of sessions. Before all others: whoever signed in with a link is that user, whatever certificate the browser shows too.
 *
 * The cookie alone is nothing: what browsers add to the requests of any page lacks the token, which only the console's own pages have. The origin and what browsers say of a
 * request's sender are looked at all the same.
 */
@authenticator({order: 50})
export class SessionAuthenticator implements Authenticator {
  readonly #sessions: Sessions;
  readonly #hosts: KnownHosts;

  constructor(@inject(Sessions) sessions: Sessions, @inject(Tokens.Config) settings: ConsoleSettings) {
    this.#sessions = sessions;
    this.#hosts = new KnownHosts(settings);
  }

  start(): Promise<void> {
    return this.#sessions.open();
  }

  authenticate(request: AuthenticationRequest): UserInfo | undefined {
    const token = bearerToken(request);
    if (token === undefined || !Sessions.isSession(token)) return undefined;
    const origin = this.#hosts.originOf({headers: {host: request.header('host')[0]}});
    if (origin === undefined || !isFrom(request, origin)) throw unauthorized();
    return this.#sessions.userOf(token, cookieOf(request.header('cookie'), cookieName(origin)), origin);
  }
}

/** Whether nothing speaks against pages of this origin: reads of a page come without `Origin`, and old browsers do not say where requests come from. */
function isFrom(request: AuthenticationRequest, origin: string): boolean {
  const [said = origin] = request.header('origin');
  const [site = 'same-origin'] = request.header('sec-fetch-site');
  return said === origin && site === 'same-origin';
}
