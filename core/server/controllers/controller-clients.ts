import {
  componentPrefix,
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type ControllerAccount,
  type Logger,
  type NamingProfile,
  type ObjectCache,
  type UserInfo,
} from '../../../sdk/index.js';
import type {ControllerContribution, ControllerPermission} from '../../../sdk/plugin/manifest.js';
import type {LoadedPlugin} from '../../kernel/loaded-plugin.js';
import {LocalClient, type LocalClientOptions} from '../../registry/local/local-client.js';
import type {RegistryCache} from '../../registry/local/registry-cache.js';
import {AllowedCache} from './allowed-cache.js';
import {ControllerAccess} from './controller-access.js';
import {ControllerGate} from './controller-gate.js';

/** Every plugin is in these; `system:masters` says that it is part of the server and may do everything. */
const plugins = 'system:plugins';
const authenticated = 'system:authenticated';
const masters = 'system:masters';

/** The value of `serviceAccount` that stands for the controller manager itself. */
const manager = 'controller-manager';

/** The name under which a plugin acts, so that audit and admission can tell plugins apart. */
export function pluginUser(plugin: string): UserInfo {
  return {username: `system:plugin:${plugin}`, groups: [plugins, masters, authenticated]};
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

/** The accounts whose permissions the manifests of enabled plugins declare: those that a manifest names without permissions have roles of their own. */
export function declaredAccounts(plugins: readonly LoadedPlugin[]): ControllerAccount[] {
  const permissions = new Map<string, ControllerPermission[]>();
  for (const {enabled, manifest} of plugins) {
    for (const controller of (enabled && manifest.contributes?.controllers) || []) {
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

/** What clients of controllers are made of; used when they are. */
export interface ControllerClientParts {
  /** What every in-process client of the server is made of. */
  readonly local: LocalClientOptions;
  /** Whether the server has authorizers that could allow an account anything. */
  readonly knowsAccounts: () => boolean;
  /** Decides as for requests. */
  readonly decide: (attributes: AuthorizationAttributes) => AuthorizationDecision | Promise<AuthorizationDecision>;
  readonly cache: () => RegistryCache;
  readonly logger: Logger;
}

/** Makes what controllers inject: for each instance a client of its own, with a gate that its runner opens and closes, and its view of the cache. */
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
    // Fields are the plugin's, under whatever name it acts.
    const own = {guard: gate, fieldManager: pluginUser(plugin).username, ...(access ? {access} : {})};
    return new LocalClient(user, this.#naming, {...this.#parts.local, ...own});
  }

  /** The cache for an instance that is being constructed. */
  cache(plugin: string, controller: ControllerContribution): ObjectCache {
    const {user, access} = this.#account(plugin, controller, () => true);
    const cache = this.#parts.cache();
    return access ? new AllowedCache(cache, access, user) : cache;
  }

  /** What the server reads and writes leases with. */
  get leases(): LocalClient {
    return new LocalClient(managerUser(this.#naming), this.#naming, this.#parts.local);
  }

  /** The gate of the instance that was constructed last. */
  gate(controller: string): ControllerGate {
    return this.#gates.get(controller) ?? new ControllerGate();
  }

  #account(plugin: string, controller: ControllerContribution, isOpen: () => boolean): Account {
    const {knowsAccounts, decide, logger} = this.#parts;
    const isKnown = knowsAccounts();
    const user = controllerUser(plugin, controller, this.#naming, !isKnown);
    if (!isKnown || user.groups.includes(masters)) return {user};
    const informers = {username: managerName(this.#naming), groups: [plugins, authenticated]};
    return {user, access: new ControllerAccess({controller: controller.name, decide, informers, isOpen, logger})};
  }
}

/** As whom an instance of a controller acts, and what asks whether it may; it may do everything if nothing asks. */
interface Account {
  readonly user: UserInfo;
  readonly access?: ControllerAccess;
}
