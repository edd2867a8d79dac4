import {coreFlags} from '../options/flags/server-flags.js';
import type {FlagDefinition} from '../options/flags/flag-definition.js';
import {storeTools, type StoreTools} from '../store-tools/store-tools.js';
import {flagHelp} from './flag-help.js';
import {allPluginFlags, readPlugins, serverArguments} from './server-arguments.js';
import type {Terminal} from './terminal.js';
import {UsageError} from './usage-error.js';

/** The flags of `serve` that say which store is meant and how to reach it. */
const shown = ['config', 'data-dir', 'store', 'plugin'];

/** Help text of the flags that say which store is meant, with those of the stores' plugins. */
export async function storeFlagHelp(args: readonly string[], terminal: Terminal, own: readonly FlagDefinition[] = []): Promise<string> {
  const {catalogue} = await readPlugins(args, terminal);
  const stores = new Set(catalogue.plugins.filter(({manifest}) => manifest.contributes?.stores !== undefined).map(({name}) => name));
  return flagHelp([
    ...own,
    ...coreFlags.filter((flag) => shown.includes(flag.name)),
    ...allPluginFlags(catalogue).filter(({plugin}) => stores.has(plugin)),
  ]);
}

/**
 * The tools for the store that the flags name, and the values of the command's own flags. All flags of `orch serve` are taken.
 *
 * @throws UsageError, KernelError
 */
export async function storeOf(
  command: string,
  args: readonly string[],
  terminal: Terminal,
  own: readonly FlagDefinition[] = [],
): Promise<{readonly tools: StoreTools; readonly extra: ReadonlyMap<string, unknown>}> {
  const {options, positionals, extra} = await serverArguments(args, terminal, own);
  if (positionals.length > 0) throw new UsageError(`orch store ${command} takes flags only, and ${JSON.stringify(positionals[0])} is none`);
  return {tools: await storeTools(options), extra};
}

/**
 * The value of `--file`, which a command cannot do without.
 *
 * @throws UsageError
 */
export function fileOf(command: string, extra: ReadonlyMap<string, unknown>): string {
  const path = extra.get('file');
  if (typeof path !== 'string') throw new UsageError(`orch store ${command} needs --file`);
  return path;
}
