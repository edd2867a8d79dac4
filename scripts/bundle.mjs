// Writes dist/bundle: the same program in few files. It has the layout of the compiled tree (core, plugins, sdk, testing), with everything that is loaded
// by path or by name at the same place: entry modules of plugins, modules of the sdk, manifests, schemas, scripts. What these have in common is
// in dist/bundle/chunks. Called by scripts/build.mjs (docs/decisions/0039).
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {basename, dirname, join, relative, sep} from 'node:path';
import {notices} from './package/notices.mjs';
import {isShownSource} from './package/shown-sources.mjs';

/** Where programs begin. */
const programs = [
  'core/cli/main.js',
  'core/cli/run.js',
  'core/cli/envtest/etcd-main.js',
  'core/cli/workers/child-main.js',
  'core/cli/dev/server-main.js',
  'core/cli/checks/check-main.js',
];

/** What turns Node's compile cache on, and must be there before anything else. */
const beforeAll = 'core/caches/compile-cache.js';

/** What every start of a server loads by `import()`; what these import statically is loaded with them. */
const loadedByStart = [
  'core/cli/serve.js',
  'core/server/create-server.js',
  'core/kernel/construction/construct-contributions.js',
  'core/kernel/loading/import-entry.js',
  'core/kernel/construction/plugin-container.js',
  'core/pki/issue-certificate.js',
];

/** Controllers that one flag turns on. */
const controllerSet = 'cluster';

/**
 * What is loaded only with certain settings, or when it is first needed, but then much of it: each is one file too, of what the roots reach (in a folder, if one is named). What several
 * reach is in the first one's.
 */
const loadedTogether = (set) => ({
  pods: {roots: ['plugins/resources/core-pods/plugin.js'], folder: 'plugins'},
  'controller-families': {roots: set, folder: 'plugins/families'},
  [controllerSet]: {roots: set, folder: 'plugins/controllers'},
  'kube-apiserver': {roots: ['core/cli/kube-apiserver/run.js', 'core/cli/envtest/etcd-client.js']},
});

/** Stores that a start loads only where it is told to. */
const storesOnDemand = /^store-(?:redis|remote)$/;

/** Whether a start without settings loads the plugin: it is on, and so is something that it contributes. */
function isLoadedByStart({name, lazy, enabledByDefault, contributes = {}}) {
  if (lazy === true || enabledByDefault === false || storesOnDemand.test(name)) return false;
  return Object.values(contributes).some((classes) => Array.isArray(classes) && classes.some((each) => each.enabledByDefault !== false));
}

/** Whether the plugin is loaded once the set of controllers is turned on. */
function isOfSet({contributes = {}}) {
  return contributes.controllers?.some(({set}) => set === controllerSet) ?? false;
}

/** What code loads with `loadNow`, which a bundler does not see. */
const required = [
  'sdk/plugin/require-probe.js',
  'sdk/client/client.js',
  'core/api/cel/expression-scope.js',
  'core/api/cel/libraries/declarations.js',
  'core/api/cel/rule-set.js',
  'core/api/cel/evaluate-rules.js',
  'core/api/cel/rule-faults.js',
];

/** What plugins of others import by name (core/kernel/loading/offer-sdk.ts). */
const offered = /^(?:sdk\/(?:[a-z-]+\/)*index|sdk\/types\/.+|plugins\/families\/[a-z-]+\/[a-z-]+)\.js$/;

/** What only the package has: tests, and programs that embed Orch, import these by name. */
const forPrograms = /^(?:core\/server|testing(?:\/[a-z-]+)*)\/index\.js$/;

/** Packages with compiled code of the machine, and what only these use: they stay in node_modules. */
const external = /^(?:node:(?!http$)|lmdb$|lmdb\/|msgpackr|dtrace-provider$)/;
/**
 * Loaded only for what some settings ask for, or with `require` too: the package has them in node_modules already and need not have them twice.
 * Where there is no node_modules what is only imported is in the bundle.
 */
const onDemand = /^(?:js-yaml|redis)$/;
const requiredByName = /^(?:js-yaml|re2js)$/;

/** `import` reads all exports of a part of Node.js, and among those of `http` are getters that load its client for the web (docs/decisions/0020). */
const httpModule = 'orch:http';
const rootModule = 'orch:tree';

/** One module with the entry modules of all plugins that are loaded at once (core/kernel/manifests/manifest-index.ts): to find and read each costs more than what is in it. */
const entriesModule = 'orch:entries/';
const indexName = 'plugins/manifests.json';

/**
 * @param root the project's folder
 * @param out the folder with the compiled tree
 * @param target where the bundle is written to; what it does not have is removed there
 * @param minify for size: stack traces name functions still, but not lines
 */
