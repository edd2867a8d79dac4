import {FieldPath, forbiddenField, invalid, type FeatureGates, type FieldError, type NamingProfile} from '../../../sdk/index.js';
import {sameValue} from '../../../sdk/validation/index.js';
import type {Container, Pod, ResourceRequirements} from '../../../sdk/types/unchecked/core/v1.js';
import {qosClass} from '../../families/pods/pod-qos.js';

const specPath = FieldPath.of('spec');
type Amounts = Readonly<Record<string, string>>;
type ContainerMember = 'containers' | 'initContainers';

/** Takes back what the gates keep from a resize. Modifies `pod`, of which other fields than resources are as they were. */
export function prepareResize(pod: Pod, old: Pod, gates: FeatureGates): void {
  const {spec = {}} = pod;
  if (!gates.enabled('InPlacePodLevelResourcesVerticalScaling')) putBack(spec, old.spec, 'resources');
  if (!gates.enabled('SidecarContainers')) putBack(spec, old.spec, 'initContainers');
}

function putBack<T extends object, K extends keyof T>(spec: T, old: T | undefined, member: K): void {
  if (old?.[member] === undefined) delete spec[member];
  else spec[member] = old[member];
}

/** Errors in a resize: of cpu and memory of containers, which keeps the QoS class and takes no request or limit away. */
export function resizeFaults(pod: Pod, old: Pod, naming: NamingProfile, gates: FeatureGates): FieldError[] {
  const before = old.spec ?? {};
  const spec = pod.spec ?? {};
  if (old.metadata.annotations?.[naming.key('orch/config.mirror')] !== undefined)
    return [forbiddenField(FieldPath.root, 'static pods cannot be resized')];
  if (before.os?.name === 'windows') return [forbiddenField(FieldPath.root, 'windows pods cannot be resized')];
  const faults: FieldError[] = [];
  if ((old.status?.qosClass ?? qosClass(before)) !== qosClass(spec))
    faults.push(invalid(specPath, pod.status?.qosClass ?? '', 'Pod QOS Class may not change as a result of resizing'));
  if (!isSupportedByNode(old)) faults.push(forbiddenField(specPath, 'Pod running on node without support for resize'));
  if (hasAmounts(before.resources) || hasAmounts(spec.resources)) {
    if (!gates.enabled('InPlacePodLevelResourcesVerticalScaling')) {
      const detail =
        'resize of pods with pod-level resources is forbidden when InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled';
      return [...faults, forbiddenField(FieldPath.root, detail)];
    }
    faults.push(...podLevelFaults(spec.resources, before.resources));
  }
  if (old.status?.nodeAllocatableResourceClaimStatuses?.length)
    faults.push(forbiddenField(specPath, 'pods with node allocatable resource claims cannot be resized'));
  const disorder = [...orderFaults(pod, old, 'containers'), ...orderFaults(pod, old, 'initContainers')];
  // Containers cannot be matched then, so nothing else is compared.
  if (disorder.length > 0) return [...faults, ...disorder];
  return [...faults, ...removalFaults(pod, old, gates), ...containerFaults(pod, old), ...initContainerFaults(pod, old, gates)];
}

/** A node that reports no resources of the containers that run cannot change them. */
function isSupportedByNode({status}: Pod): boolean {
  const running = (status?.containerStatuses ?? []).find(({state}) => state?.running);
  return running === undefined || (running.resources !== undefined && running.resources !== null);
}

function hasAmounts(resources: ResourceRequirements | null | undefined): boolean {
  return Object.keys(resources?.requests ?? {}).length + Object.keys(resources?.limits ?? {}).length > 0;
}

function podLevelFaults(now: ResourceRequirements | null | undefined, before: ResourceRequirements | null | undefined): FieldError[] {
  const at = specPath.child('resources');
  if (before && !now) return [forbiddenField(at, 'pod-level resources cannot be removed')];
  const faults: FieldError[] = [];
  if (before && isTakenAway(now?.requests, before.requests))
    faults.push(forbiddenField(at.child('requests'), 'pod-level resource requests cannot be removed'));
  if (before && isTakenAway(now?.limits, before.limits))
    faults.push(forbiddenField(at.child('limits'), 'pod-level resource limits cannot be removed'));
  const isSame = sameResources(withOldScalables(now, before), before) && sameValue(now?.claims, before?.claims);
  if (!isSame) faults.push(forbiddenField(specPath, 'only cpu and memory resources are mutable at pod-level'));
  return faults;
}

