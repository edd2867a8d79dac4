import {createRequire} from 'node:module';
import {fileURLToPath} from 'node:url';

/** A module that nothing but the comparison below loads, and that loads nothing. */
const probe = new URL('require-probe.js', import.meta.url);
const load = createRequire(import.meta.url);
/** Modules of this program by URL, where `require` would make copies of them. */
const imported = new Map<string, unknown>();
let requireShares: Promise<boolean> | undefined;

/**
 * Loads an ES module in the middle of work that cannot wait: the one that `import` of it gives.
 *
 * @param place of this program, passed to `prepareToLoad` before
 * @returns what it exports
 * @throws what the module throws; Error if it awaits something at its top
 */
export function loadNow(place: URL): unknown {
  return imported.get(place.href) ?? load(fileURLToPath(place));
}

/**
 * Imports what `loadNow` will be asked for where `require` is not Node's own: runners of TypeScript (tsx, ts-node) replace it by one that gives other copies of modules than
 * `import`. Elsewhere modules are loaded when they are needed.
 */
export async function prepareToLoad(places: readonly URL[]): Promise<void> {
  if (await (requireShares ??= sharesModules())) return;
  await Promise.all(places.map(async ({href}) => void imported.set(href, (await import(href)) as unknown)));
}

async function sharesModules(): Promise<boolean> {
  const {marker} = (await import(probe.href)) as typeof import('./require-probe.js');
  try {
    return (load(fileURLToPath(probe)) as typeof import('./require-probe.js')).marker === marker;
  } catch {
    return false;
  }
}
