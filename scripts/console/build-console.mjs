// Makes the pages of the console (plugins/console/browser) into files that the plugin serves: scripts in few parts, styles, the page, each compressed and under a name that
// changes with its contents, and a table of them. Called by scripts/build.mjs.
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {brotliCompress, constants} from 'node:zlib';
import {notices, packagesOf} from '../package/notices.mjs';
import {runCompiler} from '../run-compiler.mjs';

/** What is made: for scripts/remove-stale.mjs. */
export const consoleFiles = /\.br$|^table\.json$|^NOTICES\.txt$|^packages\.json$/;

/** Most bytes, compressed, of what a browser loads before it shows anything. */
const firstLoad = 300 * 1024;

const types = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  html: 'text/html; charset=utf-8',
};

/**
 * @param isChecked whether types are checked
 * @param say gets what is wrong
 * @returns whether the pages are in order
 */
export async function buildConsole(root, out, {isChecked = true, say = console.error} = {}) {
  const sources = join(root, 'plugins/console/browser');
  if (!existsSync(sources)) return true;
  const checked = isChecked ? await runCompiler(root, ['-p', sources]) : {isInOrder: true, said: ''};
  if (checked.said !== '') say(checked.said);
  if (!checked.isInOrder) return false;
  const {chunks, modules} = await bundleScripts(sources);
  const main = chunks.find(({isEntry, name}) => isEntry && name === 'main');
  const files = new Map(chunks.map(({fileName, code}) => [fileName, code]));
  const put = (name, text) => {
    const [stem, ending] = name.split('.');
    const path = `assets/${stem}-${hashOf(text).slice(0, 8)}.${ending}`;
    files.set(path, text);
    return path;
  };
  const named = {
    'main.js': main.fileName,
    'first.js': main.imports[0],
    'frame.js': chunks.find(({isEntry, name}) => isEntry && name === 'frame').fileName,
    'style.css': put('style.css', styleText(root, sources)),
    'icon.svg': put('icon.svg', readFileSync(join(sources, 'icon.svg'), 'utf8').trim()),
  };
  for (const page of ['index.html', 'frame.html'])
    files.set(
      page,
      readFileSync(join(sources, page), 'utf8').replaceAll(/\{\{([^}]+)\}\}/g, (_, name) => named[name]),
    );
  const sizes = await write(join(out, 'plugins/console/server/files'), files, notices(root, modules), packagesOf(modules));
  const {'frame.js': _frame, ...ofPage} = named;
  const first = new Set(['index.html', ...Object.values(ofPage), ...importsOf(chunks, main.fileName)]);
  const bytes = [...first].reduce((sum, path) => sum + sizes.get(path), 0);
  if (bytes <= firstLoad) return true;
  say(`build: the console loads ${bytes} bytes before it shows anything, more than ${firstLoad}`);
  return false;
}

async function bundleScripts(sources) {
  const {rolldown} = await import('rolldown');
  const graph = new Map();
  const entry = join(sources, 'main.tsx');
  // In one file, which compresses best and is asked for with the page.
  let first;
  const isFirst = (id) => id !== entry && (first ??= reachable(graph, entry)).has(id);
  const build = await rolldown({
    input: {main: entry, frame: join(sources, 'frame/frame.ts')},
    platform: 'browser',
    transform: {define: {'process.env.NODE_ENV': '"production"'}},
    plugins: [{name: 'graph', moduleParsed: ({id, importedIds}) => void graph.set(id, importedIds)}],
  });
  const {output} = await build.generate({
    format: 'esm',
    entryFileNames: 'assets/[name]-[hash].js',
    chunkFileNames: 'assets/[name]-[hash].js',
    codeSplitting: {groups: [{name: 'first', test: isFirst}]},
    minify: true,
    comments: {legal: false, annotation: false, jsdoc: false},
  });
  await build.close();
  // The chart's styles belong to its package.
  return {chunks: output.filter(({type}) => type === 'chunk'), modules: [...graph.keys()]};
}

/** Modules that come with one, by imports that are no calls. */
function reachable(graph, root) {
  const found = new Set();
  const pending = [root];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    pending.push(...(graph.get(id) ?? []));
  }
  return found;
}

/** What a script loads with itself, directly or not. */
function importsOf(chunks, name, seen = new Set()) {
  for (const other of chunks.find(({fileName}) => fileName === name).imports) {
    if (seen.has(other)) continue;
    seen.add(other);
    importsOf(chunks, other, seen);
  }
  return [...seen];
}

/** All styles in one file, the chart's first: ours win. Comments and indentation are left out. */
function styleText(root, sources) {
  const folder = join(sources, 'styles');
  const own = readdirSync(folder).map((name) => join(folder, name));
  return [join(root, 'node_modules/uplot/dist/uPlot.min.css'), ...own.sort()]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\s*\n\s*/g, '');
}

/** @returns compressed sizes by path */
async function write(folder, files, licences, packages) {
  mkdirSync(folder, {recursive: true});
  const table = [];
  const sizes = new Map();
  const made = new Set(['table.json', 'NOTICES.txt', 'packages.json']);
  const compress = promisify(brotliCompress);
  const compressed = [...files].map(async ([path, text]) => {
    const params = {[constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: text.length};
    return [path, text, await compress(text, {params})];
  });
  for (const [path, text, bytes] of await Promise.all(compressed)) {
    const tag = hashOf(text).slice(0, 16);
    const file = `${path.slice(path.lastIndexOf('/') + 1)}.br`;
    putFile(join(folder, file), bytes);
    made.add(file);
    sizes.set(path, bytes.length);
    table.push({path, file, type: types[path.slice(path.lastIndexOf('.') + 1)], tag});
  }
  putFile(join(folder, 'table.json'), Buffer.from(`${JSON.stringify(table)}\n`));
  putFile(join(folder, 'NOTICES.txt'), Buffer.from(licences));
  // For the bill of materials (scripts/sbom.mjs).
  putFile(join(folder, 'packages.json'), Buffer.from(`${JSON.stringify(packages, null, 2)}\n`));
  for (const name of readdirSync(folder)) if (!made.has(name)) rmSync(join(folder, name));
  return sizes;
}

function hashOf(text) {
  return createHash('sha256').update(text).digest('hex');
}

/** Files that stay as they are keep their times. */
function putFile(path, bytes) {
  if (!existsSync(path) || !readFileSync(path).equals(bytes)) writeFileSync(path, bytes);
}
