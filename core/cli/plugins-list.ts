import {basename} from 'node:path';
import {shownText} from '../../sdk/values/shown-text.js';
import type {FlagDefinition} from '../options/flags/flag-definition.js';
import {coreFlags} from '../options/flags/server-flags.js';
import {KernelError} from '../kernel/kernel-error.js';
import type {LoadedPlugin} from '../kernel/manifests/loaded-plugin.js';
import {requirementTexts} from '../kernel/manifests/services.js';
import {select} from '../kernel/selection/select.js';
import {kernelOptions} from '../options/kernel-options.js';
import {platformOf} from '../options/plugin-profiles.js';
import {resolveNaming} from '../options/resolve-naming.js';
import {chainKinds} from './chain-kinds.js';
import {flagHelp, helpText} from './flag-help.js';
import {contributionList} from '../kernel/manifests/contribution-list.js';
import {permissionLines, permissionsInShort} from '../controllers/permission-lines.js';
import {serverArguments} from './server-arguments.js';
import type {Terminal} from './terminal.js';
import {UsageError} from './usage-error.js';

const ownFlags: readonly FlagDefinition[] = [
  {name: 'json', type: 'boolean', description: 'Print JSON'},
  {
    name: 'kind',
    type: 'string',
    value: 'KIND',
    allowed: [...Object.keys(chainKinds), 'controller'],
    description:
      'Lists what the plugins contribute of one kind in the order in which it is asked, whether it takes part, and why; loads their code. controller: lists the controllers, whether they run, and by which lease',
  },
  {
    name: 'kubeconfig',
    type: 'string',
    value: 'FILE',
    description: 'With --kind controller: asks the server that this client configuration names which server of its store runs what',
  },
];

/** The flags of `serve` that decide which plugins there are. */
const shown = [
  'config',
  'plugin',
  'enable-plugins',
  'disable-plugins',
  'only-plugins',
  'plugin-profile',
  'enable-admission-plugins',
  'disable-admission-plugins',
  'admission-control',
  'authorization-mode',
  'controllers',
  'cluster',
  'enable-console',
  'platform',
];

export function help(): string {
  return helpText(
    'orch plugins list [FLAGS]',
    [
      'Lists all plugins in the order in which they start: whether each takes part and what decided that, where it comes from, and what it',
      'contributes. Without --kind no code of a plugin is loaded. Takes the flags of `orch serve` too:',
    ],
    flagHelp([...ownFlags, ...coreFlags.filter((flag) => shown.includes(flag.name))]),
    'orch plugins list',
    'orch plugins list --plugin ./my-plugin --json',
    'orch plugins list --kind controller --kubeconfig .orch/admin.kubeconfig',
    'orch plugins list --kind admission --disable-admission-plugins PodSecurity',
    'orch plugins list --plugin-profile crd-only --kind authenticator',
  );
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {options, positionals, extra} = await serverArguments(args, terminal, ownFlags);
  if (positionals.length > 0) throw new UsageError(`orch plugins list takes flags only, and ${JSON.stringify(positionals[0])} is none`);
  const {configuration = {}} = options;
  // The naming profile has defaults of feature gates, and some plugins' parts need one.
  const naming = resolveNaming(platformOf(options), configuration.naming);
  const selection = kernelOptions({...options, naming});
  const {selected, problems} = await select(selection);
  KernelError.throwIfAny(problems);
  const isJson = extra.get('json') === true;
  const kind = extra.get('kind') as keyof typeof chainKinds | 'controller' | undefined;
  if (kind !== undefined && kind !== 'controller') {
    const {chainRows} = await import('./chain-list.js');
    const rows = await chainRows(chainKinds[kind], selected, selection);
    const cells = rows.map(({order, name, state, plugin, why}) => [String(order ?? '-'), name, state, why, plugin]);
    terminal.out.write(isJson ? `${JSON.stringify(rows, null, 2)}\n` : table([['ORDER', 'NAME', 'STATE', 'WHY', 'PLUGIN'], ...cells]));
    return 0;
  }
  if (kind === 'controller') {
    const {controllerRows} = await import('./controller-list.js');
    const kubeconfig = extra.get('kubeconfig') as string | undefined;
    const rows = await controllerRows(selected, naming, kubeconfig);
    const asked = kubeconfig !== undefined;
    const cells = rows.map(({name, state, lease, leader, user, plugin}) => [
      name,
      state,
      lease,
      ...(asked ? [leader ?? ''] : []),
      user,
      plugin,
    ]);
    const head = ['NAME', 'STATE', 'LEASE', ...(asked ? ['LEADER'] : []), 'USER', 'PLUGIN'];
    terminal.out.write(isJson ? `${JSON.stringify(rows, null, 2)}\n` : table([head, ...cells]));
    return 0;
  }
  terminal.out.write(isJson ? json(selected.plugins) : table(pluginCells(selected.plugins)));
  return 0;
}

function json(plugins: readonly LoadedPlugin[]): string {
  const rows = plugins.map((plugin) => ({
    name: plugin.name,
    version: plugin.manifest.version,
    description: plugin.manifest.description,
    enabled: plugin.enabled,
    why: plugin.why,
    source: plugin.source,
    origin: origin(plugin),
    folder: plugin.folder,
    requires: requirementTexts(plugin),
    permissions: permissionLines(plugin.manifest),
    contributes: contributionList(plugin.manifest),
  }));
  return `${JSON.stringify(rows, null, 2)}\n`;
}

function pluginCells(plugins: readonly LoadedPlugin[]): string[][] {
  return [
    ['NAME', 'VERSION', 'STATE', 'WHY', 'ORIGIN', 'PERMISSIONS', 'CONTRIBUTES'],
    ...plugins.map((plugin) => [
      plugin.name,
      plugin.manifest.version,
      plugin.enabled ? 'on' : 'off',
      plugin.why,
      origin(plugin),
      permissionsInShort(plugin.manifest),
      contributionList(plugin.manifest).join(', '),
    ]),
  ];
}

/** Where a plugin comes from, and who named it. */
function origin({source, file, folder, package: from}: LoadedPlugin): string {
  if (source === 'root') return 'built in';
  const place = from === undefined ? `${basename(file) === 'plugin.json' ? 'folder' : 'module'} ${folder}` : `package ${from}`;
  return source === 'configuration' ? `configuration: ${place}` : place;
}

/** Columns of equal width; the last one is as wide as it is. */
function table(given: readonly (readonly string[])[]): string {
  const rows = given.map((row) => row.map((cell) => shownText(cell)));
  const widths = rows[0]!.slice(0, -1).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)) + 2);
  return `${rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('')
        .trimEnd(),
    )
    .join('\n')}\n`;
}
