import {formatIp, parseCidr} from '../../sdk/net/index.js';
import type {LoadedPlugin} from '../kernel/manifests/loaded-plugin.js';

/**
 * The addresses of the service that leads to the servers: the first of each block that services get theirs from, as the flag
 * `--service-cluster-ip-range` of whichever plugin says.
 */
export function serviceAddresses(plugins: readonly LoadedPlugin[]): string[] {
  for (const {enabled, manifest, config} of plugins) {
    if (!enabled) continue;
    for (const [name, {flag}] of Object.entries(manifest.config?.properties ?? {})) {
      if (flag === 'service-cluster-ip-range') return (config[name] as readonly string[]).flatMap(firstAddress);
    }
  }
  return [];
}

/** None for what is no block: whoever gives out the addresses reports that. */
function firstAddress(block: string): string[] {
  const cidr = parseCidr(block);
  return cidr ? [formatIp({family: cidr.family, value: cidr.base + 1n})] : [];
}
