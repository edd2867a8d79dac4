import type {Permission} from '../../sdk/contracts/declared-account.js';
import type {PluginManifest} from '../../sdk/plugin/manifest.js';
import {shownWord} from '../../sdk/values/shown-text.js';
import {asksForEverything} from './plugin-permissions.js';
import {groupResourceText} from '../../sdk/objects/group-version.js';

/** The permissions that a manifest asks for, one line each: account, verbs, resources. Unusual words are quoted. */
export function permissionLines(manifest: PluginManifest): string[] {
  const lines = asksForEverything(manifest) ? ['everything, as a part of the server'] : (manifest.permissions ?? []).map(permissionText);
  for (const {name, permissions = [], serviceAccount} of manifest.contributes?.controllers ?? []) {
    const who = `the controller ${name}`;
    if (serviceAccount === false) lines.push(`${who}: what the plugin may do`);
    for (const permission of permissions) lines.push(`${who}: ${permissionText(permission)}`);
  }
  return lines.length === 0 ? ['none but reading its own types'] : lines;
}

/** `get, list pods, deployments.apps named a, b` */
export function permissionText({verbs, apiGroups, resources, resourceNames}: Permission): string {
  const types = apiGroups.flatMap((group) => resources.map((resource) => groupResourceText({group, resource})));
  return `${words(verbs)} ${words(types)}${resourceNames ? ` named ${words(resourceNames)}` : ''}`;
}

function words(list: readonly string[]): string {
  return list.map((word) => shownWord(word)).join(', ');
}

/** How much a manifest asks for: `everything`, `own types`, `3 rules`. */
export function permissionsInShort(manifest: PluginManifest): string {
  if (asksForEverything(manifest)) return 'everything';
  const rules = [manifest, ...(manifest.contributes?.controllers ?? [])].flatMap(({permissions = []}) => permissions).length;
  return rules === 0 ? 'own types' : `${rules} ${rules === 1 ? 'rule' : 'rules'}`;
}