export async function bundle(root, out, {target = join(out, 'bundle'), minify = false} = {}) {
  if (!existsSync(join(out, programs[0]))) return;
  const [{rolldown}, {minifySync}] = await Promise.all([import('rolldown'), import('rolldown/utils')]);
  const files = ['core', 'plugins', 'sdk', 'testing']
    .flatMap((folder) => filesIn(join(out, folder)))
    .map((file) => relative(out, file).split(sep).join('/'));
  const manifests = files
    .filter((file) => file.startsWith('plugins/') && file.endsWith('/plugin.json'))
    .map((file) => ({folder: dirname(file), manifest: JSON.parse(readFileSync(join(out, file), 'utf8'))}));
  const entryOf = ({folder, manifest}) => join(folder, manifest.entry).split(sep).join('/');
  const withCode = manifests.filter(({manifest}) => manifest.entry !== undefined);
  const atStart = withCode.filter(({manifest}) => isLoadedByStart(manifest));
  const ofSet = withCode.filter((plugin) => isOfSet(plugin.manifest) && !atStart.includes(plugin));
  const joined = {entries: atStart, [`${controllerSet}-entries`]: ofSet};
  const entries = [
    ...new Set([
      ...programs,
      beforeAll,
      ...required,
      ...files.filter((file) => offered.test(file) || (!minify && forPrograms.test(file))),
      ...withCode.map(entryOf),
    ]),
  ];
  const graph = new Map();
  const build = await rolldown({
    input: {
      ...Object.fromEntries(entries.map((file) => [file.replace(/\.js$/, ''), join(out, file)])),
      ...Object.fromEntries(Object.keys(joined).map((name) => [`plugins/${name}`, entriesModule + name])),
    },
    platform: 'node',
    external: (id) => external.test(id) || (minify ? requiredByName : onDemand).test(id),
    // What is in one file with its importer anyway need not be told.
    onLog: (level, log, print) => void (log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT' && print(level, log)),
    plugins: [
      treePlugin(out),
      entriesPlugin(out, joined, entryOf),
      ...(minify ? [] : [mapsPlugin(out)]),
      ...(minify ? [smallClient] : []),
      {name: 'graph', moduleParsed: ({id, importedIds}) => void graph.set(id, importedIds)},
    ],
  });
  const reach = (names) =>
    reachable(
      graph,
      names.map((name) => join(out, name)),
    );
  const together = loadedTogether(ofSet.map(entryOf));
  const within = (folder, ids) => (folder === undefined ? ids : new Set([...ids].filter((id) => id.startsWith(join(out, folder) + sep))));
  let groups;
  const sets = () =>
    (groups ??= {
      before: reach([beforeAll]),
      command: reach([
        'core/cli/run.js',
        'core/cli/envtest/etcd-main.js',
        'core/cli/workers/child-main.js',
        'core/cli/dev/server-main.js',
        'core/cli/checks/check-main.js',
      ]),
      server: reach([...loadedByStart, ...atStart.map(entryOf)]),
      ...Object.fromEntries(Object.entries(together).map(([name, {roots, folder}]) => [name, within(folder, reach(roots))])),
    });
  // Programs are not mixed with what they load when they have looked around.
  const apart = new Set(programs.filter((name) => name.endsWith('main.js')).map((name) => join(out, name)));
  // A module goes where the priority is highest; below 0 there is none.
  const kept = Object.keys(together).length;
  const group = (name) => ({name, test: (id) => !apart.has(id) && sets()[name].has(id)});
  const {output} = await build.generate({
    // Sources are named relative to it.
    dir: target,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    keepNames: true,
    minify,
    sourcemap: minify ? false : 'hidden',
    comments: {legal: false, annotation: false, jsdoc: false},
    codeSplitting: {
      groups: [
        {name: 'compile-cache', test: (id) => sets().before.has(id), priority: kept + 3},
        {...group('command'), priority: kept + 2},
        {...group('server'), priority: kept + 1},
        ...Object.keys(together).map((name, index) => ({...group(name), priority: kept - index})),
      ],
    },
  });
  await build.close();
  const texts = new Map(output.filter(({type}) => type === 'chunk').map(({fileName, code}) => [fileName, ascii(code)]));
  for (const {fileName, map} of output) if (map) addMap(texts, fileName, map);
  const copied = files.filter((file) => !/\.(?:js|d\.ts|map)$/.test(file));
  for (const file of copied) texts.set(file, smaller(file, readFileSync(join(out, file)), minifySync));
  texts.set(indexName, withJoined(texts.get(indexName), joined));
  texts.set('NOTICES.txt', notices(root, [...graph.keys()]));
  for (const [file, text] of texts) put(join(target, file), Buffer.from(text));
  for (const file of filesIn(target)) if (!texts.has(relative(target, file).split(sep).join('/'))) rmSync(file);
}

/** The name of a plugin's entry in the index of manifests. */
const manifestIn = (folder) => `${relative('plugins', folder).split(sep).join('/')}/plugin.json`;

function entriesPlugin(out, joined, entryOf) {
  const prefix = `\0${entriesModule}`;
  return {
    name: 'entries',
    resolveId: (wanted) => (wanted.startsWith(entriesModule) ? `\0${wanted}` : undefined),
    load(wanted) {
      if (!wanted.startsWith(prefix)) return undefined;
      const plugins = joined[wanted.slice(prefix.length)];
      const imports = plugins.map((plugin, index) => `import * as entry${index} from ${JSON.stringify(join(out, entryOf(plugin)))};`);
      const members = plugins.map(({folder}, index) => `${JSON.stringify(manifestIn(folder))}: entry${index}`);
      return `${imports.join('\n')}\nexport const entries = {${members.join(', ')}};\n`;
    },
  };
}

/** The index of manifests, which says of each plugin in which module its entry module is besides, if in any. */
function withJoined(text, joined) {
  const files = new Map(Object.entries(joined).flatMap(([name, plugins]) => plugins.map(({folder}) => [manifestIn(folder), `${name}.js`])));
  return JSON.stringify(JSON.parse(text).map((entry) => (files.has(entry.file) ? {...entry, joined: files.get(entry.file)} : entry)));
}

/** Of the package `redis` the store uses the client only, which is a package too; the rest are commands for modules of Redis. */
const smallClient = {
  name: 'small-client',
  resolveId(id, importer) {
    return id === 'redis' ? this.resolve('@redis/client', importer) : undefined;
  },
};

/** Adds the map of a file to the texts. A file of which nothing comes from the sources has an empty one. */
function addMap(texts, file, {version, names, mappings, sources, sourcesContent}) {
  const content = /[^;,]/.test(mappings)
    ? {names, mappings, sources, sourcesContent: sourcesContent.map((text, at) => (isShownSource(sources[at]) ? text : null))}
    : {names: [], mappings: '', sources: [], sourcesContent: []};
  texts.set(file, `${texts.get(file)}\n//# sourceMappingURL=${basename(file)}.map\n`);
  texts.set(`${file}.map`, JSON.stringify({version, file: basename(file), ...content}));
}

/** Maps lead to the sources of the compiled tree. What comes from packages is not mapped: their sources may be anywhere. */
function mapsPlugin(out) {
  return {
    name: 'maps',
    load(id) {
      if (id.startsWith('\0') || !/\.[cm]?js$/.test(id)) return undefined;
      const map = id.startsWith(out + sep) && existsSync(`${id}.map`) ? readFileSync(`${id}.map`, 'utf8') : undefined;
      if (map === undefined && !id.includes(`${sep}node_modules${sep}`)) return undefined;
      return {
        code: readFileSync(id, 'utf8'),
        map: map === undefined ? {version: 3, names: [], sources: [], mappings: ''} : JSON.parse(map),
      };
    },
  };
}

/** Modules find what is beside them in the bundle as they do in the compiled tree. */
function treePlugin(out) {
  return {
    name: 'tree',
    resolveId: (id) => (id === 'http' || id === 'node:http' ? `\0${httpModule}` : id === rootModule ? `\0${rootModule}` : undefined),
    // Of a chunk: all of them are in one folder.
    load(id) {
      if (id === `\0${httpModule}`) return {code: "module.exports = process.getBuiltinModule('node:http');", moduleType: 'js'};
      return id === `\0${rootModule}` ? 'export const inTree = (path) => new URL(`../${path}`, import.meta.url).href;' : undefined;
    },
    transform(code, id) {
      if (!id.startsWith(out + sep) || !code.includes('import.meta.url')) return undefined;
      const path = JSON.stringify(relative(out, id).split(sep).join('/'));
      // On the same line: lines keep their numbers.
      return {
        map: null,
        code: `import {inTree as __inTree} from '${rootModule}'; ${code.replaceAll('import.meta.url', `__inTree(${path})`)}`,
      };
    },
  };
}

/** V8 keeps the text in memory with one byte for each character; with a single one that needs two, all would take two. */
function ascii(code) {
  // It would be another text then.
  if (/\\[^\x00-\x7f]|String\.raw`[^`]*[^\x00-\x7f]/.test(code)) return code;
  return code.replaceAll(/[^\x00-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function reachable(graph, roots) {
  const found = new Set();
  const pending = [...roots];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    pending.push(...(graph.get(id) ?? []));
  }
  return found;
}

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, {withFileTypes: true}).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

/** What only programs read is written for them. */
function smaller(file, bytes, minifySync) {
  if (file.endsWith('.json')) return JSON.stringify(JSON.parse(bytes.toString('utf8')));
  return file.endsWith('.cjs') ? minifySync(file, bytes.toString('utf8')).code : bytes;
}

/** Files that stay as they are keep their times, and what was compiled of them. */
function put(file, bytes) {
  if (existsSync(file) && readFileSync(file).equals(bytes)) return;
  mkdirSync(dirname(file), {recursive: true});
  writeFileSync(file, bytes, {mode: file.endsWith(`${sep}main.js`) ? 0o755 : 0o644});
}
