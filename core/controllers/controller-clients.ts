import {
  componentPrefix,
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type CooperativeScheduler,
  type DeclaredAccount,
  type Logger,
  type NamingProfile,
  type ObjectCache,
  type ServedApis,
  type UserInfo,
} from '../../sdk/index.js';
import type {Permission} from '../../sdk/contracts/declared-account.js';
import type {ControllerContribution, PluginManifest} from '../../sdk/plugin/manifest.js';
import type {LoadedPlugin} from '../kernel/manifests/loaded-plugin.js';
import {LocalClient, type LocalClientOptions} from '../registry/local/local-client.js';
import type {RegistryCache} from '../registry/local/registry-cache.js';
import {AllowedCache} from './allowed-cache.js';
import {ControllerAccess} from './controller-access.js';
import {ControllerGate} from './controller-gate.js';
import {asksForEverything, ownTypes, PermissionRules, withPlatformNames} from './plugin-permissions.js';

/** Every plugin is in the first; `system:masters` says that it is part of the server and may do everything. */
const plugins = 'system:plugins';
const authenticated = 'system:authenticated';
const masters = 'system:masters';

const allow: AuthorizationDecision = Object.freeze({decision: 'allow', reason: ''});
const noOpinion: AuthorizationDecision = Object.freeze({decision: 'no-opinion', reason: 'its manifest does not ask for it'});

/** The value of `serviceAccount` that stands for the controller manager itself. */
const manager = 'controller-manager';

/**
 * The user as which a plugin acts, so that audit and admission can distinguish plugins.
 *
 * @param isMaster whether it may do everything
 */
export function pluginUser(plugin: string, isMaster = false): UserInfo {
  return {username: `system:plugin:${plugin}`, groups: [plugins, ...(isMaster ? [masters] : []), authenticated]};
}

/**
 * The name under which a controller acts: that of its service account, as in a cluster, or that of its plugin.
 *
 * @param isMaster whether accounts may do everything because no authorizer of the server knows them
 */
export function controllerUser(plugin: string, controller: ControllerContribution, naming: NamingProfile, isMaster = false): UserInfo {
  const serviceAccount = accountName(controller);
  if (serviceAccount === undefined) return pluginUser(plugin);
  const groups = [plugins, ...(isMaster ? [masters] : []), authenticated];
  if (serviceAccount === manager) return {username: managerName(naming), groups};
  const {systemNamespace} = naming;
  return {
    username: `system:serviceaccount:${systemNamespace}:${serviceAccount}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${systemNamespace}`, ...groups],
  };
}

/** The service account of a controller; undefined for one that acts as its plugin. */
function accountName({name, serviceAccount = name.toLowerCase()}: ControllerContribution): string | undefined {
  return serviceAccount === false ? undefined : serviceAccount;
}

/**
 * The accounts whose permissions the manifests of enabled plugins declare. An account named without permissions has its own roles.
 *
 * @param hasController whether a controller takes part: those of a set that is off have no accounts
 */
export function declaredAccounts(
  all: readonly LoadedPlugin[],
  hasController: (name: string) => boolean,
  naming: NamingProfile,
): DeclaredAccount[] {
  const ofPlugins = all
    .filter(({enabled, manifest}) => enabled && manifest.permissions && !asksForEverything(manifest))
    .map(({name, manifest}) => ({plugin: name, permissions: manifest.permissions!}));
  return [...controllerAccounts(all, hasController), ...ofPlugins].map((account) => ({
    ...account,
    permissions: account.permissions.map((permission) => withPlatformNames(permission, naming)),
  }));
}

function controllerAccounts(all: readonly LoadedPlugin[], hasController: (name: string) => boolean): DeclaredAccount[] {
  const permissions = new Map<string, Permission[]>();
  for (const {enabled, manifest} of all) {
    for (const controller of (enabled && manifest.contributes?.controllers) || []) {
      if (controller.set !== undefined && !hasController(controller.name)) continue;
      const account = accountName(controller);
      if (account === undefined || account === manager || (controller.serviceAccount && !controller.permissions)) continue;
      permissions.set(account, [...(permissions.get(account) ?? []), ...(controller.permissions ?? [])]);
    }
  }
  return [...permissions].map(([serviceAccount, declared]) => ({serviceAccount, permissions: declared}));
}

/** Under this name leases are kept. */
export function managerUser(naming: NamingProfile): UserInfo {
  return {username: managerName(naming), groups: [plugins, masters, authenticated]};
}

function managerName(naming: NamingProfile): string {
  return `system:${componentPrefix(naming)}-${manager}`;
}

/** Parts of the clients of controllers; used when a client is made. */
export interface ControllerClientParts {
  /** Options of every in-process client of the server. */
  readonly local: LocalClientOptions & {readonly scheduler: CooperativeScheduler};
  /** Whether the server has authorizers that could allow an account anything. */
  readonly knowsAccounts: boolean;
  /** Decides as for requests. */
  readonly decide: (attributes: AuthorizationAttributes) => AuthorizationDecision | Promise<AuthorizationDecision>;
  /** Whether they have started; until then plugins may do what their manifests say. */
  readonly isDeciding: () => boolean;
  readonly manifestOf: (plugin: string) => PluginManifest;
  readonly cache: RegistryCache;
  readonly logger: Logger;
}

