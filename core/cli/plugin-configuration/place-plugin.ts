import {isDeepStrictEqual} from 'node:util';
import {KernelError, problemText, type KernelProblem} from '../../kernel/kernel-error.js';
import {discover, isModule} from '../../kernel/manifests/discover.js';
import {PluginCatalogue} from '../../kernel/selection/plugin-catalogue.js';
import type {FoundPlugin} from '../../kernel/manifests/read-manifest.js';
import type {PluginConfiguration} from '../../kernel/selection/plugins-configuration.js';
import {migratedSettings, settingsVersion} from '../../kernel/selection/settings-version.js';
import type {Terminal} from '../terminal.js';
import {UsageError} from '../usage-error.js';
import {markedLines, settingLines} from './differences.js';
import {parse, withPlugin} from './edit-text.js';
import {textOf, type PendingChange} from './pending-change.js';
import type {PluginSource} from './plugin-source.js';
import {pluginSummary} from './plugin-summary.js';
import {withFlags} from './set-settings.js';

/** A plugin that is to have its place in a configuration file. */
export interface Placement {
  readonly source: PluginSource;
  readonly flags: ReadonlyMap<string, unknown>;
  /** The plugins of the file by name; `from` is absolute. */
  readonly configured: ReadonlyMap<string, PluginConfiguration>;
  /** The name that it must have, for one that is there already. */
  readonly name?: string;
}

/**
 * Adds a plugin, or another version of one, to the configuration file: shows it, asks, migrates its settings, checks everything. The code of the plugin runs only
 * after the user has agreed.
 *
 * @returns whether the user agreed
 * @throws KernelError with everything that would keep the server from starting; UsageError
 */
export async function placePlugin(
  pending: PendingChange,
  terminal: Terminal,
  {source, flags, configured, name}: Placement,
): Promise<boolean> {
  const isAgreedTo = (question: string) => pending.isAgreedTo(question, flags);
  const module = moduleOf(source.path, pending.folder);
  // A plugin without a manifest is described by its code.
  if (module !== undefined && !(await isAgreedTo(`Only its code says what the plugin is. Run ${module} here to see?`))) return false;
  const plugin = await readPlugin(source.path, pending.folder);
  const known = knownAs(plugin, {source, configured, ...(name !== undefined && {name})}, pending.file);
  const before =
    known?.from === undefined ? undefined : await readPlugin(pending.before(known.from), pending.folder).catch(() => undefined);

  const written = await rawEntry(pending, plugin.name);
  // A place that has not changed stays as it was written.
  const entry = {...written, from: known?.from === source.path ? (written?.from ?? source.from) : source.from};
  const given = known?.configVersion ?? 1;
  const raw = written?.config ?? {};
  const isOutdated = Object.keys(raw).length > 0 && given < settingsVersion(plugin);
  const settings = withFlags(raw, flags, plugin.manifest.config);
  const draft = entryWith(entry, settings, Object.keys(raw).length > 0 ? given : settingsVersion(plugin));
  const text = await textWith(pending, plugin.name, draft);
  throwIfAny(await pending.newProblems(text, {plugin: plugin.name, importCode: false}), plugin.name, isOutdated);

  terminal.out.write(pluginSummary(plugin, before));
  if (!(await isAgreedTo(before ? `Upgrade ${plugin.name}?` : `Add ${plugin.name}?`))) return false;
  const migrated = isOutdated ? withFlags(await migratedSettings(plugin, raw, given), flags, plugin.manifest.config) : settings;
  if (!isDeepStrictEqual(migrated, raw)) {
    terminal.out.write(`\nSettings${isOutdated ? ` of version ${given} become those of version ${settingsVersion(plugin)}` : ''}:\n`);
    terminal.out.write(`${markedLines(settingLines(raw), settingLines(migrated)).join('\n')}\n\n`);
    if (isOutdated && !(await isAgreedTo('Write these settings?'))) return false;
  }
  const final = await textWith(pending, plugin.name, entryWith(entry, migrated, settingsVersion(plugin)));
  throwIfAny(await pending.newProblems(final, {plugin: plugin.name}), plugin.name, false);
  pending.commit(final === textOf(pending.file) ? undefined : final);
  const {version} = plugin.manifest;
  terminal.out.write(
    before
      ? `upgraded ${plugin.name} from ${before.manifest.version} to ${version} in ${pending.file}\n`
      : `added ${plugin.name} ${version} to ${pending.file}\n`,
  );
  return true;
}

/** The module that defines the plugin in place of a manifest, if one does. */
function moduleOf(reference: string, cwd: string): string | undefined {
  const options = {roots: [], references: [reference], option: 'plugins', configured: new Map(), useIndex: false, cwd};
  return discover(options).locations.find(({file}) => isModule(file))?.file;
}

async function readPlugin(path: string, cwd: string): Promise<FoundPlugin> {
  const {plugins, problems} = await PluginCatalogue.read({plugins: [path], cwd});
  const [plugin] = plugins;
  if (plugin === undefined) throw new KernelError(problems);
  return plugin;
}

/** The plugin's present entry in the file. @throws UsageError if it is another plugin */
function knownAs(
  {name}: FoundPlugin,
  {source, configured, name: expected}: Omit<Placement, 'flags'>,
  file: string,
): PluginConfiguration | undefined {
  if (expected !== undefined && expected !== name) throw new UsageError(`${source.from} is the plugin ${name}, not ${expected}`);
  const known = configured.get(name);
  if (expected === undefined && known?.from !== undefined && known.from !== source.path)
    throw new UsageError(`${file} has plugins.${name} already; replace it: orch plugins upgrade ${name} ${source.from}`);
  return known;
}

/** The entry as in the file, with relative paths. */
async function rawEntry(pending: PendingChange, name: string): Promise<PluginConfiguration | undefined> {
  const {plugins} = await parse(textOf(pending.file));
  return (plugins?.[name] as PluginConfiguration | null | undefined) ?? undefined;
}

function entryWith(
  {config: _, configVersion: _version, ...entry}: PluginConfiguration,
  settings: Readonly<Record<string, unknown>>,
  version: number,
): PluginConfiguration {
  const hasSettings = Object.keys(settings).length > 0;
  return {...entry, ...(hasSettings && version > 1 && {configVersion: version}), ...(hasSettings && {config: settings})};
}

/** @throws UsageError if the file has a form in which nothing can be changed */
async function textWith({file}: PendingChange, name: string, entry: PluginConfiguration): Promise<string> {
  const text = await withPlugin(textOf(file), name, entry);
  if (text !== undefined) return text;
  throw new UsageError(
    `${file} has a form in which nothing can be changed; change it by hand, so that it has: ${JSON.stringify({plugins: {[name]: entry}})}`,
  );
}

/** @param isOutdated whether the settings of the plugin are still to be migrated */
function throwIfAny(problems: readonly KernelProblem[], name: string, isOutdated: boolean): void {
  const left = problems.filter(({plugin, code}) => !(isOutdated && plugin === name && code === 'CONFIG_VERSION'));
  if (left.length === 0) return;
  const isSettings = left.every(({plugin, code}) => plugin === name && code === 'CONFIG_INVALID');
  if (!isSettings) throw new KernelError(left);
  throw new UsageError(`${left.map(problemText).join('; ')}: give its settings, as in --set NAME=VALUE --unset NAME`);
}
