import type {AuthorizationAttributes, NamingProfile} from '../../sdk/index.js';
import type {Permission} from '../../sdk/contracts/declared-account.js';
import type {PluginManifest} from '../../sdk/plugin/manifest.js';

const everything = '*';
const reading = ['get', 'list', 'watch'];

/** Whether a plugin asks for everything: then it acts as the server itself. */
export function asksForEverything({permissions = []}: PluginManifest): boolean {
  return permissions.some(({verbs, apiGroups, resources, resourceNames}) =>
    resourceNames ? false : [verbs, apiGroups, resources].every((words) => words.includes(everything)),
  );
}

/** Reading the types that a plugin contributes: its client may do that without asking anybody. */
export function ownTypes({contributes}: PluginManifest): Permission[] {
  const own = new Map<string, Set<string>>();
  for (const {group, names, versions} of contributes?.resources ?? []) {
    const resources = own.get(group) ?? new Set();
    own.set(group, resources.add(names.plural));
    for (const {subresources} of versions) for (const name of Object.keys(subresources ?? {})) resources.add(`${names.plural}/${name}`);
  }
  return [...own].map(([group, resources]) => ({verbs: reading, apiGroups: [group], resources: [...resources]}));
}

/** A permission of a manifest; the objects that it names are spelled as the platform spells them. */
export function withPlatformNames(permission: Permission, {key}: Pick<NamingProfile, 'key'>): Permission {
  const {resourceNames} = permission;
  return resourceNames ? {...permission, resourceNames: resourceNames.map((name) => key(name))} : permission;
}

/** Decides by permissions alone. */
export class PermissionRules {
  readonly #rules: readonly Permission[];

  constructor(permissions: readonly Permission[], naming: NamingProfile) {
    this.#rules = permissions.map((rule) => ({
      ...withPlatformNames(rule, naming),
      apiGroups: rule.apiGroups.map((group) => (group === everything ? group : naming.group(group))),
    }));
  }

  allows({verb, group, resource, subresource, name}: AuthorizationAttributes): boolean {
    const full = subresource === '' ? resource : `${resource}/${subresource}`;
    // The subresource of every type.
    const ofAny = subresource === '' ? full : `${everything}/${subresource}`;
    return this.#rules.some(
      ({verbs, apiGroups, resources, resourceNames}) =>
        has(verbs, verb) &&
        has(apiGroups, group) &&
        resources.some((each) => [everything, full, ofAny].includes(each)) &&
        (resourceNames === undefined || resourceNames.includes(name)),
    );
  }
}

function has(words: readonly string[], word: string): boolean {
  return words.includes(word) || words.includes(everything);
}
