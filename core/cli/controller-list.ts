import type {NamingProfile} from '../../sdk/index.js';
import type {Selected} from '../kernel/selection/select.js';
import {leaseName} from '../controllers/lease-names.js';
import {leaseHolders} from '../controllers/lease-holders.js';
import {controllerUser} from '../controllers/controller-clients.js';

/** A controller as `orch plugins list --kind controller` shows it. */
export interface ControllerRow {
  readonly name: string;
  readonly state: 'on' | 'off';
  /** The lease that decides on which server it runs; `-` if it runs on every server. */
  readonly lease: string;
  /** Who holds the lease; undefined if no server was asked. */
  readonly leader?: string;
  /** The user name under which it acts. */
  readonly user: string;
  readonly plugin: string;
}

/**
 * All controllers of the plugins, by name.
 *
 * @param kubeconfig of a server, which is asked who leads; without it the leader is left out
 * @throws StatusError, ConnectionError if the server cannot be asked
 */
export async function controllerRows(
  selected: Selected,
  naming: NamingProfile,
  kubeconfig: string | undefined,
): Promise<readonly ControllerRow[]> {
  const holders = kubeconfig === undefined ? undefined : await leaseHolders(naming, kubeconfig);
  return selected.plugins
    .flatMap((plugin) => (plugin.manifest.contributes?.controllers ?? []).map((declared) => ({plugin, declared})))
    .map(({plugin, declared}): ControllerRow => {
      const lease = leaseName(declared, naming);
      const isOn = plugin.enabled && selected.controllers.has(declared.name);
      const leader = lease === undefined ? 'every server' : holders?.get(lease) || 'nobody';
      return {
        name: declared.name,
        state: isOn ? 'on' : 'off',
        lease: lease ?? '-',
        ...(holders ? {leader} : {}),
        user: controllerUser(plugin.name, declared, naming).username,
        plugin: plugin.name,
      };
    })
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
}