/**
 * Makes the clients of plugins and of their controllers, and their views of the cache. Each instance of a controller has its own client, with a gate
 * that its runner opens and closes.
 */
export class ControllerClients {
  readonly #gates = new Map<string, ControllerGate>();
  readonly #parts: ControllerClientParts;
  readonly #naming: NamingProfile;

  constructor(naming: NamingProfile, parts: ControllerClientParts) {
    this.#naming = naming;
    this.#parts = parts;
  }

  /** The client of an instance that is being constructed. */
  client(plugin: string, controller: ControllerContribution): LocalClient {
    const gate = new ControllerGate();
    this.#gates.set(controller.name, gate);
    const {user, access} = this.#account(plugin, controller, () => gate.isOpen);
    // The plugin owns the fields, whichever account it uses.
    const own = {guard: gate, fieldManager: pluginUser(plugin).username, ...(access ? {access} : {})};
    return new LocalClient(user, this.#naming, {...this.#localOf(plugin), ...own});
  }

  /** The cache for an instance that is being constructed. */
  cache(plugin: string, controller: ControllerContribution): ObjectCache {
    const {user, access} = this.#account(plugin, controller, () => true);
    const {cache} = this.#parts;
    return access ? new AllowedCache(cache, access, user) : cache;
  }

  /** The client that plugins inject outside of controllers. */
  pluginClient(plugin: string): LocalClient {
    const {user, access} = this.#ownAccount(plugin);
    return new LocalClient(user, this.#naming, {...this.#localOf(plugin), ...(access ? {access} : {})});
  }

  /** The cache for the same. */
  pluginCache(plugin: string): ObjectCache {
    const {user, access} = this.#ownAccount(plugin);
    const {cache} = this.#parts;
    return access ? new AllowedCache(cache, access, user, true) : cache;
  }

  /** Reads APIs for an instance that is being constructed. */
  apis(plugin: string, controller: ControllerContribution): ServedApis {
    return this.#apisOf(
      plugin,
      this.#account(plugin, controller, () => true),
    );
  }

  /** Reads APIs for what injects this outside of controllers. */
  pluginApis(plugin: string): ServedApis {
    return this.#apisOf(plugin, this.#ownAccount(plugin));
  }

  /** The server's client for leases. */
  get leases(): LocalClient {
    return new LocalClient(managerUser(this.#naming), this.#naming, this.#parts.local);
  }

  /** The gate of the instance that was constructed last. */
  gate(controller: string): ControllerGate {
    return this.#gates.get(controller) ?? new ControllerGate();
  }

  #apisOf(plugin: string, {user, access}: Account): ServedApis {
    const may = access ? {access} : {};
    const {catalog} = this.#parts.local.registry;
    const client = new LocalClient(user, this.#naming, {...this.#localOf(plugin), ...may});
    return {
      versions: (wanted) =>
        catalog
          .groups()
          .find(({group}) => group === wanted)
          ?.versions.map(({version}) => version) ?? [],
      // Few plugins read what others serve.
      get: async (path, signal) => (await import('./read-api.js')).readApi({catalog, client, user, ...may}, path, signal),
    };
  }

  #localOf(plugin: string): LocalClientOptions {
    const {local} = this.#parts;
    return {...local, scheduler: local.scheduler.of(plugin)};
  }

  #account(plugin: string, controller: ControllerContribution, isOpen: () => boolean): Account {
    const {knowsAccounts, decide, logger} = this.#parts;
    if (accountName(controller) === undefined) return this.#ownAccount(plugin);
    const user = controllerUser(plugin, controller, this.#naming, !knowsAccounts);
    if (!knowsAccounts || user.groups.includes(masters)) return {user};
    const informers = {username: managerName(this.#naming), groups: [plugins, authenticated]};
    return {user, access: new ControllerAccess({holder: {kind: 'controller', name: controller.name}, decide, informers, isOpen, logger})};
  }

  /** May do everything, or use its own types and what the manifest declares; the authorizers decide on the latter once they know accounts and have started. */
  #ownAccount(plugin: string): Account {
    const {knowsAccounts, isDeciding, manifestOf, decide, logger} = this.#parts;
    const manifest = manifestOf(plugin);
    if (asksForEverything(manifest)) return {user: pluginUser(plugin, true)};
    const own = new PermissionRules(ownTypes(manifest), this.#naming);
    const declared = new PermissionRules(manifest.permissions ?? [], this.#naming);
    const byAuthorizers = () => isDeciding() && knowsAccounts;
    const access = new ControllerAccess({
      holder: {kind: 'plugin', name: plugin},
      decide: (attributes) =>
        own.allows(attributes) ? allow : byAuthorizers() ? decide(attributes) : declared.allows(attributes) ? allow : noOpinion,
      informers: undefined,
      isOpen: byAuthorizers,
      logger,
    });
    return {user: pluginUser(plugin), access};
  }
}

/** The user of an instance of a controller, and its authorization; without one it may do everything. */
interface Account {
  readonly user: UserInfo;
  readonly access?: ControllerAccess;
}
