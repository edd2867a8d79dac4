/** A kind in one version of one API group; the core group is the empty string. */
export interface GroupVersionKind {
  group: string;
  version: string;
  kind: string;
}

/** A resource type (the name used in paths) in one version of one API group. */
export interface GroupVersionResource {
  group: string;
  version: string;
  resource: string;
}

/** A resource type whatever its version: `plural.group`, or `plural` alone in the core group. */
export interface GroupResource {
  group: string;
  resource: string;
}

/** The `apiVersion` of a group version: `v1` for the core group, else `group/version`. */
export function apiVersionOf(target: {group: string; version: string}): string {
  return target.group === '' ? target.version : `${target.group}/${target.version}`;
}

/** Splits an `apiVersion`. Returns undefined if it has more than one slash or an empty version. */
export function parseApiVersion(apiVersion: string): {group: string; version: string} | undefined {
  const parts = apiVersion.split('/');
  if (parts.length === 1 && parts[0]) return {group: '', version: parts[0]};
  if (parts.length === 2 && parts[0] && parts[1]) return {group: parts[0], version: parts[1]};
  return undefined;
}

/** The text form of a resource type: `plural.group`, or `plural` in the core group. */
export function groupResourceText(target: GroupResource): string {
  return target.group === '' ? target.resource : `${target.resource}.${target.group}`;
}
