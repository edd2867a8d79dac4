import type {ServerResponse} from 'node:http';
import {badRequest, inject, route, Tokens, type Route, type RouteRequest} from '../../../sdk/index.js';
import {KnownHosts, type ConsoleSettings} from './known-hosts.js';
import {ownPage} from './own-page.js';
import {sendDocument} from './send-document.js';
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
    sendDocument(response, 201, {path: `/console/#link=${link}`, expires});
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
    const origin = ownPage(this.#hosts, incoming);
    if (method === 'DELETE') {
      response.setHeader('Set-Cookie', setCookie(cookieName(origin), '', 0));
      return sendDocument(response, 200, {});
    }
    const link = incoming.headers[linkHeader];
    if (typeof link !== 'string') throw badRequest(`the header ${linkHeader} has to name a link`);
    const {token, cookie, expires, user} = await this.#sessions.exchange(link, origin);
    response.setHeader('Set-Cookie', setCookie(cookieName(origin), cookie, sessionSeconds));
    sendDocument(response, 201, {token, expires, user: {username: user.username, groups: user.groups}});
  }
}

/** Who the caller is, as the server sees it; in releases without SelfSubjectReview too. */
@route()
export class ConsoleUser implements Route {
  handle({user: {username, uid, groups}}: RouteRequest, response: ServerResponse): void {
    sendDocument(response, 200, {username, uid, groups});
  }
}
