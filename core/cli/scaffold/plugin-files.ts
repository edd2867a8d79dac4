import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {KERNEL_VERSION} from '../../kernel/kernel-version.js';
import {packageRoot} from '../../kernel/package-root.js';
import {jsonText, kernelRange, pascalCase, resourceNames, stemOf} from './names.js';
import {pluginKinds, type PluginKind} from './plugin-kinds.js';
import {renderTemplate, type Language} from './render-template.js';

/** What `orch plugins new` is asked for. */
export interface NewPlugin {
  readonly name: string;
  readonly kind: PluginKind;
  readonly language: Language;
  /** API group of its resource types. */
  readonly group: string;
  /** Where npm gets the package `@orch-api/orch` from: a version, a folder or a tarball. */
  readonly orch: string;
}

/** What a plugin's own package.json takes from the one of this package. */
interface OwnManifest {
  readonly name: string;
  readonly license: string;
  readonly engines: {readonly node: string};
  readonly devDependencies: Readonly<Record<string, string>>;
}

const templates = fileURLToPath(new URL('templates', import.meta.url));
const suffix = '.template';

/** The files of a new plugin: path → text. */
export function pluginFiles({name, kind, language, group, orch}: NewPlugin): Map<string, string> {
  const stem = kind === 'controller' || kind === 'resource' ? stemOf(name, kind) : name;
  const names = resourceNames(stem);
  const typescript = language === 'typescript';
  const values: Record<string, string> = {
    name,
    group,
    plural: names.plural,
    singular: names.singular,
    Kind: names.kind,
    Class: pascalCase(stem),
    kernel: kernelRange(KERNEL_VERSION),
    entry: typescript ? './dist/plugin.js' : './src/plugin.js',
    commands: commands(kind, name),
  };
  const files = new Map<string, string>([['package.json', jsonText(packageJson({name, kind, language, orch}))]]);
  for (const folder of ['common', kind]) {
    for (const file of readdirSync(join(templates, folder)).sort()) {
      if (!file.endsWith(suffix)) continue;
      const path = pathOf(file.slice(0, -suffix.length), language);
      if (path === undefined) continue;
      const text = renderTemplate(readFileSync(join(templates, folder, file), 'utf8'), language, values);
      files.set(renderTemplate(path, language, values), file === `README.md${suffix}` ? `${text}${publishing(kind)}` : text);
    }
  }
  return files;
}

/** Where a file goes; undefined if it is none of the language's. */
function pathOf(file: string, language: Language): string | undefined {
  if (file === 'tsconfig.json' && language === 'javascript') return undefined;
  if (file === 'gitignore') return '.gitignore';
  if (!file.endsWith('.ts')) return file;
  return `src/${language === 'typescript' ? file : file.replace(/ts$/, 'js')}`;
}

function commands(kind: PluginKind, name: string): string {
  const store = kind === 'store' ? ` --store ${name}` : '';
  return [
    '```sh',
    'npm install',
    'npm test',
    'npx --no orch plugins check .',
    `npx --no orch serve --plugin .${store} --platform kubernetes`,
    '```',
    '',
  ].join('\n');
}

/** The end of the README: how others get the plugin. */
function publishing(kind: PluginKind): string {
  if (kind === 'server') return '';
  return [
    '',
    '## Publishing',
    '',
    '`npm pack` makes a package, which `orch plugins add FILE.tgz` installs; `npm publish` brings it to a registry. Before: choose the name (with a scope of yours) and the `license`,',
    'and set `version` in `package.json` and `plugin.json` to the same. `peerDependencies` and `kernel` say with which Orch it works: the command and the server hold both against their own version.',
    '',
  ].join('\n');
}

function packageJson({name, kind, language, orch}: Omit<NewPlugin, 'group'>): object {
  const typescript = language === 'typescript';
  const folder = typescript ? 'dist' : 'src';
  const own = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as OwnManifest;
  const {devDependencies} = own;
  const versions = typescript ? {'@types/node': devDependencies['@types/node'], typescript: devDependencies['typescript']} : {};
  const server = kind === 'server';
  return {
    name,
    version: '0.1.0',
    // A server is run, a plugin is published.
    ...(server
      ? {private: true}
      : {
          description: `A plugin of Orch: ${pluginKinds[kind].replace(/:.*/, '')}`,
          keywords: ['orch', 'orch-plugin'],
          license: own.license,
        }),
    type: 'module',
    engines: {node: own.engines.node},
    files: ['plugin.json', '*.schema.json', folder, '!**/*.test.*'],
    scripts: {
      ...(typescript ? {build: 'tsc', pretest: 'tsc', prepack: 'tsc'} : {}),
      test: `node --test "${folder}/**/*.test.js"`,
      ...(server ? {...(typescript ? {prestart: 'tsc'} : {}), start: `node ${folder}/main.js`} : {}),
    },
    ...(server ? {dependencies: {[own.name]: orch}} : {peerDependencies: {[own.name]: kernelRange(KERNEL_VERSION)}}),
    devDependencies: {...versions, ...(server ? {} : {[own.name]: orch})},
  };
}
