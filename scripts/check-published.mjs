// Checks that nothing published is taken away: resources, fields, enumerated values and reserved keys (annotations among them) of a version
// that is not alpha stay as long as it is served. What is published stands in docs/api, one file for each group version.
//
//   node scripts/check-published.mjs [--update] [--root DIR] [--release MAJOR.MINOR]
//
// With --update additions are written to docs/api, and what is over is taken out; a loss is refused even then. The release is the one that
// core/api/lifetimes/releases.ts names.
import './require-node.mjs';
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {parseArgs} from 'node:util';
import {collectSurface} from './published/collect-surface.mjs';
import {lostFrom} from './published/compare-surfaces.mjs';

const home = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const folder = 'docs/api';
const keysFile = 'reserved-keys.json';

/** Answers `{files, problems}`; with `update` the files are written unless something is lost. */
export function checkPublished(root, {update = false, release = promiseRelease(root)} = {}) {
  const present = collectSurface(root);
  const recorded = readRecorded(root);
  const problems = lostFrom(recorded.surface, present, release);
  const files = textsOf(present);
  if (problems.length > 0)
    return {
      files: files.size,
      problems: [...problems, 'what is published stays as long as its version is served: bring it back, or raise the version'],
    };
  const changed = [...files].filter(([name, text]) => recorded.texts.get(name) !== text).map(([name]) => name);
  const left = [...recorded.texts.keys()].filter((name) => !files.has(name));
  if (!update)
    return {
      files: files.size,
      problems: [...changed, ...left].map(
        (name) => `${folder}/${name}: not what is there now; npm exec -- node scripts/check-published.mjs --update writes it`,
      ),
    };
  mkdirSync(join(root, folder), {recursive: true});
  for (const name of changed) writeFileSync(join(root, folder, name), files.get(name));
  for (const name of left) rmSync(join(root, folder, name));
  return {files: files.size, problems};
}

function readRecorded(root) {
  const names = existsSync(join(root, folder)) ? readdirSync(join(root, folder)).filter((name) => name.endsWith('.json')) : [];
  const texts = new Map(names.map((name) => [name, readFileSync(join(root, folder, name), 'utf8')]));
  const surface = {groupVersions: {}, keys: {}};
  for (const [name, text] of texts) {
    const {groupVersion, ...content} = JSON.parse(text);
    if (name === keysFile) surface.keys = content.keys;
    else surface.groupVersions[groupVersion] = content;
  }
  return {texts, surface};
}

/** File → text, one line for each field. */
function textsOf({groupVersions, keys}) {
  const text = (content) => `${JSON.stringify(content, null, 1)}\n`;
  const files = Object.entries(groupVersions).map(([id, content]) => [
    `${id.replace('/', '.')}.json`,
    text({groupVersion: id, ...content}),
  ]);
  return new Map([...files, [keysFile, text({keys})]]);
}

function promiseRelease(root) {
  const source = readFileSync(join(root, 'core/api/lifetimes/releases.ts'), 'utf8');
  return /^export const promiseRelease = '(\d+\.\d+)';$/m.exec(source)[1];
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const {values} = parseArgs({
    options: {update: {type: 'boolean', default: false}, root: {type: 'string', default: home}, release: {type: 'string'}},
  });
  const {files, problems} = checkPublished(resolve(values.root), values);
  for (const problem of problems) console.log(problem);
  console.log(`published: ${files} files, ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
