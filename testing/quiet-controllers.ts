import type {ServerOptions} from '../core/server/index.js';

/** Controllers whose objects tests would find beside their own: what clients inside a cluster look for. */
const forClientsInside = [
  'apiservice-registration',
  'cluster-authentication',
  'legacy-token-tracking',
  'root-ca-cert-publisher',
  'server-endpoints',
];

/** All controllers but those whose objects tests would find beside their own. */
export const quietControllers: readonly string[] = ['*', ...forClientsInside.map((name) => `-${name}`)];

/** The controllers of a test's server: `*` means the quiet ones, unless the others are named. */
export function controllersOf({controllers, configuration, pluginRoots}: ServerOptions): ServerOptions {
  const chosen = controllers ?? configuration?.controllers;
  if (!chosen) return pluginRoots ? {} : {controllers: quietControllers};
  if (!chosen.includes('*')) return {};
  const off = forClientsInside.filter((name) => !chosen.includes(name) && !chosen.includes(`-${name}`));
  return {controllers: [...chosen, ...off.map((name) => `-${name}`)]};
}
