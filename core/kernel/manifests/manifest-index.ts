import {readFileSync, realpathSync} from 'node:fs';
import {dirname, join, relative, sep} from 'node:path';
import type {PluginManifest} from '../../../sdk/plugin/manifest.js';
import type {PluginLocation} from './plugin-location.js';
import type {FoundPlugin} from './read-manifest.js';

/** The file in a plugin root that has the manifests of all its plugins, as they were when the build checked them. */
export const indexName = 'manifests.json';

interface IndexEntry {
  /** The manifest's file, relative to the root, with `/`. */
  readonly file: string;
  readonly manifest: PluginManifest;
  /** A module in the root that has entry modules of several plugins by their manifests' files, this one's too: one file to find and to read in place of many. */
  readonly joined?: string;
}

/**
 * The plugins of a root that a build has indexed; undefined for any other root. The index is trusted: searching and checking a hundred folders
 * takes a tenth of a second.
 */
export function readIndex(root: string): PluginLocation[] | undefined {
  let text;
  try {
    text = readFileSync(join(root, indexName), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
  const real = realpathSync(root);
  return (JSON.parse(text) as IndexEntry[]).map(({file, manifest, joined}) => {
    const path = join(real, file);
    const location: PluginLocation = {folder: dirname(path), file: path, source: 'root', built: manifest};
    return joined === undefined ? location : {...location, joined: {file: join(real, joined), name: file}};
  });
}

/** The contents of the index, for the build. */
export function indexText(root: string, plugins: readonly FoundPlugin[]): string {
  const real = realpathSync(root);
  const entries = plugins.map(({file, manifest}): IndexEntry => ({file: relative(real, file).split(sep).join('/'), manifest}));
  // As a search finds them, folder by folder: one whose name begins another's comes first.
  const place = ({file}: IndexEntry) => file.replaceAll('/', '\0');
  return `${JSON.stringify(entries.toSorted((left, right) => (place(left) < place(right) ? -1 : 1)))}\n`;
}
