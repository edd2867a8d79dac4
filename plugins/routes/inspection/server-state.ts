import type {ServerResponse} from 'node:http';
import {inject, route, Tokens, type NamingProfile, type Route, type RouteRequest, type ServerFacts} from '../../../sdk/index.js';
import {sendJson} from './send-json.js';

// For who may get these paths: how the server is set up is in the answers. Secrets are in none of them.

/** The process that answers, and its store. */
@route()
export class ServerState implements Route {
  readonly #facts: ServerFacts;
  readonly #naming: NamingProfile;
  readonly #release: string;

  constructor(
    @inject(Tokens.ServerFacts) facts: ServerFacts,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Release) release: string,
  ) {
    this.#facts = facts;
    this.#naming = naming;
    this.#release = release;
  }

  async handle(_request: RouteRequest, response: ServerResponse): Promise<void> {
    const startTime = new Date(Date.now() - process.uptime() * 1000).toISOString();
    sendJson(response, {
      platform: this.#naming.name,
      release: this.#release,
      process: {pid: process.pid, startTime, node: process.version},
      store: await this.#facts.store(),
    });
  }
}

/** All plugins, also those that take no part. */
@route()
export class ServerPlugins implements Route {
  readonly #facts: ServerFacts;

  constructor(@inject(Tokens.ServerFacts) facts: ServerFacts) {
    this.#facts = facts;
  }

  async handle(_request: RouteRequest, response: ServerResponse): Promise<void> {
    sendJson(response, {items: await this.#facts.plugins()});
  }
}

/** All flags with their values, and where these come from. */
@route()
export class ServerFlags implements Route {
  readonly #facts: ServerFacts;

  constructor(@inject(Tokens.ServerFacts) facts: ServerFacts) {
    this.#facts = facts;
  }

  async handle(_request: RouteRequest, response: ServerResponse): Promise<void> {
    sendJson(response, {items: await this.#facts.flags()});
  }
}
