// Which files the checks look at.
import {readdirSync} from 'node:fs';
import {join} from 'node:path';

const skippedFolders = new Set(['node_modules', 'dist', 'build', 'bench-results']);

/**
 * Paths of all files below `root` (relative, with slashes, sorted) whose name matches `pattern`. Output folders, installed
 * packages and hidden files and folders are left out, but `.ci` is not.
 */
export function filesBelow(root, pattern) {
  const found = [];
  const walk = (folder, prefix) => {
    for (const entry of readdirSync(folder, {withFileTypes: true})) {
      if (skippedFolders.has(entry.name) || (entry.name.startsWith('.') && entry.name !== '.ci')) continue;
      const path = prefix + entry.name;
      if (entry.isDirectory()) walk(join(folder, entry.name), `${path}/`);
      else if (entry.isFile() && pattern.test(entry.name)) found.push(path);
    }
  };
  walk(root, '');
  return found.sort();
}