function orderFaults({spec}: Pod, {spec: old}: Pod, member: ContainerMember): FieldError[] {
  const now = spec?.[member] ?? [];
  const before = old?.[member] ?? [];
  const at = specPath.child(member);
  if (now.length !== before.length) return [forbiddenField(at, `${member} may not be added or removed on resize`)];
  return before.flatMap(({name}: Container, index) =>
    now[index]!.name === name ? [] : [forbiddenField(at.index(index).child('name'), `${member} may not be renamed or reordered on resize`)],
  );
}

/** The pairs of a container as it was and as it shall be, with its place. */
function pairsOf({spec}: Pod, {spec: old}: Pod, member: ContainerMember): {now: Container; before: Container; at: FieldPath}[] {
  return (old?.[member] ?? []).map((before: Container, index) => ({
    now: spec![member]![index]!,
    before,
    at: specPath.child(member).index(index),
  }));
}

function removalFaults(pod: Pod, old: Pod, gates: FeatureGates): FieldError[] {
  const ofInit = pairsOf(pod, old, 'initContainers').filter(({before}) => isRestartable(before) || isInitResizable(gates));
  return [...ofInit, ...pairsOf(pod, old, 'containers')].flatMap(({now, before, at}) =>
    (['requests', 'limits'] as const).flatMap((kind) =>
      isTakenAway(now.resources?.[kind], before.resources?.[kind])
        ? [forbiddenField(at.child('resources', kind), `resource ${kind} cannot be removed`)]
        : [],
    ),
  );
}

function containerFaults(pod: Pod, old: Pod): FieldError[] {
  return pairsOf(pod, old, 'containers').flatMap(({now, before}) =>
    isOnlyScaled(now, before) ? [] : [forbiddenField(specPath, 'only cpu and memory resources are mutable')],
  );
}

function initContainerFaults(pod: Pod, old: Pod, gates: FeatureGates): FieldError[] {
  return pairsOf(pod, old, 'initContainers').flatMap(({now, before, at}) => {
    const isChanged =
      !sameValue({...now, resources: null}, {...before, resources: null}) || !sameResources(now.resources, before.resources);
    if (!isRestartable(now) && !isInitResizable(gates))
      return isChanged ? [forbiddenField(specPath, 'resources for non-sidecar init containers are immutable')] : [];
    const faults = isOnlyScaled(now, before)
      ? []
      : [forbiddenField(at, 'only cpu and memory resources for init or sidecar containers are mutable')];
    if (isRestartable(now) || !isChanged) return faults;
    const restarts = (now.resizePolicy ?? []).filter(({restartPolicy}) => restartPolicy === 'RestartContainer');
    return [
      ...faults,
      ...restarts.map(() => forbiddenField(at, 'non-sidecar init containers with a resize policy of RestartContainer cannot be resized')),
    ];
  });
}

function isRestartable({restartPolicy}: Container): boolean {
  return restartPolicy === 'Always';
}

function isInitResizable(gates: FeatureGates): boolean {
  return gates.enabled('InPlacePodVerticalScalingInitContainers');
}

/** Whether a container differs in cpu and memory alone. As in Kubernetes, one that has claims never does. */
function isOnlyScaled(now: Container, before: Container): boolean {
  if (before.resources?.claims?.length) return false;
  return (
    sameValue({...now, resources: null}, {...before, resources: null}) &&
    sameResources(withOldScalables(now.resources, before.resources), before.resources)
  );
}

/** Resources with the cpu and memory of others. */
function withOldScalables(
  now: ResourceRequirements | null | undefined,
  before: ResourceRequirements | null | undefined,
): ResourceRequirements {
  const merged = (kind: 'requests' | 'limits') => {
    const {cpu: _cpu, memory: _memory, ...others} = (now?.[kind] ?? {}) as Record<string, string>;
    const {cpu, memory} = (before?.[kind] ?? {}) as Record<string, string>;
    return {...others, ...(cpu === undefined ? {} : {cpu}), ...(memory === undefined ? {} : {memory})};
  };
  return {requests: merged('requests'), limits: merged('limits')};
}

function sameResources(left: ResourceRequirements | null | undefined, right: ResourceRequirements | null | undefined): boolean {
  return (['requests', 'limits'] as const).every((kind) => sameValue(left?.[kind] ?? {}, right?.[kind] ?? {}));
}

function isTakenAway(now: Amounts | null | undefined, before: Amounts | null | undefined): boolean {
  return Object.keys(before ?? {}).some((name) => !Object.hasOwn(now ?? {}, name));
}
