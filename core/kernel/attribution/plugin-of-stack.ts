import {realpathSync} from 'node:fs';
import {sep} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {LoadedPlugin} from '../manifests/loaded-plugin.js';

/**
 * Finds the plugin, of those that did not come with the program, whose code created an error, by its stack: for errors from timers and promises, where the caller is
 * unknown.
 */
export function pluginOfStack(error: unknown, plugins: readonly LoadedPlugin[]): string | undefined {
  const frames = (error instanceof Error ? (error.stack ?? '') : '').split('\n').filter((line) => /^\s+at /.test(line));
  if (frames.length === 0) return undefined;
  const foreign = plugins.filter(({enabled, source}) => enabled && source !== 'root').flatMap((plugin) => placesOf(plugin));
  // Of folders in folders the inner one.
  foreign.sort((left, right) => right.place.length - left.place.length);
  for (const frame of frames) {
    const found = foreign.find(({place}) => frame.includes(place));
    if (found) return found.name;
  }
  return undefined;
}

/** Its folder as stacks show it: without links, as a path and as an address. */
function placesOf({name, folder}: LoadedPlugin): {readonly name: string; readonly place: string}[] {
  try {
    const path = `${realpathSync(folder)}${sep}`;
    return [path, pathToFileURL(path).href].map((place) => ({name, place}));
  } catch {
    return [];
  }
}
