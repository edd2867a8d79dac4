import {readdir, readFile, realpath, stat} from 'node:fs/promises';
import {dirname, extname, join, relative, sep} from 'node:path';
import type {DeclaredView} from '../../../sdk/index.js';

/** What views are made of; nothing else is served. */
const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** Bounds for the files of one plugin. */
const mostFiles = 200;
const deepest = 5;
const largestBytes = 1024 * 1024;

export interface ViewFile {
  readonly type: string;
  readonly body: Buffer;
}

/**
 * The files of the views of plugins. A request is looked up in a table of what is in the folders of their modules; its path never becomes one of the file system, and links that lead
 * elsewhere are not followed.
 */
export class ViewFiles {
  readonly #views: readonly DeclaredView[];
  readonly #tables = new Map<string, Promise<ReadonlyMap<string, string>>>();

  constructor(views: readonly DeclaredView[]) {
    this.#views = views;
  }

  /** @param path `PLUGIN/views/colours.js` */
  async find(path: string): Promise<ViewFile | undefined> {
    const slash = path.indexOf('/');
    const plugin = path.slice(0, Math.max(0, slash));
    if (!this.#views.some((view) => view.plugin === plugin)) return undefined;
    let table = this.#tables.get(plugin);
    if (!table) this.#tables.set(plugin, (table = this.#tableOf(plugin)));
    const file = (await table).get(path.slice(slash + 1));
    if (file === undefined || (await stat(file)).size > largestBytes) return undefined;
    return {type: types[extname(file)]!, body: await readFile(file)};
  }

  async #tableOf(plugin: string): Promise<ReadonlyMap<string, string>> {
    const table = new Map<string, string>();
    for (const {folder, module} of this.#views.filter((view) => view.plugin === plugin)) {
      const root = await realpath(folder);
      const own = await realpath(join(root, dirname(module)));
      if (own === root || own.startsWith(root + sep)) await addFiles(table, root, own, deepest);
    }
    return table;
  }
}

/** Regular files by their path below the plugin's folder. */
async function addFiles(table: Map<string, string>, root: string, folder: string, depth: number): Promise<void> {
  for (const entry of await readdir(folder, {withFileTypes: true})) {
    if (table.size >= mostFiles) return;
    const path = join(folder, entry.name);
    if (entry.isDirectory() && depth > 0 && entry.name !== 'node_modules') await addFiles(table, root, path, depth - 1);
    else if (entry.isFile() && extname(entry.name) in types) table.set(relative(root, path).split(sep).join('/'), path);
  }
}
