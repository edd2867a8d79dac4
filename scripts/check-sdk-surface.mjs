// Compares what the package exports with docs/api/sdk.txt and docs/api/families.txt, where it is written down: every name of every module that can be
// imported, with its type, so that a change of the surface shows in the diff. docs/reference has the sdk with the docstrings, a page for each module.
// Reads the declarations that the compiler has written: build first.
//
//   node scripts/check-sdk-surface.mjs [--update] [--root DIR]
import './require-node.mjs';
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join, posix, relative, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {parseArgs} from 'node:util';
import {DeclarationFiles} from './published/declaration-files.mjs';
import {referenceFolder, referencePages} from './published/reference-pages.mjs';
import {shownDeclaration} from './published/shown-declaration.mjs';

const home = resolve(dirname(fileURLToPath(import.meta.url)), '..');
/** Made from the schemas, which docs/api has in files of their own. */
const generated = /(?:^|\/)sdk\/types\/(?:[^/]+\/|resources\.|\*)/;
const written = `without comments and private members. scripts/check-sdk-surface.mjs --update writes it.
Below each module stands what its declarations refer to without exporting it.
`;

/** The parts of the package, each with a file of its own: of which folders, whose declarations are shown with theirs. */
const parts = [
  {file: 'docs/api/sdk.txt', head: `What can be imported from the sdk, ${written}`, folders: ['sdk', 'testing'], reference: true},
  {
    file: 'docs/api/server.txt',
    head: `What can be imported from the package itself, ${written}`,
    folders: ['core'],
    // A server gives access to all of its parts, which are nobody's contract.
    opaqueClasses: true,
  },
  {
    file: 'docs/api/families.txt',
    head: `What plugins of a kind share and can import, ${written}`,
    folders: ['plugins/families'],
  },
];

/** Answers `{files, problems}`: files are modules. With `update` the file is written. */
export function checkSdkSurface(root, {update = false} = {}) {
  const all = publicModules(root);
  const texts = surfaceTexts(root, all);
  const problems = [];
  for (const [file, text] of texts) {
    const path = join(root, file);
    const recorded = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (recorded === text) continue;
    if (update) {
      mkdirSync(dirname(path), {recursive: true});
      writeFileSync(path, text);
    } else {
      const difference = firstDifference(recorded, text);
      problems.push(
        `${file}: not what can be imported now${difference}; npm exec -- node scripts/check-sdk-surface.mjs --update writes it`,
      );
    }
  }
  const folder = join(root, referenceFolder);
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (texts.has(`${referenceFolder}/${name}`)) continue;
    if (update) rmSync(join(folder, name));
    else
      problems.push(
        `${referenceFolder}/${name}: of a module that is gone; npm exec -- node scripts/check-sdk-surface.mjs --update removes it`,
      );
  }
  return {files: all.length, problems};
}

/** Where the compiler wrote, below a root. */
const outOf = (root) => relative(root, resolve(root, process.env.ORCH_OUT ?? 'dist'));

/** The modules that package.json exports, as `{name, file}`, generated ones aside. What several export is shown with the first. */
function publicModules(root) {
  const {name: packageName, exports} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const own = Object.entries(exports).filter(([, {types}]) => types !== undefined && !generated.test(types));
  return own
    .flatMap(([subpath, {types}]) => (subpath.includes('*') ? modulesOf(root, subpath, types) : [{subpath, types}]))
    .map(({subpath, types}) => ({name: posix.join(packageName, subpath), file: types.replace('./dist', outOf(root))}));
}

/** What a subpath with a `*` stands for. */
function modulesOf(root, subpath, types) {
  const [before, after] = types.split('*');
  const folder = join(root, before.replace('./dist', outOf(root)));
  if (!existsSync(folder)) return [];
  return readdirSync(folder, {recursive: true})
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith(after))
    .sort()
    .map((path) => ({subpath: subpath.replace('*', path.slice(0, -after.length)), types: `${before}${path}`}));
}

/** Whether a file of the compiler's is of a part. */
const isIn = (root, file, {folders}) => folders.some((folder) => file.startsWith(`${outOf(root)}/${folder}/`));

/** What is written down: path → text. */
function surfaceTexts(root, all) {
  const files = new DeclarationFiles(root);
  const texts = new Map();
  for (const part of parts) {
    const modules = all.filter(({file}) => isIn(root, file, part));
    if (modules.length > 0) for (const [path, text] of partTexts(root, files, part, modules)) texts.set(path, text);
  }
  return texts;
}

function partTexts(root, files, part, modules) {
  const {file: recordedFile, head, reference = false, opaqueClasses = false} = part;
  /** Declaration → the module under which it is shown. */
  const shown = new Map();
  const sections = modules.map(({name, file}) => ({name, exports: files.exportsOf(file)}));
  for (const {name, exports} of sections)
    for (const {declaration} of exports) if (declaration && !shown.has(declaration.id)) shown.set(declaration.id, name);
  const own = new Map(shown);
  const texts = sections.map(({name, exports}) => {
    const hidden = new Map();
    const lines = exports.map((entry) => exportText(entry, name, shown));
    const open = exports.map(({declaration}) => declaration).filter((declaration) => declaration && shown.get(declaration.id) === name);
    for (const declaration of open) {
      if (generated.test(declaration.file) || (opaqueClasses && declaration.kind === 'class')) continue;
      for (const other of files.referencesOf(declaration)) {
        if (shown.has(other.id) || generated.test(other.file) || !isIn(root, other.file, part)) continue;
        shown.set(other.id, name);
        hidden.set(other.id, other);
        open.push(other);
      }
    }
    const below = [...hidden.values()].sort((a, b) => (a.id < b.id ? -1 : 1)).map((declaration) => shownDeclaration(declaration));
    return [`# ${name}`, ...lines, ...(below.length > 0 ? [`## not exported by ${name}`, ...below] : [])].join('\n\n');
  });
  const pages = reference ? referencePages(sections, own, (file) => generated.test(file)) : [];
  return new Map([[recordedFile, `${head}\n${texts.join('\n\n')}\n`], ...pages]);
}

function exportText({name, typeOnly, declaration, from}, module, shown) {
  if (!declaration) return `${name}: from ${from}`;
  if (shown.get(declaration.id) !== module) return `${name}: as in ${shown.get(declaration.id)}`;
  if (generated.test(declaration.file)) return `${name}: generated from the schemas`;
  const renamed = declaration.name === name ? '' : `${name}: `;
  const classAsType = typeOnly && declaration.kind === 'class' ? 'type only: ' : '';
  return `${renamed}${classAsType}${shownDeclaration(declaration)}`;
}

function firstDifference(recorded, text) {
  if (recorded === '') return '';
  const [before, now] = [recorded.split('\n'), text.split('\n')];
  const line = now.findIndex((value, index) => value !== before[index]);
  return line === -1 ? ` (line ${now.length})` : ` (line ${line + 1}: ${JSON.stringify((now[line] ?? '').slice(0, 100))})`;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const {values} = parseArgs({options: {update: {type: 'boolean', default: false}, root: {type: 'string', default: home}}});
  const {files, problems} = checkSdkSurface(resolve(values.root), values);
  for (const problem of problems) console.log(problem);
  console.log(`surface: ${files} modules, ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
