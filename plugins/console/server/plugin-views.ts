import {posix} from 'node:path';
import type {ServerResponse} from 'node:http';
import {
  inject,
  pathNotFound,
  route,
  Tokens,
  type DeclaredView,
  type NamingProfile,
  type Route,
  type RouteRequest,
} from '../../../sdk/index.js';
import {KnownHosts, type ConsoleSettings} from './known-hosts.js';
import {noStore, securityHeaders, sharedHeaders} from './security-headers.js';
import {sendDocument} from './send-document.js';
import {ViewFiles} from './view-files.js';

const root = '/console/views/';

/** The views that plugins bring: which there are, and their files. */
@route()
export class PluginViews implements Route {
  readonly #views: readonly DeclaredView[];
  readonly #naming: NamingProfile;
  readonly #files: ViewFiles;
  readonly #hosts: KnownHosts;

  constructor(
    @inject(Tokens.DeclaredViews) views: readonly DeclaredView[],
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Config) settings: ConsoleSettings,
  ) {
    this.#views = views;
    this.#naming = naming;
    this.#files = new ViewFiles(views);
    this.#hosts = new KnownHosts(settings);
  }

  async handle({path, user, incoming}: RouteRequest, response: ServerResponse): Promise<void> {
    if (this.#hosts.originOf(incoming) === undefined) throw pathNotFound();
    if (path === root) return sendDocument(response, 200, {items: user.groups.includes('system:unauthenticated') ? [] : this.#listed()});
    const file = await this.#files.find(path.slice(root.length));
    if (!file) throw pathNotFound();
    const headers = {...securityHeaders, ...sharedHeaders, ...noStore, 'Content-Type': file.type, 'Content-Length': file.body.length};
    response.writeHead(200, headers);
    response.end(file.body);
  }

  #listed(): object[] {
    return this.#views.map(({plugin, module, title, resource, permissions}) => ({
      plugin,
      title,
      module: `${root}${plugin}/${posix.normalize(module)}`,
      ...(resource ? {resource: {...resource, group: this.#naming.group(resource.group)}} : {}),
      permissions: permissions.map((rule) => ({...rule, apiGroups: rule.apiGroups.map((group) => this.#naming.group(group))})),
    }));
  }
}
