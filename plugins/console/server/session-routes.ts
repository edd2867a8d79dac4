import type {IncomingMessage, ServerResponse} from 'node:http';
import {badRequest, forbidden, inject, route, Tokens, type Route, type RouteRequest} from '../../../sdk/index.js';
import {KnownHosts, type ConsoleSettings} from './known-hosts.js';
import {noStore, securityHeaders} from './security-headers.js';
import {cookieName, setCookie} from './session-cookie.js';
import {Sessions, sessionSeconds} from './sessions.js';

/** The header with the link: a page of another origin cannot send it without being asked for leave, which is refused. */
const linkHeader = 'orch-console-link';

/** Makes a link that signs a browser in, once, as who asks for it. `orch console` calls it. */
@route()
export class ConsoleLinks implements Route {
  readonly #sessions: Sessions;

  constructor(@inject(Sessions) sessions: Sessions) {
    this.#sessions = sessions;
  }

  start(): Promise<void> {
    return this.#sessions.open();
  }

  handle({user}: RouteRequest, response: ServerResponse): void {
    const {link, expires} = this.#sessions.linkFor(user);
    // After the #, which browsers keep to themselves: it is in no log.
    send(response, 201, {path: `/console/#link=${link}`, expires});
  }
}

/** Takes a link and answers a session; signs out. */
@route()
export class ConsoleSessions implements Route {
  readonly #sessions: Sessions;
  readonly #hosts: KnownHosts;

  constructor(@inject(Sessions) sessions: Sessions, @inject(Tokens.Config) settings: ConsoleSettings) {
    this.#sessions = sessions;
    this.#hosts = new KnownHosts(settings);
  }

  start(): Promise<void> {
    return this.#sessions.open();
  }

  async handle({method, incoming}: RouteRequest, response: ServerResponse): Promise<void> {
    const origin = this.#ownPage(incoming);
    if (method === 'DELETE') {
      response.setHeader('Set-Cookie', setCookie(cookieName(origin), '', 0));
      return send(response, 200, {});
    }
    const link = incoming.headers[linkHeader];
    if (typeof link !== 'string') throw badRequest(`the header ${linkHeader} has to name a link`);
    const {token, cookie, expires, user} = await this.#sessions.exchange(link, origin);
    response.setHeader('Set-Cookie', setCookie(cookieName(origin), cookie, sessionSeconds));
    send(response, 201, {token, expires, user: {username: user.username, groups: user.groups}});
  }

  /** The origin of the console's page that sends a request. @throws 403 for whatever is not known to be sent by one */
  #ownPage(incoming: IncomingMessage): string {
    const {origin, 'sec-fetch-site': site = 'same-origin'} = incoming.headers;
    const own = this.#hosts.originOf(incoming);
    if (own === undefined || origin !== own || site !== 'same-origin')
      throw forbidden({group: '', resource: ''}, 'only pages of the console may sign in and out here');
    return own;
  }
}

/** Who the caller is, as the server sees it; in releases without SelfSubjectReview too. */
@route()
export class ConsoleUser implements Route {
  handle({user: {username, uid, groups}}: RouteRequest, response: ServerResponse): void {
    send(response, 200, {username, uid, groups});
  }
}

function send(response: ServerResponse, code: number, document: object): void {
  const body = `${JSON.stringify(document)}\n`;
  response.writeHead(code, {...securityHeaders, ...noStore, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body)});
  response.end(body);
}
