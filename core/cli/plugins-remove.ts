import {readFileSync} from 'node:fs';
import {KernelError} from '../kernel/kernel-error.js';
import {nameList} from '../kernel/nearest-name.js';
import {configuredPlugins} from '../kernel/selection/plugins-configuration.js';
import type {FlagDefinition} from '../options/flags/flag-definition.js';
import {flagHelp, helpText} from './flag-help.js';
import {parseFlags} from './parse-flags.js';
import {withoutPlugin} from './plugin-configuration/edit-text.js';
import {PendingChange} from './plugin-configuration/pending-change.js';
import {installedPackage} from './plugin-configuration/plugin-source.js';
import {assertCanAsk, configFile, configFlag, yesFlag} from './plugins-add.js';
import {readConfiguration} from './read-configuration.js';
import type {Terminal} from './terminal.js';
import {UsageError} from './usage-error.js';

const ownFlags: readonly FlagDefinition[] = [configFlag, yesFlag];

export function help(): string {
  return helpText(
    'orch plugins remove NAME [FLAGS]',
    [
      'Takes a plugin out of the configuration file, with its settings, unless a server would not start without it. A package that npm has installed beside the file is',
      'uninstalled; a folder is left as it is. Objects of its types stay in the store. `orch plugins undo` goes back.',
    ],
    flagHelp(ownFlags),
    'orch plugins remove rooms',
    'orch plugins remove quotas --config /etc/orch/orch.yaml --yes',
  );
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {flags, positionals} = parseFlags(args, ownFlags);
  const [name] = positionals;
  if (name === undefined || positionals.length > 1)
    throw new UsageError('orch plugins remove needs the name of one plugin, as in: orch plugins remove rooms');
  assertCanAsk(flags, terminal);
  return PendingChange.run(configFile(flags, terminal), `plugins remove ${name}`, terminal, async (pending) => {
    const configured = configuredPlugins((await readConfiguration(pending.file, terminal.cwd)).plugins);
    const entry = configured.get(name);
    if (!entry) throw new UsageError(`${pending.file} has no plugin ${name}; it has ${nameList(configured.keys())}`);
    const text = await withoutPlugin(readFileSync(pending.file, 'utf8'), name);
    if (text === undefined)
      throw new UsageError(`${pending.file} has a form in which nothing can be removed; take plugins.${name} out of it by hand`);
    KernelError.throwIfAny(await pending.newProblems(text));
    const installed = installedPackage(entry.from, pending.folder)?.name;
    const isUninstalled = installed !== undefined && ![...configured].some(([other, {from}]) => other !== name && from === entry.from);
    const question = `Remove ${name}${isUninstalled ? ` and uninstall ${installed}` : ''}?`;
    if (!(await pending.isAgreedTo(question, flags))) return false;
    if (isUninstalled) {
      await pending.npm(['uninstall', installed]);
      // Others may have used what was installed with it.
      KernelError.throwIfAny(await pending.newProblems(text));
    }
    pending.commit(text);
    terminal.out.write(`removed ${name} from ${pending.file}\n${isUninstalled ? `uninstalled ${installed}\n` : ''}`);
    return true;
  });
}
