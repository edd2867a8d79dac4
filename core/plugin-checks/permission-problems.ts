import type {ResourceDefinition} from '../../sdk/index.js';
import type {Permission} from '../../sdk/contracts/declared-account.js';
import type {KernelProblem} from '../kernel/kernel-error.js';
import type {FoundPlugin} from '../kernel/manifests/read-manifest.js';
import {nearestName} from '../kernel/nearest-name.js';
import {serverProblem} from '../configuration/error-catalogue.js';

/** What anybody is ever asked for: the verbs of requests, and those that Kubernetes asks about beside them. */
const verbs = [
  ...['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'],
  ...['approve', 'attest', 'bind', 'escalate', 'impersonate', 'sign', 'use', '*'],
];

/** What nobody serves and rights are asked for, as `approve` is among verbs, each with a type of its group: parts of the status of claims for devices, and signers of certificates. */
const onlyAsked: Readonly<Record<string, string>> = {
  'resourceclaims/binding': 'resourceclaims',
  'resourceclaims/driver': 'resourceclaims',
  signers: 'certificatesigningrequests',
};

interface PlacedPermission {
  readonly permission: Permission;
  readonly path: string;
}

/** Verbs in the permissions of a plugin that nothing ever asks for. */
export function verbProblems({name, file, manifest}: FoundPlugin): KernelProblem[] {
  return permissionsOf({manifest}).flatMap(({permission, path}) =>
    permission.verbs.flatMap((verb, index) => {
      if (verbs.includes(verb)) return [];
      const meant = nearestName(verb, verbs);
      const detail = `asks for the verb ${JSON.stringify(verb)}, which there is not${meant === undefined ? '' : `; did you mean ${meant}?`}`;
      return [serverProblem('CONTRIBUTION_INVALID', {detail}, {plugin: name, file, path: `${path}.verbs[${index}]`})];
    }),
  );
}

/**
 * What the permissions of a plugin name and none of these types is, one sentence each. It is no fault: a definition may bring the type later, and another server may have
 * other plugins.
 */
export function unservedPermissions(plugin: Pick<FoundPlugin, 'manifest'>, definitions: readonly ResourceDefinition[]): string[] {
  const plurals = new Map<string, Set<string>>();
  for (const {group, names, versions} of definitions) {
    const known = plurals.get(group) ?? new Set<string>();
    plurals.set(group, known.add(names.plural));
    for (const {subresources} of versions) for (const name of Object.keys(subresources ?? {})) known.add(`${names.plural}/${name}`);
  }
  return permissionsOf(plugin).flatMap(({permission: {apiGroups, resources}, path}) => {
    const groups = apiGroups.filter((group) => group !== '*');
    const unknown = groups.filter((group) => !plurals.has(group));
    const names = new Set(groups.flatMap((group) => [...(plurals.get(group) ?? [])]));
    // Of all groups there may be any type: plugins bring some when they run.
    const isKnown = !apiGroups.includes('*') && unknown.length < groups.length;
    const missing = isKnown ? resources.filter((each) => !isServed(each, names)) : [];
    return [
      ...unknown.map((group) => `no plugin serves the group ${JSON.stringify(group)}${hint(group, plurals.keys())} (${path}.apiGroups)`),
      ...missing.map((each) => `no plugin serves ${each} in ${groupsText(apiGroups)}${hint(each, names)} (${path}.resources)`),
    ];
  });
}

/** Every permission that a manifest asks for, with its place. */
function permissionsOf({manifest}: Pick<FoundPlugin, 'manifest'>): PlacedPermission[] {
  const placed = (permissions: readonly Permission[] = [], path: string) =>
    permissions.map((permission, index) => ({permission, path: `${path}[${index}]`}));
  return [
    ...placed(manifest.permissions, 'permissions'),
    ...(manifest.contributes?.controllers ?? []).flatMap(({permissions}, index) =>
      placed(permissions, `contributes.controllers[${index}].permissions`),
    ),
  ];
}

function isServed(resource: string, names: ReadonlySet<string>): boolean {
  if (resource === '*' || names.has(resource)) return true;
  if (Object.hasOwn(onlyAsked, resource)) return names.has(onlyAsked[resource]!);
  const [plural, subresource] = resource.split('/');
  if (plural === '*') return [...names].some((name) => name.endsWith(`/${subresource}`));
  return subresource === '*' && names.has(plural!);
}

function groupsText(groups: readonly string[]): string {
  return groups.map((group) => (group === '' ? 'the core group' : group)).join(', ');
}

function hint(name: string, known: Iterable<string>): string {
  const meant = nearestName(name, known);
  return meant === undefined || meant === '' ? '' : `; did you mean ${meant}?`;
}
