// Makes the TypeScript types of the built-in kinds from the schema files and the manifests of the plugins.
//
//   node scripts/generate-types.mjs [--check] [--root DIR]
//
// Writes sdk/types/<group>/<version>.ts, the same unchecked (sdk/types/unchecked), and sdk/types/resources.ts. With --check nothing is written: the exit code is 1
// when a file is not what would be written.
import './require-node.mjs';
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {parseArgs} from 'node:util';
import {newestRelease} from '../core/api/lifetimes/releases.ts';
import {withChanges} from '../core/api/schema/at-release.ts';
import {filesBelow} from './source-files.mjs';
import {documentText} from './types/document-text.mjs';
import {resourcesText} from './types/resources-text.mjs';
import {uncheckedText} from './types/unchecked-text.mjs';

const home = resolve(dirname(fileURLToPath(import.meta.url)), '..');

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** A schema with what any release has, since code is written for all of them. What is required, and always written, is so in the first one. */
function ofAllReleases({'x-orch-since': since, 'x-orch-until': until, 'x-orch-changes': changes = [], ...schema}) {
  const wider = changes.map(({required: _required, 'x-orch-presence': _presence, ...change}) => change);
  const {properties, ...rest} = withChanges(schema, wider, newestRelease);
  const releases = [since && `Since ${since}.`, until && `Gone in ${until}.`].filter(Boolean);
  return {
    ...rest,
    ...(releases.length > 0 ? {description: [rest.description, ...releases].filter(Boolean).join(' ')} : {}),
    ...(properties ? {properties: mapValues(properties, ofAllReleases)} : {}),
  };
}

function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}

/** All schema documents by id and the module that each becomes. Where two files share an id, both contribute. */
function readDocuments(root) {
  const documents = new Map();
  const paths = new Map();
  const add = (file, folder) => {
    const {definitions, ...head} = readJson(file);
    const document = {...head, definitions: mapValues(definitions, ofAllReleases)};
    const id = `${document.group === '' ? 'core' : document.group}/${document.version}`;
    const known = documents.get(id);
    documents.set(id, known ? {...known, definitions: {...document.definitions, ...known.definitions}} : document);
    if (!paths.has(id)) paths.set(id, `${folder}/${document.version}`);
  };
  const resources = join(root, 'plugins/resources');
  for (const folder of readdirSync(resources).sort()) {
    for (const file of readdirSync(join(resources, folder))
      .filter((name) => name.endsWith('.schema.json'))
      .sort())
      add(join(resources, folder, file), folder);
  }
  const shared = join(root, 'sdk/schemas');
  for (const file of readdirSync(shared)
    .filter((name) => name.endsWith('.json'))
    .sort())
    add(join(shared, file), file.split('.')[0]);
  return {documents, pathOf: (id) => paths.get(id)};
}

/** Resource definitions of all built-in plugins, whatever else those bring. */
function readResources(root) {
  const plugins = join(root, 'plugins');
  return filesBelow(plugins, /^plugin\.json$/).flatMap((path) => readJson(join(plugins, path)).contributes?.resources ?? []);
}

/** The files as they should be: path below `root` → text. */
export function makeTypes(root) {
  const {documents, pathOf} = readDocuments(root);
  const texts = [...documents.keys()].map((id) => [pathOf(id), documentText(documents, id, pathOf)]);
  const files = new Map(texts.map(([path, text]) => [`sdk/types/${path}.ts`, text]));
  for (const [path, text] of texts) files.set(`sdk/types/unchecked/${path}.ts`, uncheckedText(path, text));
  files.set('sdk/types/resources.ts', resourcesText(readResources(root), documents, pathOf));
  return files;
}

function main() {
  const {values} = parseArgs({options: {check: {type: 'boolean', default: false}, root: {type: 'string', default: home}}});
  const root = resolve(values.root);
  const files = makeTypes(root);
  const changed = [...files].filter(([path, text]) => !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text);
  const left = existsSync(join(root, 'sdk/types'))
    ? filesBelow(join(root, 'sdk/types'), /^v\d\w*\.ts$/)
        .map((path) => `sdk/types/${path}`)
        .filter((path) => !files.has(path))
    : [];
  if (values.check) {
    for (const [path] of changed)
      console.log(
        `${path}: not what scripts/generate-types.mjs makes of the schema files; npm exec -- node scripts/generate-types.mjs writes it`,
      );
    for (const path of left)
      console.log(`${path}: there is no schema file for it any more; npm exec -- node scripts/generate-types.mjs removes it`);
  } else {
    for (const [path, text] of changed) {
      mkdirSync(dirname(join(root, path)), {recursive: true});
      writeFileSync(join(root, path), text);
    }
    for (const path of left) rmSync(join(root, path));
  }
  const count = changed.length + left.length;
  console.log(`types: ${files.size} files, ${count} ${values.check ? 'differ' : 'written'}`);
  if (values.check && count > 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) main();
