import {componentPrefix, type NamingProfile, type UserInfo} from '../../../sdk/index.js';
import type {ControllerContribution} from '../../../sdk/plugin/manifest.js';
import {LocalClient, type LocalClientOptions} from '../../registry/local/local-client.js';
import {ControllerGate} from './controller-gate.js';

/** Plugins are part of the server and may do everything; the groups say who they are. */
const groups = ['system:plugins', 'system:masters', 'system:authenticated'];

/** The name under which a plugin acts, so that audit and admission can tell plugins apart. */
export function pluginUser(plugin: string): UserInfo {
  return {username: `system:plugin:${plugin}`, groups};
}

/** The name under which a controller acts: that of its service account, as in a cluster, or that of its plugin. */
export function controllerUser(plugin: string, {serviceAccount}: ControllerContribution, {systemNamespace}: NamingProfile): UserInfo {
  if (serviceAccount === undefined) return pluginUser(plugin);
  return {
    username: `system:serviceaccount:${systemNamespace}:${serviceAccount}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${systemNamespace}`, ...groups],
  };
}

/** Under this name leases are kept. */
export function managerUser(naming: NamingProfile): UserInfo {
  return {username: `system:${componentPrefix(naming)}-controller-manager`, groups};
}

/** Makes what controllers inject: a client of its own for each instance, with a gate that its runner opens and closes. */
export class ControllerClients {
  readonly #gates = new Map<string, ControllerGate>();
  readonly #options: LocalClientOptions;
  readonly #naming: NamingProfile;

  constructor(naming: NamingProfile, options: LocalClientOptions) {
    this.#naming = naming;
    this.#options = options;
  }

  /** The client of an instance that is being constructed. */
  client(plugin: string, controller: ControllerContribution): LocalClient {
    const gate = new ControllerGate();
    this.#gates.set(controller.name, gate);
    const user = controllerUser(plugin, controller, this.#naming);
    // Fields are the plugin's, under whatever name it acts.
    return new LocalClient(user, this.#naming, {...this.#options, guard: gate, fieldManager: pluginUser(plugin).username});
  }

  /** What the server reads and writes leases with. */
  get leases(): LocalClient {
    return new LocalClient(managerUser(this.#naming), this.#naming, this.#options);
  }

  /** The gate of the instance that was constructed last. */
  gate(controller: string): ControllerGate {
    return this.#gates.get(controller) ?? new ControllerGate();
  }
}
