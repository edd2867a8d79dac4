import type {IncomingHttpHeaders, ServerResponse} from 'node:http';
import {badRequest, inject, pathNotFound, route, Tokens, tooManyRequests, type Route, type RouteRequest} from '../../../sdk/index.js';
import {KnownHosts, type ConsoleSettings} from './known-hosts.js';
import {OidcProvider} from './oidc-provider.js';
import {ownPage} from './own-page.js';
import {sendDocument} from './send-document.js';

/** Where the provider sends browsers back to, below an origin of the console. It has to know this address. */
export const redirectPath = '/console/signed-in';

/** Headers with the code and its proof: a page of another origin cannot send them without being asked for leave, which is refused. */
const codeHeader = 'orch-console-code';
const verifierHeader = 'orch-console-verifier';
/** Exchanges at once: each is a request to the provider. */
const mostAtOnce = 20;

/** Signs in with the server's OpenID Connect provider: says where, and exchanges the code that the browser brings back for an ID token, which is kept nowhere. */
@route()
export class OidcSignIn implements Route {
  readonly #hosts: KnownHosts;
  readonly #provider: OidcProvider | undefined;
  #running = 0;

  constructor(@inject(Tokens.Config) settings: ConsoleSettings) {
    this.#hosts = new KnownHosts(settings);
    this.#provider = OidcProvider.of(settings);
  }

  stop(): void {
    this.#provider?.close();
  }

  async handle({method, incoming}: RouteRequest, response: ServerResponse): Promise<void> {
    const provider = this.#provider;
    if (!provider) throw pathNotFound();
    if (this.#running >= mostAtOnce) throw tooManyRequests('too many people are being signed in', 1);
    this.#running += 1;
    try {
      if (method === 'GET') return await this.#whereTo(provider, response);
      const redirect = `${ownPage(this.#hosts, incoming)}${redirectPath}`;
      const code = headerOf(incoming.headers, codeHeader, /^[\x21-\x7E]{1,4096}$/);
      const verifier = headerOf(incoming.headers, verifierHeader, /^[\w.~-]{43,128}$/);
      sendDocument(response, 200, {token: await provider.idToken({code, verifier, redirect})});
    } finally {
      this.#running -= 1;
    }
  }

  async #whereTo(provider: OidcProvider, response: ServerResponse): Promise<void> {
    const {authorization, answersInFragment, scopes} = await provider.endpoints();
    sendDocument(response, 200, {authorization, clientId: provider.clientId, redirectPath, answersInFragment, scope: scopes.join(' ')});
  }
}

function headerOf(headers: IncomingHttpHeaders, name: string, form: RegExp): string {
  const value = headers[name];
  if (typeof value !== 'string' || !form.test(value))
    throw badRequest(`the header ${name} is missing, or has not the form that it should have`);
  return value;
}
