import {dnsLabelFaults, type FeatureGates, type FieldPath, type NamingProfile, type ObjectMeta} from '../../../sdk/index.js';
import {isGiven, sameValue} from '../../../sdk/validation/index.js';
import type {Container, PodAffinity, PodSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {ipWarnings} from '../addresses/address-warnings.js';
import {allContainers} from './all-containers.js';
import {appArmorProfileOf} from './app-armor.js';
import {byteWarnings} from '../volumes/byte-warnings.js';
import {containerWarnings, portWarnings} from './container-warnings.js';
import {firstWarnings} from './first-warnings.js';
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
 * Warnings about settings of a pod, or of a template, that are allowed but probably mistakes, in Kubernetes' words: the first hundred.
 *
 * @param path of the pod or template; the root for a pod
 */
export function podWarnings(pod: PodLike, path: FieldPath, rules: WarningRules): string[] {
  return firstWarnings(allWarnings(pod, path, rules));
}

function* allWarnings({metadata, spec}: PodLike, path: FieldPath, {naming, gates}: WarningRules): Generator<string> {
  if (!spec) return;
  const at = path.child('spec');
  const containers = allContainers(spec, at);
  yield* placementWarnings(spec, at, naming);
  yield* annotationWarnings(metadata?.annotations ?? {}, path.child('metadata', 'annotations'), naming);
  yield* volumeWarnings(spec.volumes ?? [], at.child('volumes'), gates);
  yield* repeated(spec.hostAliases, 'ip', at.child('hostAliases'));
  yield* repeated(spec.imagePullSecrets, 'name', at.child('imagePullSecrets'));
  for (const [index, {name}] of (spec.imagePullSecrets ?? []).entries())
    if (!name) yield `${at.child('imagePullSecrets').index(index).child('name').toString()}: invalid empty name ""`;
  yield* byteWarnings(spec.overhead, at.child('overhead'));
  yield* profileWarnings({metadata, spec}, path, containers, {naming, gates});
  for (const {container, at: place} of containers) yield* containerWarnings(container, place);
  yield* portWarnings(containers);
  yield* periodWarnings(spec, at);
  yield* affinityWarnings(spec.affinity?.podAffinity, at.child('affinity', 'podAffinity'));
  yield* affinityWarnings(spec.affinity?.podAntiAffinity, at.child('affinity', 'podAntiAffinity'));
  if (!gates.enabled('AddressForms')) return;
  for (const [index, server] of (spec.dnsConfig?.nameservers ?? []).entries())
    yield* ipWarnings(server, at.child('dnsConfig', 'nameservers').index(index));
  for (const [index, {ip}] of (spec.hostAliases ?? []).entries()) yield* ipWarnings(ip, at.child('hostAliases').index(index).child('ip'));
}

/** The warning about a name that pods have as host names, and that is no DNS label. @param use what the name is used in, in Kubernetes' words */
export function hostNameWarnings(name: string | undefined, use = 'Pod names and hostnames'): string[] {
  const faults = dnsLabelFaults(name ?? '');
  if (faults.length === 0) return [];
  const advice = `this is used in ${use}, which can result in surprising behavior; a DNS label is recommended`;
  return [`metadata.name: ${advice}: [${faults.join(' ')}]`];
}

/** Labels of nodes that are deprecated, and selectors that are null. */
function* placementWarnings(
  {nodeSelector, affinity, topologySpreadConstraints}: PodSpec,
  path: FieldPath,
  naming: NamingProfile,
): Generator<string> {
  for (const label of Object.keys(nodeSelector ?? {})) {
    const advice = nodeLabelAdvice(label, naming);
    if (advice !== undefined) yield `${path.child('nodeSelector').key(label).toString()}: ${advice}`;
  }
  const {requiredDuringSchedulingIgnoredDuringExecution: required, preferredDuringSchedulingIgnoredDuringExecution: preferred} =
    affinity?.nodeAffinity ?? {};
  const nodePath = path.child('affinity', 'nodeAffinity');
  const terms = nodePath.child('requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms');
  for (const [index, {matchExpressions}] of (required?.nodeSelectorTerms ?? []).entries())
    yield* nodeExpressionWarnings(matchExpressions, terms.index(index).child('matchExpressions'), naming);
  for (const [index, {preference}] of (preferred ?? []).entries()) {
    const at = nodePath.child('preferredDuringSchedulingIgnoredDuringExecution').index(index).child('preference', 'matchExpressions');
    yield* nodeExpressionWarnings(preference?.matchExpressions, at, naming);
    yield* labelValueWarnings(preference?.matchExpressions, at);
  }
  for (const [index, {topologyKey = '', labelSelector}] of (topologySpreadConstraints ?? []).entries()) {
    const at = path.child('topologySpreadConstraints').index(index);
    const advice = nodeLabelAdvice(topologyKey, naming);
    if (advice !== undefined) yield `${at.child('topologyKey').toString()}: ${topologyKey} is ${advice}`;
    yield* selectorWarnings(labelSelector, at);
  }
}

function annotationWarnings(annotations: Readonly<Record<string, string>>, path: FieldPath, naming: NamingProfile): string[] {
  return Object.entries(oldAnnotations).flatMap(([neutral, advice]) => {
    const key = naming.key(neutral);
    return Object.hasOwn(annotations, key) ? [`${path.key(key).toString()}: ${advice}`] : [];
  });
}

/** Profiles in annotations that the fields have taken the place of. */
function* profileWarnings(
  {metadata, spec}: PodLike,
  path: FieldPath,
  containers: readonly {readonly container: Container}[],
  {naming, gates}: WarningRules,
): Generator<string> {
  const annotations = metadata?.annotations ?? {};
  if (Object.keys(annotations).length === 0) return;
  const annotationsPath = path.child('metadata', 'annotations');
  const {seccompProfile, appArmorProfile} = spec?.securityContext ?? {};
  const warning = (key: string, advice: string) => `${annotationsPath.key(key).toString()}: ${advice} field instead`;
  const seccomp = 'non-functional in v1.27+; use the "seccompProfile"';
  const podKey = naming.key('seccomp.security.alpha.orch/pod');
  if (!seccompProfile && Object.hasOwn(annotations, podKey)) yield warning(podKey, seccomp);
  for (const {container} of containers) {
    const name = container.name ?? '';
    const key = naming.key('container.seccomp.security.alpha.orch/') + name;
    if (!container.securityContext?.seccompProfile && Object.hasOwn(annotations, key)) yield warning(key, seccomp);
    // Annotations of pods themselves are looked at where they become fields.
    const armorKey = naming.key('container.apparmor.security.beta.orch/') + name;
    const armor = annotations[armorKey];
    if (path.isRoot || armor === undefined || container.securityContext?.appArmorProfile || !gates.enabled('AppArmorFields')) continue;
    if (!appArmorProfile || !sameValue(appArmorProfile, appArmorProfileOf(armor)))
      yield warning(armorKey, 'deprecated since v1.30; use the "appArmorProfile"');
  }
}

function* repeated<K extends string>(
  items: readonly {readonly [key in K]?: string | null}[] | undefined | null,
  member: K,
  path: FieldPath,
): Generator<string> {
  const seen = new Set<string>();
  for (const [index, item] of (items ?? []).entries()) {
    const value = item[member] ?? '';
    if (seen.has(value)) yield `${path.index(index).child(member).toString()}: duplicate ${member} ${JSON.stringify(value)}`;
    else seen.add(value);
  }
}

function periodWarnings({terminationGracePeriodSeconds: period}: PodSpec, path: FieldPath): string[] {
  if ((period ?? 0) >= 0) return [];
  return [`${path.child('terminationGracePeriodSeconds').toString()}: must be >= 0; negative values are invalid and will be treated as 1`];
}

function* affinityWarnings(affinity: PodAffinity | undefined | null, path: FieldPath): Generator<string> {
  const required = path.child('requiredDuringSchedulingIgnoredDuringExecution');
  const preferred = path.child('preferredDuringSchedulingIgnoredDuringExecution');
  for (const [index, {labelSelector}] of (affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).entries())
    yield* selectorWarnings(labelSelector, required.index(index));
  for (const [index, {podAffinityTerm}] of (affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).entries())
    yield* selectorWarnings(podAffinityTerm?.labelSelector, preferred.index(index).child('podAffinityTerm'));
}

function selectorWarnings(selector: unknown, path: FieldPath): string[] {
  return isGiven(selector) ? [] : [`${path.child('labelSelector').toString()}: a null labelSelector results in matching no pod`];
}
