import {dnsLabelFaults, type FeatureGates, type FieldPath, type NamingProfile, type ObjectMeta} from '../../../sdk/index.js';
import {isGiven, sameValue} from '../../../sdk/validation/index.js';
import type {Container, PodAffinity, PodSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {addressWarnings} from './address-warnings.js';
import {allContainers} from './all-containers.js';
import {appArmorProfileOf} from './app-armor.js';
import {byteWarnings} from '../volumes/byte-warnings.js';
import {containerWarnings, portWarnings} from './container-warnings.js';
import {labelValueWarnings, nodeExpressionWarnings, nodeLabelAdvice} from './node-label-warnings.js';
import {volumeWarnings} from './volume-warnings.js';

/** A pod, or a template of pods. */
interface PodLike {
  readonly metadata?: Partial<ObjectMeta> | null;
  readonly spec?: PodSpec | null;
}

interface WarningRules {
  readonly naming: NamingProfile;
  readonly gates: FeatureGates;
}

/** Annotations that have no effect any more, in the neutral form. */
const oldAnnotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.orch/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.orch/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.orch/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
};

/**
 * Warnings about settings of a pod, or of a template, that are allowed but probably mistakes, in Kubernetes' words.
 *
 * @param path of the pod or template; the root for a pod
 */
export function podWarnings({metadata, spec}: PodLike, path: FieldPath, {naming, gates}: WarningRules): string[] {
  if (!spec) return [];
  const at = path.child('spec');
  const containers = allContainers(spec, at);
  return [
    ...placementWarnings(spec, at, naming),
    ...annotationWarnings(metadata?.annotations ?? {}, path.child('metadata', 'annotations'), naming),
    ...volumeWarnings(spec.volumes ?? [], at.child('volumes'), gates),
    ...repeated(spec.hostAliases, 'ip', at.child('hostAliases')),
    ...repeated(spec.imagePullSecrets, 'name', at.child('imagePullSecrets')),
    ...(spec.imagePullSecrets ?? []).flatMap(({name}, index) =>
      name ? [] : [`${at.child('imagePullSecrets').index(index).child('name').toString()}: invalid empty name ""`],
    ),
    ...byteWarnings(spec.overhead, at.child('overhead')),
    ...profileWarnings({metadata, spec}, path, containers, {naming, gates}),
    ...containers.flatMap(({container, at: place}) => containerWarnings(container, place)),
    ...portWarnings(containers),
    ...periodWarnings(spec, at),
    ...affinityWarnings(spec.affinity?.podAffinity, at.child('affinity', 'podAffinity')),
    ...affinityWarnings(spec.affinity?.podAntiAffinity, at.child('affinity', 'podAntiAffinity')),
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((server, index) =>
      addressWarnings(server, at.child('dnsConfig', 'nameservers').index(index)),
    ),
    ...(spec.hostAliases ?? []).flatMap(({ip}, index) => addressWarnings(ip, at.child('hostAliases').index(index).child('ip'))),
  ];
}

/** The warning about a name that pods have as host names, and that is no DNS label. @param use what the name is used in, in Kubernetes' words */
export function hostNameWarnings(name: string | undefined, use = 'Pod names and hostnames'): string[] {
  const faults = dnsLabelFaults(name ?? '');
  if (faults.length === 0) return [];
  const advice = `this is used in ${use}, which can result in surprising behavior; a DNS label is recommended`;
  return [`metadata.name: ${advice}: [${faults.join(' ')}]`];
}

/** Labels of nodes that are deprecated, and selectors that are null. */
function placementWarnings({nodeSelector, affinity, topologySpreadConstraints}: PodSpec, path: FieldPath, naming: NamingProfile): string[] {
  const ofSelector = Object.keys(nodeSelector ?? {}).flatMap((label) => {
    const advice = nodeLabelAdvice(label, naming);
    return advice === undefined ? [] : [`${path.child('nodeSelector').key(label).toString()}: ${advice}`];
  });
  const {requiredDuringSchedulingIgnoredDuringExecution: required, preferredDuringSchedulingIgnoredDuringExecution: preferred} =
    affinity?.nodeAffinity ?? {};
  const nodePath = path.child('affinity', 'nodeAffinity');
  const terms = nodePath.child('requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms');
  const ofRequired = (required?.nodeSelectorTerms ?? []).flatMap(({matchExpressions}, index) =>
    nodeExpressionWarnings(matchExpressions, terms.index(index).child('matchExpressions'), naming),
  );
  const ofPreferred = (preferred ?? []).flatMap(({preference}, index) => {
    const at = nodePath.child('preferredDuringSchedulingIgnoredDuringExecution').index(index).child('preference', 'matchExpressions');
    const expressions = preference?.matchExpressions;
    return [...nodeExpressionWarnings(expressions, at, naming), ...labelValueWarnings(expressions, at)];
  });
  const ofTopology = (topologySpreadConstraints ?? []).flatMap(({topologyKey = '', labelSelector}, index) => {
    const at = path.child('topologySpreadConstraints').index(index);
    const advice = nodeLabelAdvice(topologyKey, naming);
    return [
      ...(advice === undefined ? [] : [`${at.child('topologyKey').toString()}: ${topologyKey} is ${advice}`]),
      ...selectorWarnings(labelSelector, at),
    ];
  });
  return [...ofSelector, ...ofRequired, ...ofPreferred, ...ofTopology];
}

