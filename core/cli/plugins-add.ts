import {existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {basename, dirname, join, relative, resolve} from 'node:path';
import {KernelError, problemText} from '../kernel/kernel-error.js';
import {discover, isModule} from '../kernel/manifests/discover.js';
import {configuredPlugins} from '../kernel/selection/plugins-configuration.js';
import type {FlagDefinition} from '../server/flags/flag-definition.js';
import {checkPlugins} from './checked-plugins.js';
import {flagHelp} from './flag-help.js';
import {parseFlags} from './parse-flags.js';
import {pluginLines, withPlugin} from './plugin-configuration/edit-text.js';
import {npm, packageName} from './plugin-configuration/npm.js';
import {pluginSummary} from './plugin-configuration/plugin-summary.js';
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

const ownFlags: readonly FlagDefinition[] = [
  configFlag,
  {name: 'yes', type: 'boolean', description: 'Do not ask; needed where nobody can be asked', default: 'false'},
];

export function help(): string {
  return [
    'Usage: orch plugins add PACKAGE|FOLDER|TARBALL [FLAGS]',
    '',
    'Checks a plugin as `orch plugins check` does, together with those that the configuration file has, shows what it contributes and what its',
    'client may do, and puts it into the file; the file is made if it is not there. Packages and tarballs are installed beside the file by npm,',
    'which runs none of their scripts; nor does any code of a plugin run before you have agreed. A plugin that does not pass the check, or that you',
    'refuse, is uninstalled again.',
    '',
    flagHelp(ownFlags),
    '',
    'Examples:',
    '  orch plugins add ./my-plugin',
    '  orch plugins add orch-plugin-quotas@^2.0.0 --config /etc/orch/orch.yaml',
    '  orch plugins add ./rooms-1.2.0.tgz --yes && orch serve --config orch.yaml',
    '',
  ].join('\n');
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {flags, positionals} = parseFlags(args, ownFlags);
  const [given] = positionals;
  if (given === undefined || positionals.length > 1)
    throw new UsageError('orch plugins add needs one plugin, as in: orch plugins add ./my-plugin');
  const isAgreed = flags.get('yes') === true;
  if (!isAgreed && !terminal.ask) throw new UsageError('nobody can be asked whether to add the plugin: say --yes');
  const file = resolve(terminal.cwd, (flags.get('config') as string | undefined) ?? 'orch.yaml');
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const configuration = existsSync(file) ? await readConfiguration(file, terminal.cwd) : {};

  const folder = dirname(file);
  const source = await install(given, terminal.cwd, folder);
  let isKept = false;
  try {
    const isAgreedTo = async (question: string) => isAgreed || /^y(es)?$/i.test(await terminal.ask!(`${question} [no]: `));
    const refused = () => {
      terminal.err.write('nothing was added\n');
      return 1;
    };
    const check = async (importCode: boolean) => {
      const {own, problems} = await checkPlugins({references: [source.reference], cwd: folder, configuration, importCode});
      // A required setting is the operator's to give.
      KernelError.throwIfAny(problems.filter((fault) => fault.code !== 'CONFIG_INVALID'));
      return {plugin: own[0]!, problems};
    };
    // Code runs only after somebody has agreed to it, and a plugin without a manifest is described by its code.
    const module = moduleOf(source.reference, folder);
    if (module !== undefined && !(await isAgreedTo(`Only its code says what the plugin is. Run ${module} here to see?`))) return refused();
    const {plugin} = await check(false);
    const known = configuredPlugins(configuration.plugins).get(plugin.name);
    if (known && known.from !== source.installed)
      throw new UsageError(`${file} has plugins.${plugin.name} already; remove it first: orch plugins remove ${plugin.name}`);
    terminal.out.write(pluginSummary(plugin));
    if (!(await isAgreedTo(`Add ${plugin.name}?`))) return refused();
    const {problems} = await check(true);
    isKept = true;
    if (known) {
      terminal.out.write(`installed ${plugin.name} ${plugin.manifest.version}, which ${file} has already\n`);
      return 0;
    }
    const text = await withPlugin(before, plugin.name, {from: source.from});
    if (text === undefined) {
      terminal.err.write(
        `orch: ${file} has a form in which nothing can be added; add this to it:\n${pluginLines(plugin.name, {from: source.from})}`,
      );
      return 1;
    }
    writeFileSync(file, text);
    terminal.out.write(`added ${plugin.name} ${plugin.manifest.version} to ${file}\n`);
    for (const fault of problems) terminal.out.write(`before the server starts: ${problemText(fault)}\n`);
    return 0;
  } finally {
    if (!isKept) await source.undo();
  }
}

/** The module that defines the plugin in place of a manifest, if one does. */
function moduleOf(reference: string, cwd: string): string | undefined {
  const options = {roots: [], references: [reference], option: 'plugins', configured: new Map(), useIndex: false, cwd};
  return discover(options).locations.find(({file}) => isModule(file))?.file;
}

interface Source {
  /** For the check, relative to the folder of the configuration file. */
  readonly reference: string;
  /** For the configuration file. */
  readonly from: string;
  /** The same as it comes back when the file is read. */
  readonly installed: string;
  undo(): Promise<void>;
}

async function install(given: string, cwd: string, folder: string): Promise<Source> {
  const path = resolve(cwd, given);
  const kind = statSync(path, {throwIfNoEntry: false});
  if (kind?.isDirectory() || (kind?.isFile() && !/\.(tgz|tar\.gz|tar)$/.test(given))) {
    const place = basename(path) === 'plugin.json' ? dirname(path) : path;
    const to = relative(folder, place);
    const from = to === '' ? '.' : to.startsWith('..') ? to : `./${to}`;
    return {reference: place, from, installed: place, undo: () => Promise.resolve()};
  }
  if (/^\.{0,2}[\\/]|\.tgz$/.test(given) && !kind) throw new UsageError(`${path} does not exist`);
  mkdirSync(folder, {recursive: true});
  const spec = kind ? path : given;
  const name = await packageName(spec, folder);
  const files = ['package.json', 'package-lock.json'].map((file) => join(folder, file));
  const texts = files.map((file) => (existsSync(file) ? readFileSync(file) : undefined));
  const hadModules = existsSync(join(folder, 'node_modules'));
  await npm(['install', spec, '--save'], folder);
  return {
    reference: name,
    from: name,
    installed: join(folder, 'node_modules', name),
    async undo() {
      if (hadModules || texts.some((text) => text !== undefined)) await npm(['uninstall', name], folder);
      for (const [index, file] of files.entries()) {
        const text = texts[index];
        if (text === undefined) rmSync(file, {force: true});
        else writeFileSync(file, text);
      }
      if (!hadModules) rmSync(join(folder, 'node_modules'), {recursive: true, force: true});
      // Another version may have been there before.
      else if (texts[0] !== undefined) await npm(['install'], folder);
    },
  };
}
