/** Priority of a group among groups, and of a version among those of its group. Higher comes first. */
export interface Priority {
  readonly group: number;
  readonly version: number;
}

/** Groups of the platform in the neutral form, with their priority and those of their versions. */
const known: Readonly<Record<string, readonly [group: number, versions: Readonly<Record<string, number>>]>> = {
  '': [18_000, {v1: 1}],
  apps: [17_800, {v1: 15}],
  'events.orch': [17_750, {v1: 15, v1beta1: 5}],
  'authentication.orch': [17_700, {v1: 15, v1beta1: 9, v1alpha1: 1}],
  'authorization.orch': [17_600, {v1: 15}],
  autoscaling: [17_500, {v1: 15, v2: 30, v2beta1: 9, v2beta2: 1}],
  batch: [17_400, {v1: 15, v1beta1: 9}],
  'certificates.orch': [17_300, {v1: 15, v1beta1: 9, v1alpha1: 1}],
  'networking.orch': [17_200, {v1: 15, v1beta1: 9, v1alpha1: 1}],
  policy: [17_100, {v1: 15, v1beta1: 9}],
  'rbac.authorization.orch': [17_000, {v1: 15}],
  'storage.orch': [16_800, {v1: 15, v1beta1: 9, v1alpha1: 1}],
  'apiextensions.orch': [16_700, {v1: 15}],
  'admissionregistration.orch': [16_700, {v1: 15, v1beta1: 12, v1alpha1: 9}],
  'scheduling.orch': [16_600, {v1: 15, v1alpha2: 9, v1alpha1: 9}],
  'coordination.orch': [16_500, {v1: 15, v1beta1: 13, v1alpha2: 12, v1alpha1: 9}],
  'node.orch': [16_300, {v1: 15, v1beta1: 9, v1alpha1: 1}],
  'discovery.orch': [16_200, {v1: 15, v1beta1: 12}],
  'flowcontrol.apiserver.orch': [16_100, {v1: 21, v1beta3: 18, v1beta2: 15, v1beta1: 12, v1alpha1: 9}],
  'internal.apiserver.orch': [16_000, {v1alpha1: 9}],
  'resource.orch': [16_200, {v1: 21, v1beta2: 15, v1beta1: 9, v1alpha3: 1, v1alpha2: 9, v1alpha1: 9}],
  'storagemigration.orch': [15_800, {v1beta1: 9, v1alpha1: 9}],
};

/** Versions that stood in another place than their group does since. */
const elsewhere: Readonly<Record<string, number>> = {'resource.orch/v1alpha1': 15_900, 'resource.orch/v1alpha2': 15_900};

export const knownGroups: readonly string[] = Object.keys(known);

/** Of everything else: groups of definitions and of plugins. */
const custom: Priority = {group: 1000, version: 100};

/** The priorities of a group version. @param group in the neutral form */
export function priorityOf(group: string, version: string): Priority {
  const found = Object.hasOwn(known, group) ? known[group] : undefined;
  return found ? {group: elsewhere[`${group}/${version}`] ?? found[0], version: found[1][version] ?? custom.version} : custom;
}
