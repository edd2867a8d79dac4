import type {KernelProblem} from '../kernel/kernel-error.js';
import {PluginCatalogue} from '../kernel/selection/plugin-catalogue.js';
import type {FoundPlugin} from '../kernel/manifests/read-manifest.js';
import {select} from '../kernel/selection/select.js';
import {builtinPlugins} from '../options/builtin-plugins.js';
import type {Configuration} from '../options/configuration.js';
import {kernelOptions, optionName} from '../options/kernel-options.js';
import {unservedPermissions} from '../plugin-checks/permission-problems.js';
import {thoroughProblems} from '../plugin-checks/thorough-problems.js';
import {platformOf} from '../options/plugin-profiles.js';
import {resolveNaming} from '../options/resolve-naming.js';
import {resolveRelease} from '../options/resolve-release.js';

/** What to check. */
export interface CheckedPlugins {
  /** Folders, manifests, modules or packages. If there are none: those that the configuration names, or without one all that come with the server. */
  readonly references: readonly string[];
  /** References are relative to it. */
  readonly cwd: string;
  /** The server that they are for; one without a configuration file if absent. */
  readonly configuration?: Configuration;
  readonly importCode: boolean;
  /** Only this plugin is checked thoroughly. */
  readonly only?: string | undefined;
}

/** Checks plugins thoroughly, together with the others of a server. Settings that the operator must give count as problems too (`CONFIG_INVALID`). */
export async function checkPlugins({
  references,
  cwd,
  configuration,
  importCode,
  only,
}: CheckedPlugins): Promise<{own: readonly FoundPlugin[]; problems: readonly KernelProblem[]; warnings: readonly string[]}> {
  const options = {plugins: references, cwd, ...(configuration && {configuration})};
  // Those that come with the server are checked from their files, when nothing else is.
  const isOfServer = references.length === 0 && configuration === undefined;
  const catalogue = await PluginCatalogue.read({...options, pluginRoots: [builtinPlugins], useIndex: !isOfServer, optionName});
  const naming = resolveNaming(platformOf(options), configuration?.naming);
  const release = resolveRelease(configuration?.release, naming.name);
  const source = references.length === 0 ? 'configuration' : 'option';
  const own = catalogue.plugins.filter(
    (plugin) => (isOfServer || plugin.source === source) && (only === undefined || plugin.name === only),
  );
  const {selected, problems: ofSelection} = await select(kernelOptions({...options, catalogue, naming, optionName}));
  const isSound = ofSelection.every(({code}) => code === 'CONFIG_INVALID');
  const problems = [...ofSelection, ...(await thoroughProblems(own, catalogue.plugins, {naming, release, importCode, isSound}))];
  const definitions = catalogue.plugins.flatMap(({manifest}) => manifest.contributes?.resources ?? []);
  const warnings = own.flatMap((plugin) => unservedPermissions(plugin, definitions).map((text) => `plugin ${plugin.name}: ${text}`));
  // Conversions are tried on what is right otherwise. Those that come with the server have tests of their own.
  if (importCode && problems.every(({code}) => code === 'CONFIG_INVALID')) {
    const {conversionProblems} = await import('../plugin-checks/conversion-problems.js');
    const names = new Set(own.filter(({source}) => source !== 'root').map(({name}) => name));
    const loaded = selected.plugins.filter(({name}) => names.has(name));
    problems.push(...(await conversionProblems(loaded, selected.plugins, {naming, release, featureGates: selected.featureGates})));
  }
  return {own, problems, warnings};
}
