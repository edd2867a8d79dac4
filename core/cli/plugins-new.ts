import {existsSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {dirname, join, relative, resolve} from 'node:path';
import {packageRoot} from '../kernel/package-root.js';
import type {FlagDefinition} from '../options/flags/flag-definition.js';
import {flagHelp, helpText} from './flag-help.js';
import {parseFlags} from './parse-flags.js';
import {pluginFiles} from './scaffold/plugin-files.js';
import {pluginKinds, type PluginKind} from './scaffold/plugin-kinds.js';
import type {Language} from './scaffold/render-template.js';
import type {Terminal} from './terminal.js';
import {UsageError} from './usage-error.js';

const kinds = Object.keys(pluginKinds) as PluginKind[];
const defaultGroup = 'example.com';

const ownFlags: readonly FlagDefinition[] = [
  {
    name: 'kind',
    type: 'string',
    value: 'KIND',
    description: 'What the plugin brings; asked for on a terminal. "resource" otherwise',
    allowed: kinds,
  },
  {name: 'typescript', type: 'boolean', description: 'Sources in TypeScript; the default', default: 'true'},
  {name: 'javascript', type: 'boolean', description: 'Sources in JavaScript, which run without a build', default: 'false'},
  {name: 'group', type: 'string', value: 'GROUP', description: `API group of its resource types; "${defaultGroup}" if nobody says another`},
  {name: 'dir', type: 'string', value: 'DIR', description: 'Folder to write to; it must be empty or not be there', default: './NAME'},
  {
    name: 'orch',
    type: 'string',
    value: 'SPEC',
    description:
      'Where npm gets the package @orch-api/orch from, as in package.json: a version, a folder or a tarball. The package that this command is part of if not given',
  },
];

export function help(): string {
  return helpText(
    'orch plugins new [NAME] [FLAGS]',
    [
      'Writes a plugin that works as it is, with a package.json, a test that passes and a README. Asks for what is missing on a terminal. Kinds:',
      '',
      ...kinds.map((kind) => `  ${kind.padEnd(16)}${pluginKinds[kind]}`),
    ],
    flagHelp(ownFlags),
    'orch plugins new widgets',
    'orch plugins new require-owner --kind admission --javascript',
    'orch plugins new backups --kind controller --group backups.example.com',
  );
}

export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const {flags, positionals, warnings} = parseFlags(args, ownFlags);
  for (const warning of warnings) terminal.err.write(`${warning}\n`);
  if (positionals.length > 1) throw new UsageError('orch plugins new needs one name, as in: orch plugins new widgets');
  const name = positionals[0] ?? (await terminal.ask?.('Name of the plugin: '));
  if (!name) throw new UsageError('orch plugins new needs one name, as in: orch plugins new widgets');
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 63) {
    throw new UsageError(`a plugin's name is made of lower-case words joined by hyphens, which ${JSON.stringify(name)} is not`);
  }
  const folder = resolve(terminal.cwd, (flags.get('dir') as string | undefined) ?? name);
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new UsageError(`${folder} is not empty`);
  const kind = (flags.get('kind') as PluginKind | undefined) ?? (await askKind(terminal));
  const language = languageOf(flags.get('typescript'), flags.get('javascript')) ?? (await askLanguage(terminal));
  const group = (flags.get('group') as string | undefined) ?? (await askGroup(terminal, kind));
  if (!isGroup(group)) {
    throw new UsageError(
      `--group: an API group is a domain name in lower case with at least one dot, which ${JSON.stringify(group)} is not`,
    );
  }
  const orch = packageSpec(flags.get('orch') as string | undefined, terminal.cwd, folder);

  for (const [path, text] of pluginFiles({name, kind, language, group, orch})) {
    const file = join(folder, path);
    mkdirSync(dirname(file), {recursive: true});
    writeFileSync(file, text);
    terminal.out.write(`wrote ${relative(terminal.cwd, file)}\n`);
  }
  const reference = relative(terminal.cwd, folder);
  const steps = ['npm install', 'npm test', kind === 'server' ? 'npm start' : 'npx --no orch serve --plugin .'];
  terminal.out.write(`try it: ${[...(reference === '' ? [] : [`cd ${reference}`]), ...steps].join(' && ')}\n`);
  return 0;
}

/** A folder or tarball is named from the new folder, whose package.json has it; what else is given is npm's matter. */
function packageSpec(given: string | undefined, cwd: string, folder: string): string {
  if (given === undefined) return `file:${relative(folder, packageRoot)}`;
  const path = resolve(cwd, given.replace(/^file:/, ''));
  const isPath = /^(file:|\.{0,2}[\\/])|\.(tgz|tar\.gz|tar)$/.test(given) && !/^[a-z]+:\/\//i.test(given);
  if (!isPath) return given;
  if (!existsSync(path)) throw new UsageError(`--orch: ${path} does not exist`);
  return `file:${relative(folder, path)}`;
}

/** Undefined if neither flag is given. */
function languageOf(typescript: unknown, javascript: unknown): Language | undefined {
  if (typescript === true && javascript === true) throw new UsageError('--typescript and --javascript exclude each other');
  if (javascript === true || typescript === false) return 'javascript';
  if (typescript === true || javascript === false) return 'typescript';
  return undefined;
}

async function askKind(terminal: Terminal): Promise<PluginKind> {
  if (!terminal.ask) return 'resource';
  const list = kinds.map((kind, position) => `  ${position + 1}  ${kind.padEnd(16)}${pluginKinds[kind]}`).join('\n');
  const answer = (await terminal.ask(`What does it bring?\n${list}\nKind [resource]: `)) || 'resource';
  const kind = kinds[Number(answer) - 1] ?? kinds.find((each) => each === answer);
  if (!kind) throw new UsageError(`${JSON.stringify(answer)} is no kind; there are ${kinds.join(', ')}`);
  return kind;
}

async function askLanguage(terminal: Terminal): Promise<Language> {
  const answer = ((await terminal.ask?.('TypeScript? [yes]: ')) ?? '').toLowerCase();
  return answer.startsWith('n') || answer.startsWith('j') ? 'javascript' : 'typescript';
}

async function askGroup(terminal: Terminal, kind: PluginKind): Promise<string> {
  if (!['resource', 'controller', 'server'].includes(kind)) return defaultGroup;
  return (await terminal.ask?.(`API group of its type [${defaultGroup}]: `)) || defaultGroup;
}

function isGroup(text: string): boolean {
  return text.length <= 253 && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/.test(text);
}
