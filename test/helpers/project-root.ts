import {existsSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

let found: string | undefined;

/** The folder of this project's `package.json`, wherever the compiled code stands. Throws when there is none above it. */
export function projectRoot(): string {
  if (found) return found;
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && (JSON.parse(readFileSync(manifest, 'utf8')) as {name?: string}).name === '@orch-api/orch') {
      found = folder;
      return folder;
    }
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`no package.json of orch above ${fileURLToPath(import.meta.url)}`);
    folder = parent;
  }
}
