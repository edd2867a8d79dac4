import type {IncomingMessage, ServerResponse} from 'node:http';
import {inject, route, Tokens, type NamingProfile, type Route, type RouteRequest} from '../../../sdk/index.js';
import {FileTable, type PageFile} from './file-table.js';
import {KnownHosts, type ConsoleSettings} from './known-hosts.js';
import {frameHeaders, noStore, securityHeaders, sharedHeaders} from './security-headers.js';

/** Their names change with their contents. */
const forEver = 'public, max-age=31536000, immutable';
const root = '/console/';

/** `/console` without the slash at the end, which relative addresses of the page need. */
@route()
export class ConsoleRedirect implements Route {
  handle(_request: RouteRequest, response: ServerResponse): void {
    response.writeHead(308, {...securityHeaders, ...noStore, Location: root, 'Content-Length': 0});
    response.end();
  }
}

/** The pages of the console: files that the build has made, and what they have to know about the server. Every other path is the page, which reads its address itself. */
@route()
export class ConsoleFiles implements Route {
  readonly #files = new FileTable();
  readonly #hosts: KnownHosts;
  readonly #facts: string;

  constructor(
    @inject(Tokens.Config) settings: ConsoleSettings,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Release) release: string,
  ) {
    this.#hosts = new KnownHosts(settings);
    const {name: platform, groupSuffix, keyPrefix, headerPrefix} = naming;
    const {oidcIssuerUrl: oidcIssuer} = settings;
    this.#facts = JSON.stringify({platform, groupSuffix, keyPrefix, headerPrefix, release, oidcIssuer});
  }

  handle({path, incoming}: RouteRequest, response: ServerResponse): void {
    const origin = this.#hosts.originOf(incoming);
    if (origin === undefined) return refuseHost(response);
    const below = path.slice(root.length);
    if (below === 'facts.json')
      return answer(response, 200, 'application/json', Buffer.from(this.#facts), {...securityHeaders, ...noStore});
    const found = this.#files.find(below);
    if (found?.path === 'frame.html') return send(found, 'no-cache', incoming, response, frameHeaders(origin));
    if (found && found.path !== 'index.html') return send(found, forEver, incoming, response, {...securityHeaders, ...sharedHeaders});
    if (below.startsWith('assets/'))
      return answer(response, 404, 'text/plain; charset=utf-8', Buffer.from('404 page not found\n'), {...securityHeaders, ...noStore});
    // It names the files of this build, and is small.
    send(this.#files.find('index.html')!, 'no-cache', incoming, response, securityHeaders);
  }
}

function send(
  file: PageFile,
  cache: string,
  {headers}: IncomingMessage,
  response: ServerResponse,
  safety: Readonly<Record<string, string>>,
): void {
  const tag = `"${file.tag}"`;
  const common = {...safety, 'Cache-Control': cache, ETag: tag, Vary: 'Accept-Encoding'};
  if (headers['if-none-match'] === tag) {
    response.writeHead(304, common);
    return void response.end();
  }
  const takesBrotli = /\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/i.test(String(headers['accept-encoding'] ?? ''));
  if (takesBrotli) answer(response, 200, file.type, file.compressed, {...common, 'Content-Encoding': 'br'});
  else answer(response, 200, file.type, file.plain(), common);
}

/** A name that is not known: what is answered under it could be read by pages of others. */
function refuseHost(response: ServerResponse): void {
  const text = 'the console is not answered under this name: open it by an IP address, or name the host with --console-hosts\n';
  answer(response, 421, 'text/plain; charset=utf-8', Buffer.from(text), {...securityHeaders, ...noStore});
}

function answer(response: ServerResponse, code: number, type: string, body: Buffer, headers: Readonly<Record<string, string>>): void {
  response.writeHead(code, {...headers, 'Content-Type': type, 'Content-Length': body.length});
  response.end(body);
}
