import {resolve} from 'node:path';
import {WatchedFile} from '../../sdk/configuration/index.js';
import {readEntries, repeatableType, typesOf} from '../http/authorization/authorizer-entries.js';
import {requireValidEntries} from '../http/authorization/entry-faults.js';
import {modesOf} from '../kernel/selection/authorization-modes.js';
import {PluginCatalogue} from '../kernel/selection/plugin-catalogue.js';
import type {SelectionOptions} from '../kernel/selection/selection-options.js';
import type {ServerOptions} from '../options/server-options.js';
import type {ResolvedOptions} from './server-settings.js';

/** Types that later versions of a file may name though the first does not: they need nothing that has to be started. */
const alwaysThere = [repeatableType, 'AlwaysAllow', 'AlwaysDeny'];

/** Whether `--authorization-config` and what it stands in for are given both. @throws Error in Kubernetes' words */
function requireAlone({authorizationMode, flags = {}, configuration}: ServerOptions): void {
  const modes = authorizationMode ?? configuration?.authorizationMode;
  if (modes === undefined && !Object.keys(flags).some((name) => name.startsWith('authorization-webhook-'))) return;
  throw new Error('--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined');
}

/**
 * Chooses plugins by the file of `--authorization-config`: the types that it names are modes. What else it says is checked when these plugins are there.
 *
 * @param path of the file
 * @throws Error with what is wrong with the file
 */
export async function selectConfigured<T extends SelectionOptions>(
  selection: T,
  options: ServerOptions,
  path: string,
  {naming, release}: ResolvedOptions,
): Promise<T> {
  requireAlone(options);
  const place = `--authorization-config ${path}`;
  try {
    const entries = await readEntries(await new WatchedFile(resolve(path)).read(), naming, release);
    const catalogue = selection.catalogue ?? (await PluginCatalogue.read(selection));
    const known = new Set(modesOf(catalogue.plugins.map(({manifest}) => manifest)));
    const named = typesOf(entries).filter((type) => known.has(type));
    // Nothing more can be found out where no plugin is named.
    if (named.length === 0) await requireValidEntries(entries, {types: known, requiredTypes: new Set(), factory: undefined});
    return {...selection, catalogue, authorizationMode: [...new Set([...named, ...alwaysThere.filter((type) => known.has(type))])]};
  } catch (error) {
    throw new Error(`${place}: ${(error as Error).message}`, {cause: error});
  }
}
