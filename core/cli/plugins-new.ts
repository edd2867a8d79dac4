import {existsSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {dirname, join, relative, resolve} from 'node:path';
import type {FlagDefinition} from '../server/flags/flag-definition.js';
import {flagHelp} from './flag-help.js';
import {parseFlags} from './parse-flags.js';
import {admissionPlugin} from './scaffold/admission-plugin.js';
import {resourcePlugin} from './scaffold/resource-plugin.js';
import type {Terminal} from './terminal.js';
import {UsageError} from './usage-error.js';

const ownFlags: readonly FlagDefinition[] = [
  {
    name: 'kind',
    type: 'string',
    value: 'KIND',
    description: 'What the plugin brings',
    allowed: ['resource', 'admission'],
    default: 'resource',
  },
  {name: 'dir', type: 'string', value: 'DIR', description: 'Folder to write to; it must be empty or not be there', default: './NAME'},
];

export function help(): string {
  return [
    'Usage: orch plugins new NAME [FLAGS]',
    '',
    'Writes a plugin that works as it is: a resource type (manifest and schema, no code), or an admission controller.',
    '',
    flagHelp(ownFlags),
    '',
    'Examples:',
    '  orch plugins new widgets',
    '  orch plugins new require-owner --kind admission',
    '',
  ].join('\n');
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {flags, positionals, warnings} = parseFlags(args, ownFlags);
  for (const warning of warnings) terminal.err.write(`${warning}\n`);
  const [name, ...others] = positionals;
  if (name === undefined || others.length > 0) throw new UsageError('orch plugins new needs one name, as in: orch plugins new widgets');
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 63) {
    throw new UsageError(`a plugin's name is made of lower-case words joined by hyphens, which ${JSON.stringify(name)} is not`);
  }
  const folder = resolve(terminal.cwd, (flags.get('dir') as string | undefined) ?? name);
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new UsageError(`${folder} is not empty`);

  const files = flags.get('kind') === 'admission' ? admissionPlugin(name) : resourcePlugin(name);
  for (const [path, text] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), {recursive: true});
    writeFileSync(file, text);
    terminal.out.write(`wrote ${relative(terminal.cwd, file)}\n`);
  }
  const reference = relative(terminal.cwd, folder);
  terminal.out.write(`try it: orch serve --plugin ${reference.startsWith('.') ? reference : `./${reference}`}\n`);
  return 0;
}
