// Checks the built-in plugins and writes what a start would have to find out about each of them: an index of their manifests, and validators of their
// settings. Called by scripts/build.mjs, after everything is compiled.
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

/** @returns whether the plugins are in order; what is wrong is printed */
export async function indexPlugins(out) {
  const root = join(out, 'plugins');
  if (!existsSync(root)) return true;
  const kernel = (path) => import(pathToFileURL(join(out, 'core/kernel', path)).href);
  const {PluginCatalogue} = await kernel('selection/plugin-catalogue.js');
  const {indexName, indexText} = await kernel('manifests/manifest-index.js');
  const {problemText} = await kernel('kernel-error.js');
  const {plugins, problems} = await PluginCatalogue.read({pluginRoots: [root], useIndex: false});
  for (const fault of problems) console.error(`build: ${problemText(fault)}`);
  for (const plugin of plugins) await writeValidator(plugin, await kernel('selection/settings-validator.js'));
  put(join(root, indexName), indexText(root, plugins));
  return problems.length === 0;
}

async function writeValidator({folder, manifest}, {settingsValidatorName, settingsValidation, closedSchema}) {
  if (manifest.config === undefined) return;
  const file = join(folder, settingsValidatorName);
  // The schema's own text stands in front: it is what the validator is compared with.
  const head = `// ${JSON.stringify(manifest.config)}\n`;
  if (existsSync(file) && readFileSync(file, 'utf8').startsWith(head)) return;
  const [{Ajv}, {default: standalone}] = await Promise.all([import('ajv'), import('ajv/dist/standalone/index.js')]);
  const ajv = new Ajv({...settingsValidation, inlineRefs: false, code: {source: true}});
  writeFileSync(file, head + (standalone.default ?? standalone)(ajv, ajv.compile(closedSchema(manifest.config))));
}

function put(file, text) {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}
