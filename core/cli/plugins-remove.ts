import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {nameList} from '../kernel/nearest-name.js';
import {configuredPlugins} from '../kernel/selection/plugins-configuration.js';
import {flagHelp} from './flag-help.js';
import {parseFlags} from './parse-flags.js';
import {withoutPlugin} from './plugin-configuration/edit-text.js';
import {npm} from './plugin-configuration/npm.js';
import {configFlag} from './plugins-add.js';
import {readConfiguration} from './read-configuration.js';
import type {Terminal} from './terminal.js';
import {UsageError} from './usage-error.js';

export function help(): string {
  return [
    'Usage: orch plugins remove NAME [FLAGS]',
    '',
    'Takes a plugin out of the configuration file, with its settings. A package that npm has installed beside the file is uninstalled; a folder is left',
    'as it is. Objects of its types stay in the store.',
    '',
    flagHelp([configFlag]),
    '',
    'Examples:',
    '  orch plugins remove rooms',
    '  orch plugins remove quotas --config /etc/orch/orch.yaml',
    '',
  ].join('\n');
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {flags, positionals} = parseFlags(args, [configFlag]);
  const [name] = positionals;
  if (name === undefined || positionals.length > 1)
    throw new UsageError('orch plugins remove needs the name of one plugin, as in: orch plugins remove rooms');
  const file = resolve(terminal.cwd, (flags.get('config') as string | undefined) ?? 'orch.yaml');
  const configured = configuredPlugins((await readConfiguration(file, terminal.cwd)).plugins);
  const entry = configured.get(name);
  if (!entry) throw new UsageError(`${file} has no plugin ${name}; it has ${nameList(configured.keys())}`);
  const text = await withoutPlugin(readFileSync(file, 'utf8'), name);
  if (text === undefined) {
    terminal.err.write(`orch: ${file} has a form in which nothing can be removed; take plugins.${name} out of it by hand\n`);
    return 1;
  }
  writeFileSync(file, text);
  terminal.out.write(`removed ${name} from ${file}\n`);
  const installed = installedPackage(entry.from, dirname(file));
  if (installed !== undefined && ![...configured].some(([other, {from}]) => other !== name && from === entry.from)) {
    await npm(['uninstall', installed], dirname(file));
    terminal.out.write(`uninstalled ${installed}\n`);
  }
  return 0;
}

/** The name of a package that is a dependency of the package in this folder. */
function installedPackage(from: string | undefined, folder: string): string | undefined {
  const manifest = join(folder, 'package.json');
  if (from === undefined || !existsSync(manifest)) return undefined;
  const {dependencies = {}} = JSON.parse(readFileSync(manifest, 'utf8')) as {dependencies?: Record<string, string>};
  return Object.keys(dependencies).find((name) => join(folder, 'node_modules', name) === from);
}
