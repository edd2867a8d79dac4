import {realpathSync} from 'node:fs';
import {pathToFileURL} from 'node:url';
import type {FoundPlugin} from '../../kernel/manifests/read-manifest.js';
import type {PluginPlaces} from './loop-guard.js';

/** The folders of plugins as the engine calls them, inner ones first. */
export function placesOf(plugins: readonly Pick<FoundPlugin, 'name' | 'folder'>[]): PluginPlaces {
  return plugins
    .map(({name, folder}) => ({name, place: `${pathToFileURL(realpathSync(folder)).href}/`}))
    .sort((left, right) => right.place.length - left.place.length);
}
