// Removes from an output folder what no source stands for any more, so that a test that is gone does not run and a module that is
// gone cannot be imported. Called by scripts/build.mjs.
import {existsSync, readdirSync, rmdirSync, unlinkSync} from 'node:fs';
import {isAbsolute, join, relative, sep} from 'node:path';

/** What the compiler makes of `name.ts`. */
const compiled = /\.(?:js|d\.ts)(?:\.map)?$/;

/**
 * Why a folder cannot be written to: what is not made of sources is removed from it, so it may not hold any. Undefined when it can.
 *
 * @param sources names of the source folders below `root`
 */
export function outputFolderFault(root, out, sources) {
  if (!relative(out, root).startsWith('..') && !isAbsolute(relative(out, root))) return 'the output folder holds the project';
  const [first] = relative(root, out).split(sep);
  return sources.includes(first) ? `the output folder is in the source folder ${first}` : undefined;
}

/**
 * Removes files and folders below `out/SOURCE` for each of the source folders. A compiled file stays as long as there is its `.ts`,
 * any other one as long as there is a file of that path among the sources.
 *
 * @param made names of files that are made of something else, and stay
 * @returns the removed files, relative to `out`
 */
export function removeStale(root, out, sources, made = /^$/) {
  const removed = [];

  /** Whether the folder is empty now. */
  function clean(path) {
    let left = 0;
    for (const entry of readdirSync(join(out, path), {withFileTypes: true})) {
      const inner = `${path}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!clean(inner)) left += 1;
      } else if (made.test(entry.name) || hasSource(root, inner)) {
        left += 1;
      } else {
        unlinkSync(join(out, inner));
        removed.push(inner);
      }
    }
    if (left > 0) return false;
    rmdirSync(join(out, path));
    return true;
  }

  for (const source of sources) if (existsSync(join(out, source))) clean(source);
  return removed.sort();
}

function hasSource(root, path) {
  return existsSync(join(root, path)) || (compiled.test(path) && existsSync(join(root, path.replace(compiled, '.ts'))));
}
