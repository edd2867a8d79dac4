import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import {configuredPlugins} from '../kernel/selection/plugins-configuration.js';
import type {FlagDefinition} from '../options/flags/flag-definition.js';
import {flagHelp, helpText} from './flag-help.js';
import {parseFlags} from './parse-flags.js';
import {PendingChange} from './plugin-configuration/pending-change.js';
import {placePlugin} from './plugin-configuration/place-plugin.js';
import {sourceOf} from './plugin-configuration/plugin-source.js';
import {settingFlags} from './plugin-configuration/set-settings.js';
import {readConfiguration} from './read-configuration.js';
import type {Terminal} from './terminal.js';
import {UsageError} from './usage-error.js';

export const configFlag: FlagDefinition = {
  name: 'config',
  type: 'string',
  value: 'FILE',
  description: 'Configuration file, YAML or JSON, as for `orch serve --config`',
  default: './orch.yaml',
};

export const yesFlag: FlagDefinition = {
  name: 'yes',
  type: 'boolean',
  description: 'Do not ask; needed where nobody can be asked',
  default: 'false',
};

const ownFlags: readonly FlagDefinition[] = [configFlag, yesFlag, ...settingFlags];

export function help(): string {
  return helpText(
    'orch plugins add PACKAGE|FOLDER|TARBALL [FLAGS]',
    [
      'Puts a plugin into the configuration file; the file is made if it is not there. Packages and tarballs are installed beside it by npm, which runs none of',
      'their scripts. Shows what the plugin contributes and what its client may do, asks, and then checks that a server starts with the whole: manifests, versions,',
      'settings, conflicts, and the code of the plugin as `orch plugins check` does. No code of a plugin runs before you have agreed. A plugin that does not pass the',
      'check, or that you refuse, leaves nothing behind. `orch plugins undo` goes back afterwards.',
    ],
    flagHelp(ownFlags),
    'orch plugins add ./my-plugin',
    'orch plugins add orch-plugin-quotas@^2.0.0 --config /etc/orch/orch.yaml',
    'orch plugins add ./gate-1.2.0.tgz --set url=https://gate.example.com --yes && orch serve --config orch.yaml',
  );
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {flags, positionals} = parseFlags(args, ownFlags);
  const [given] = positionals;
  if (given === undefined || positionals.length > 1)
    throw new UsageError('orch plugins add needs one plugin, as in: orch plugins add ./my-plugin');
  assertCanAsk(flags, terminal);
  const file = configFile(flags, terminal);
  return PendingChange.run(file, `plugins add ${given}`, terminal, async (pending) => {
    const configuration = existsSync(pending.file) ? await readConfiguration(pending.file, terminal.cwd) : {};
    const source = await sourceOf(given, terminal.cwd, pending);
    return placePlugin(pending, terminal, {source, flags, configured: configuredPlugins(configuration.plugins)});
  });
}

/** The configuration file that a command changes. */
export function configFile(flags: ReadonlyMap<string, unknown>, {cwd}: Terminal): string {
  return resolve(cwd, (flags.get('config') as string | undefined) ?? 'orch.yaml');
}

/** @throws UsageError where somebody is to be asked and nobody can be */
export function assertCanAsk(flags: ReadonlyMap<string, unknown>, {ask}: Terminal): void {
  if (flags.get('yes') !== true && !ask) throw new UsageError('nobody can be asked whether this is wanted: say --yes');
}
