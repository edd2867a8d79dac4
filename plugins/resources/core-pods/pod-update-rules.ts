import {FieldPath, forbiddenField, invalid, type FeatureGates, type FieldError, type NamingProfile} from '../../../sdk/index.js';
import {gatedPlacementFaults, withPlacementOf} from './gated-placement.js';
import {isResizedByUpdate, withOldAmounts} from './resize-by-update.js';
import {qosClass} from '../../families/pods/pod-qos.js';
import type {PodRules} from '../../families/pods/pod-rules.js';
import {sameValue, validateRange} from '../../../sdk/validation/index.js';
import type {Container, Pod, PodSpec, Toleration} from '../../../sdk/types/unchecked/core/v1.js';

const specPath = FieldPath.of('spec');
const deadlinePath = specPath.child('activeDeadlineSeconds');
const annotationsPath = FieldPath.of('metadata', 'annotations');
const changeable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
];
const resizable = '`spec.containers[*].resources` (for CPU/memory only)';

/** What may change of a pod, as Kubernetes says it in a release. */
function changeableText(gates: FeatureGates): string {
  if (!gates.enabled('ListedPodChanges')) return `${changeable.slice(0, -1).join(', ')} or ${changeable.at(-1)}`;
  return [...changeable, ...(isResizedByUpdate(gates) ? [resizable] : [])].join(',');
}

/** Maximum characters of a member's value in a message. */
const shownCharacters = 4096;

/** Errors in a change of a pod: most of a pod is immutable. */
export function podUpdateFaults(pod: Pod, old: Pod, {naming, gates}: PodRules): FieldError[] {
  const spec = pod.spec ?? {};
  const before = old.spec ?? {};
  const faults = annotationUpdateFaults(pod, old, naming);
  const counts = (['containers', 'initContainers'] as const).filter(
    (member) => (spec[member]?.length ?? 0) !== (before[member]?.length ?? 0),
  );
  // Containers cannot be matched then, so nothing else is compared.
  if (counts.length > 0)
    return [...faults, ...counts.map((member) => forbiddenField(specPath.child(member), 'pod updates may not add or remove containers'))];
  const deadlineRange = validateRange(spec.activeDeadlineSeconds, 0, 2147483647, deadlinePath);
  if (deadlineRange.length > 0) return [...faults, ...deadlineRange];
  faults.push(
    ...deadlineFaults(spec.activeDeadlineSeconds, before.activeDeadlineSeconds),
    ...tolerationFaults(spec.tolerations ?? [], before.tolerations ?? []),
    ...gateFaults(spec.schedulingGates ?? [], before.schedulingGates ?? []),
  );
  const isGated = Boolean(before.schedulingGates?.length) && gates.enabled('PodSchedulingReadiness');
  if (isGated) faults.push(...gatedPlacementFaults(spec, before));
  const isResized = isResizedByUpdate(gates);
  if (isResized && !sameValue(spec, before) && (old.status?.qosClass ?? qosClass(before)) !== qosClass(spec))
    faults.push(invalid(FieldPath.of('metadata'), pod.status?.qosClass ?? '', 'Pod QoS is immutable'));
  const compared = isResized ? withAmountsOf(spec, before) : spec;
  const changes = otherChanges(isGated ? withPlacementOf(compared, before) : compared, before);
  if (changes.length > 0)
    faults.push(forbiddenField(specPath, `pod updates may not change fields other than ${changeableText(gates)}\n${changes.join('\n')}`));
  return faults;
}

function withAmountsOf(spec: PodSpec, old: PodSpec): PodSpec {
  return {...spec, containers: (spec.containers ?? []).map((container, index) => withOldAmounts(container, old.containers?.[index]))};
}

/** Errors in changes of annotations that say how the pod was started. */
export function annotationUpdateFaults(pod: Pod, old: Pod, naming: NamingProfile): FieldError[] {
  const appArmor = naming.key('container.apparmor.security.beta.orch/');
  const mirror = naming.key('orch/config.mirror');
  const after = pod.metadata.annotations ?? {};
  const before = old.metadata.annotations ?? {};
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
    const what = key.startsWith(appArmor) ? 'AppArmor annotations' : key === mirror ? 'mirror pod annotation' : undefined;
    if (what === undefined || after[key] === before[key]) return [];
    const verb = Object.hasOwn(before, key) ? 'remove or update' : 'add';
    return [forbiddenField(annotationsPath.key(key), `may not ${verb} ${what}`)];
  });
}

function deadlineFaults(now: number | undefined | null, before: number | undefined | null): FieldError[] {
  const at = deadlinePath;
  if (typeof now !== 'number')
    return typeof before === 'number' ? [invalid(at, null, 'must not update from a positive integer to nil value')] : [];
  return typeof before === 'number' && before < now ? [invalid(at, now, 'must be less than or equal to previous value')] : [];
}

function tolerationFaults(now: readonly Toleration[], before: readonly Toleration[]): FieldError[] {
  const kept = new Set(now.map(tolerationKey));
  if (before.every((toleration) => kept.has(tolerationKey(toleration)))) return [];
  return [forbiddenField(specPath.child('tolerations'), 'existing toleration can not be modified except its tolerationSeconds')];
}

/** The same key for tolerations that differ only in their seconds. */
function tolerationKey({key, operator, value, effect}: Toleration): string {
  return JSON.stringify([key ?? '', operator ?? '', value ?? '', effect ?? '']);
}

function gateFaults(now: readonly {name?: string}[], before: readonly {name?: string}[]): FieldError[] {
  const known = new Set(before.map(({name}) => name));
  return now.flatMap(({name = ''}, index) => {
    if (known.has(name)) return [];
    return [
      forbiddenField(
        specPath.child('schedulingGates').index(index).child('name'),
        `only deletion is allowed, but found new scheduling gate '${name}'`,
      ),
    ];
  });
}

/** The members of the spec that differ although they are immutable, each with its old and new value. */
function otherChanges(spec: PodSpec, old: PodSpec): string[] {
  const after = withoutChangeable(spec, old);
  const before = withoutChangeable(old, old);
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((member) => !sameValue(after[member], before[member]))
    .flatMap((member) => [`- ${member}: ${show(before[member])}`, `+ ${member}: ${show(after[member])}`]);
}

function withoutChangeable(spec: PodSpec, old: PodSpec): Record<string, unknown> {
  const {activeDeadlineSeconds: _deadline, tolerations: _tolerations, schedulingGates: _gates, ...rest} = spec;
  const period = spec.terminationGracePeriodSeconds;
  const isMended = period === 1 && (old.terminationGracePeriodSeconds ?? 0) < 0;
  return {
    ...rest,
    containers: withoutImages(spec.containers),
    initContainers: withoutImages(spec.initContainers),
    terminationGracePeriodSeconds: isMended ? old.terminationGracePeriodSeconds : period,
  };
}

function withoutImages(containers: readonly Container[] | undefined | null): unknown[] | null {
  return containers?.length ? containers.map(({image: _image, ...rest}) => rest) : null;
}

function show(value: unknown): string {
  const text = value === undefined ? 'null' : JSON.stringify(value);
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
}
