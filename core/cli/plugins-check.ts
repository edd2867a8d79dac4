import {shownText} from '../../sdk/values/shown-text.js';
import type {FlagDefinition} from '../options/flags/flag-definition.js';
import {KernelError} from '../kernel/kernel-error.js';
import {checkPlugins} from './checked-plugins.js';
import {flagHelp, helpText} from './flag-help.js';
import {parseFlags} from './parse-flags.js';
import type {Terminal} from './terminal.js';

const ownFlags: readonly FlagDefinition[] = [
  {
    name: 'import',
    type: 'boolean',
    description: 'Also import the entry modules and look for the classes that the manifests promise',
    default: 'true',
  },
];

export function help(): string {
  return helpText(
    'orch plugins check [PATH_OR_PACKAGE…] [FLAGS]',
    [
      'Checks plugins thoroughly, together with the built-in ones, and prints every problem: manifests, duplicates, requirements,',
      'schema files, the schema of the settings, lifetimes of versions, flags and feature gates, entry modules, and conversions between versions (tried on objects made from the',
      'schemas). Of classes only strategies that convert are constructed, and nothing is started. Without a path the built-in plugins are checked.',
    ],
    flagHelp(ownFlags),
    'orch plugins check ./my-plugin',
    'orch plugins check ./my-plugin --no-import',
  );
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {flags, positionals, warnings} = parseFlags(args, ownFlags);
  for (const warning of warnings) terminal.err.write(`${warning}\n`);
  const {
    own,
    problems,
    warnings: doubts,
  } = await checkPlugins({references: positionals, cwd: terminal.cwd, importCode: flags.get('import') !== false});
  // A required setting is the operator's to give.
  for (const text of doubts) terminal.err.write(`warning: ${shownText(text)}\n`);
  const faults = problems.filter((fault) => fault.code !== 'CONFIG_INVALID');
  // Of what the plugin threw; a syntax error has no stack that leads into it.
  for (const {code, cause} of faults)
    if (code === 'IMPORT_FAILED' && cause instanceof Error && !(cause instanceof SyntaxError)) terminal.err.write(`${cause.stack}\n`);
  KernelError.throwIfAny(faults);
  terminal.out.write(`${own.length} ${own.length === 1 ? 'plugin' : 'plugins'} checked: ${own.map((plugin) => plugin.name).join(', ')}\n`);
  return 0;
}
