// Makes the schema files of the built-in types from the tables in facts/.
//
//   node scripts/schemas/generate.mjs [--facts DIR] [--check] [--verbose]
//
// Writes sdk/schemas/*.json and plugins/resources/<group>/<version>.schema.json. With --check nothing is written: the exit
// code is 1 when a file is not what would be written.
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join, relative, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {addDescriptions, undescribed} from './add-descriptions.mjs';
import {defaultsOf, factsFolder, readTables} from './facts.mjs';
import {messageSchema} from './message-schema.mjs';
import {omitted} from './special-schemas.mjs';
import {applyStaticDefaults} from './static-defaults.mjs';
import {documentText} from './write-document.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const descriptionsFolder = join(dirname(fileURLToPath(import.meta.url)), 'descriptions');

const resourcesFolder = 'plugins/resources';

/** Files that no manifest refers to: of objects that are sent or read, and not served as resources. */
const furtherFiles = [
  'admission/v1.schema.json',
  'admission/v1beta1.schema.json',
  'apidiscovery/v2beta1.schema.json',
  'imagepolicy/v1alpha1.schema.json',
  'policy/v1beta1.schema.json',
].map((file) => join(resourcesFolder, file));

/** Types that every server publishes, whether or not the plugin of their group is there. */
const excerpts = {'sdk/schemas/autoscaling.v1.json': {id: 'autoscaling/v1', types: ['Scale', 'ScaleSpec', 'ScaleStatus']}};

/**
 * The documents by id, of all releases: what is not in each, or not the same, is marked (`core/api/schema/at-release.ts`).
 *
 * @param codeDefaults whether they have the defaults that code fills in, which no document of a server shows
 */
export function makeDocuments(facts, {codeDefaults = true} = {}) {
  const tables = readTables(facts);
  const documents = new Map();
  for (const table of tables.values()) {
    let document = documents.get(table.documentId);
    if (!document) {
      const [group, version] = table.documentId.split('/');
      document = {group: group === 'core' ? '' : group, version, semantics: 'typed', definitions: {}};
      documents.set(table.documentId, document);
    }
    for (const name of Object.keys(table.messages)) {
      if (!omitted.has(`${table.key}.${name}`)) document.definitions[name] = messageSchema(tables, table, name);
    }
  }
  const left = codeDefaults ? applyStaticDefaults(tables, documents, defaultsOf(tables)) : [];
  // Every template of an object repeats its metadata, where nobody sets the time: an absent one stays absent.
  documents.get('meta.orch/v1').definitions.ObjectMeta.properties.creationTimestamp['x-orch-presence'] = 'explicit';
  // The default is for autoscalers that name no policies; those with an empty list are refused.
  documents.get('autoscaling/v2').definitions.HPAScalingRules.properties.policies['x-orch-presence'] = 'explicit';
  addDescriptions(documents, readDescriptions());
  const missing = undescribed(documents);
  if (missing.length > 0) throw new Error(`scripts/schemas/descriptions has nothing on ${missing.join(', ')}`);
  return {documents, left, files: filesOf(tables, documents)};
}

function filesOf(tables, documents) {
  const files = new Map();
  const needed = neededFiles();
  for (const table of tables.values()) {
    const {definitions} = documents.get(table.documentId);
    if (table.isLibrary || Object.keys(definitions).length === 0) continue;
    const isMeta = table.documentId.startsWith('meta.orch/');
    const path = isMeta ? `sdk/schemas/meta.${table.version}.json` : `plugins/resources/${table.folder}/${table.version}.schema.json`;
    if (isMeta || needed.has(path)) files.set(path, documentText(documents.get(table.documentId)));
  }
  for (const [path, {id, types}] of Object.entries(excerpts)) {
    const {definitions, ...head} = documents.get(id);
    files.set(path, documentText({...head, definitions: Object.fromEntries(types.map((name) => [name, definitions[name]]))}));
  }
  return files;
}

/** The schema files of the group versions that manifests declare: of those that only later releases have there are none yet. */
function neededFiles() {
  const folders = readdirSync(join(root, resourcesFolder), {withFileTypes: true}).filter((entry) => entry.isDirectory());
  const manifests = folders.map(({name}) => join(resourcesFolder, name)).filter((folder) => existsSync(join(root, folder, 'plugin.json')));
  return new Set([
    ...furtherFiles,
    ...manifests.flatMap((folder) => {
      const text = readFileSync(join(root, folder, 'plugin.json'), 'utf8');
      return [...text.matchAll(/"([^"#]+\.schema\.json)#/g)].map(([, file]) => join(folder, file));
    }),
  ]);
}

/** The content of the description files by name. */
function readDescriptions() {
  const names = readdirSync(descriptionsFolder)
    .filter((name) => name.endsWith('.json'))
    .sort();
  return Object.fromEntries(names.map((name) => [name, JSON.parse(readFileSync(join(descriptionsFolder, name), 'utf8'))]));
}

function main() {
  const {values} = parseArgs({
    options: {
      facts: {type: 'string', default: factsFolder},
      check: {type: 'boolean', default: false},
      verbose: {type: 'boolean', default: false},
    },
  });
  const {files, left} = makeDocuments(resolve(values.facts));
  if (values.verbose)
    for (const rule of left)
      console.log(`left to a strategy: ${rule.table} ${rule.type} ${rule.path.join('.')} = ${JSON.stringify(rule.value)}`);
  const changed = [...files].filter(([path, text]) => !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text);
  for (const [path, text] of changed) {
    if (values.check) {
      console.log(
        `${relative(root, join(root, path))}: not what scripts/schemas/generate.mjs makes of the facts; npm exec -- node scripts/schemas/generate.mjs writes it`,
      );
    } else {
      mkdirSync(dirname(join(root, path)), {recursive: true});
      writeFileSync(join(root, path), text);
    }
  }
  console.log(`schemas: ${files.size} files, ${changed.length} ${values.check ? 'differ' : 'written'}`);
  if (values.check && changed.length > 0) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
