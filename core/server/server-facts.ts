import {basename} from 'node:path';
import type {PluginFact, StoreFact} from '../../sdk/index.js';
import {permissionLines} from '../controllers/permission-lines.js';
import {contributionList} from '../kernel/manifests/contribution-list.js';
import type {LoadedPlugin} from '../kernel/manifests/loaded-plugin.js';
import {classified, withPassword} from '../options/flags/flag-values.js';
import {shownSettings} from '../options/flags/shown-settings.js';
import type {Prepared} from './prepare.js';

/** Every plugin with what it contributes and its settings. */
export function pluginFacts(plugins: readonly LoadedPlugin[]): readonly PluginFact[] {
  return plugins.map((plugin) => {
    const {name, manifest, enabled, why, config} = plugin;
    return {
      name,
      version: manifest.version,
      description: manifest.description,
      enabled,
      why,
      origin: originOf(plugin),
      contributes: contributionList(manifest),
      permissions: permissionLines(manifest),
      settings: shownSettings(config, manifest.config?.properties),
    };
  });
}

function originOf({source, file, folder, package: from}: LoadedPlugin): string {
  if (source === 'root') return 'built in';
  if (from !== undefined) return `package ${from}`;
  return `${basename(file) === 'plugin.json' ? 'folder' : 'module'} ${folder}`;
}

/** How the store is followed, and what history it has. */
export function storeFact(url: string, {store, storage}: Pick<Prepared, 'store' | 'storage'>): StoreFact {
  return {
    store: withPassword.test(url) ? classified : url,
    durability: store.durability,
    epoch: store.epoch,
    shards: storage.health().shards.map(({shard, following, revision, epochChanges, breaks}) => ({
      shard,
      following,
      revision,
      epochChanges,
      breaks,
    })),
    lineages: store.lineages?.() ?? [],
  };
}
