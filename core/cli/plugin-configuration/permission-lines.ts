import type {ControllerPermission, PluginManifest} from '../../../sdk/plugin/manifest.js';
import {groupResourceText} from '../../../sdk/objects/group-version.js';

/** What a manifest asks for, one line each: who, verbs, resources. */
export function permissionLines(manifest: PluginManifest): string[] {
  const lines: string[] = [];
  for (const {name, permissions = [], serviceAccount} of manifest.contributes?.controllers ?? []) {
    const who = `the controller ${name}`;
    if (serviceAccount === false) lines.push(`${who}: everything`);
    for (const permission of permissions) lines.push(`${who}: ${permissionText(permission)}`);
  }
  return lines.length === 0 ? ['none'] : lines;
}

/** `get, list pods, deployments.apps named a, b` */
export function permissionText({verbs, apiGroups, resources, resourceNames}: ControllerPermission): string {
  const types = apiGroups.flatMap((group) => resources.map((resource) => groupResourceText({group, resource})));
  return `${verbs.join(', ')} ${types.join(', ')}${resourceNames ? ` named ${resourceNames.join(', ')}` : ''}`;
}
