import {nameList} from '../kernel/nearest-name.js';
import {configuredPlugins} from '../kernel/selection/plugins-configuration.js';
import type {FlagDefinition} from '../options/flags/flag-definition.js';
import {flagHelp, helpText} from './flag-help.js';
import {parseFlags} from './parse-flags.js';
import {PendingChange} from './plugin-configuration/pending-change.js';
import {placePlugin} from './plugin-configuration/place-plugin.js';
import {installedPackage, sourceOf} from './plugin-configuration/plugin-source.js';
import {settingFlags} from './plugin-configuration/set-settings.js';
import {assertCanAsk, configFile, configFlag, yesFlag} from './plugins-add.js';
import {readConfiguration} from './read-configuration.js';
import type {Terminal} from './terminal.js';
import {UsageError} from './usage-error.js';

const ownFlags: readonly FlagDefinition[] = [configFlag, yesFlag, ...settingFlags];

export function help(): string {
  return helpText(
    'orch plugins upgrade NAME [PACKAGE|FOLDER|TARBALL] [FLAGS]',
    [
      'Puts another version of a plugin in the place of the one that the configuration file has: that which is named, or the latest of its package. Shows both',
      'versions, the permissions and settings that are new (+) and gone (-), and asks. If the settings are those of an earlier version, the plugin migrates them, which is',
      'shown and asked too. A plugin whose files have changed in their place is named alone; its settings are migrated then. As with `orch plugins add`, all of it happens or nothing,',
      'and `orch plugins undo` goes back.',
    ],
    flagHelp(ownFlags),
    'orch plugins upgrade quotas',
    'orch plugins upgrade rooms ./rooms-2.0.0.tgz',
    'orch plugins upgrade caps caps@3 --set limit=5 --unset max --yes',
  );
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {flags, positionals} = parseFlags(args, ownFlags);
  const [name, given] = positionals;
  if (name === undefined || positionals.length > 2)
    throw new UsageError('orch plugins upgrade needs the name of a plugin, as in: orch plugins upgrade rooms ./rooms-2.0.0.tgz');
  assertCanAsk(flags, terminal);
  return PendingChange.run(configFile(flags, terminal), `plugins upgrade ${name}`, terminal, async (pending) => {
    const configured = configuredPlugins((await readConfiguration(pending.file, terminal.cwd)).plugins);
    const from = configured.get(name)?.from;
    if (from === undefined)
      throw new UsageError(`${pending.file} has no plugin ${name} from outside; it has ${nameList(configured.keys())}`);
    return placePlugin(pending, terminal, {
      source: await sourceOf(given ?? latestOf(from, pending), terminal.cwd, pending),
      flags,
      configured,
      name,
    });
  });
}

/** Where the next version is when nobody says: the registry, for what has come from there, or the same place. */
function latestOf(from: string, {folder}: PendingChange): string {
  const installed = installedPackage(from, folder);
  return installed !== undefined && /^[\^~>=<*\d\s.|xX-]/.test(installed.spec) ? `${installed.name}@latest` : from;
}