function annotationWarnings(annotations: Readonly<Record<string, string>>, path: FieldPath, naming: NamingProfile): string[] {
  return Object.entries(oldAnnotations).flatMap(([neutral, advice]) => {
    const key = naming.key(neutral);
    return Object.hasOwn(annotations, key) ? [`${path.key(key).toString()}: ${advice}`] : [];
  });
}

/** Profiles in annotations that the fields have taken the place of. */
function profileWarnings(
  {metadata, spec}: PodLike,
  path: FieldPath,
  containers: readonly {readonly container: Container}[],
  {naming, gates}: WarningRules,
): string[] {
  const annotations = metadata?.annotations ?? {};
  if (Object.keys(annotations).length === 0) return [];
  const annotationsPath = path.child('metadata', 'annotations');
  const {seccompProfile, appArmorProfile} = spec?.securityContext ?? {};
  const warnings: string[] = [];
  const warnOf = (key: string, advice: string) => warnings.push(`${annotationsPath.key(key).toString()}: ${advice} field instead`);
  const seccomp = 'non-functional in v1.27+; use the "seccompProfile"';
  const podKey = naming.key('seccomp.security.alpha.orch/pod');
  if (!seccompProfile && Object.hasOwn(annotations, podKey)) warnOf(podKey, seccomp);
  for (const {container} of containers) {
    const name = container.name ?? '';
    const key = naming.key('container.seccomp.security.alpha.orch/') + name;
    if (!container.securityContext?.seccompProfile && Object.hasOwn(annotations, key)) warnOf(key, seccomp);
    // Annotations of pods themselves are looked at where they become fields.
    const armorKey = naming.key('container.apparmor.security.beta.orch/') + name;
    const armor = annotations[armorKey];
    if (path.isRoot || armor === undefined || container.securityContext?.appArmorProfile || !gates.enabled('AppArmorFields')) continue;
    if (!appArmorProfile || !sameValue(appArmorProfile, appArmorProfileOf(armor)))
      warnOf(armorKey, 'deprecated since v1.30; use the "appArmorProfile"');
  }
  return warnings;
}

function repeated<K extends string>(
  items: readonly {readonly [key in K]?: string | null}[] | undefined | null,
  member: K,
  path: FieldPath,
): string[] {
  const seen = new Set<string>();
  return (items ?? []).flatMap((item, index) => {
    const value = item[member] ?? '';
    if (!seen.has(value)) {
      seen.add(value);
      return [];
    }
    return [`${path.index(index).child(member).toString()}: duplicate ${member} ${JSON.stringify(value)}`];
  });
}

function periodWarnings({terminationGracePeriodSeconds: period}: PodSpec, path: FieldPath): string[] {
  if ((period ?? 0) >= 0) return [];
  return [`${path.child('terminationGracePeriodSeconds').toString()}: must be >= 0; negative values are invalid and will be treated as 1`];
}

function affinityWarnings(affinity: PodAffinity | undefined | null, path: FieldPath): string[] {
  const required = path.child('requiredDuringSchedulingIgnoredDuringExecution');
  const preferred = path.child('preferredDuringSchedulingIgnoredDuringExecution');
  return [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(({labelSelector}, index) =>
      selectorWarnings(labelSelector, required.index(index)),
    ),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(({podAffinityTerm}, index) =>
      selectorWarnings(podAffinityTerm?.labelSelector, preferred.index(index).child('podAffinityTerm')),
    ),
  ];
}

function selectorWarnings(selector: unknown, path: FieldPath): string[] {
  return isGiven(selector) ? [] : [`${path.child('labelSelector').toString()}: a null labelSelector results in matching no pod`];
}
