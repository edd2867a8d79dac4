// What stands beside TypeScript (manifests, schemas, scripts) in the output folder. Called by scripts/build.mjs and scripts/build-rigs.mjs.
import {copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';

/** Files for the compiler and for readers. */
const left = /\.(ts|md)$|^tsconfig\.json$/;
/** What is made into files of another kind (scripts/console). */
const made = /^plugins\/console\/browser$/;

/** Copies files below `root/folder` to `out/folder` when they are new or changed. */
export function copyAssets(root, folder, out) {
  for (const entry of readdirSync(join(root, folder), {withFileTypes: true})) {
    const path = `${folder}/${entry.name}`;
    const [from, to] = [join(root, path), join(out, path)];
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules' && !made.test(path)) copyAssets(root, path, out);
    } else if (!left.test(entry.name)) {
      if (existsSync(to) && statSync(to).size === statSync(from).size && readFileSync(to).equals(readFileSync(from))) continue;
      mkdirSync(dirname(to), {recursive: true});
      copyFileSync(from, to);
    }
  }
}
