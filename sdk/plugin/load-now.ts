import {readFileSync} from 'node:fs';
import Module from 'node:module';
import {fileURLToPath} from 'node:url';

/** What Node.js itself calls when it has read a file. */
interface Compilable {
  _compile(text: string, file: string, format: 'module'): void;
  exports: unknown;
}

/** Files of this program, of which there are only so many. */
const loaded = new Map<string, unknown>();

/**
 * Loads an ES module at once, in the middle of work that cannot wait: the same one that `import` of it gives, with the same copies of what it imports. `require` is not that everywhere: runners of
 * TypeScript (tsx, ts-node) replace it by one that makes other copies.
 *
 * @param place its file, one of this program's
 * @returns what it exports
 * @throws what the module throws; Error if it awaits something at its top
 */
export function loadNow(place: string | URL): unknown {
  const file = typeof place === 'string' ? place : fileURLToPath(place);
  if (loaded.has(file)) return loaded.get(file);
  const module = new Module(file) as unknown as Compilable;
  module._compile(readFileSync(file, 'utf8'), file, 'module');
  loaded.set(file, module.exports);
  return module.exports;
}
