import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

/**
 * The folder of this package: the nearest one above the compiled code with a `package.json`. The same in every layout
 * (`dist`, another output folder, an installed package).
 */
export const packageRoot: string = findRoot();

function findRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('no package.json was found above the compiled kernel');
    folder = parent;
  }
  return folder;
}
