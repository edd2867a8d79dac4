import {createHash, randomBytes} from 'node:crypto';
import type {FeatureGates} from '../../../../sdk/index.js';
import type {Container, ContainerStatus, PodSpec} from '../../../../sdk/types/unchecked/core/v1.js';

/** What statuses say beyond the oldest release. */
export interface StatusFeatures {
  /** Generations that statuses and conditions were made for. */
  readonly generations: boolean;
  readonly readyToStart: boolean;
  readonly hostIPs: boolean;
  readonly resources: boolean;
  readonly volumeMounts: boolean;
  readonly users: boolean;
}

export function statusFeatures(gates: FeatureGates): StatusFeatures {
  return {
    generations: gates.enabled('PodObservedGenerationTracking'),
    readyToStart: gates.enabled('PodReadyToStartContainersCondition'),
    hostIPs: gates.enabled('PodHostIPs'),
    resources: gates.enabled('InPlacePodVerticalScaling'),
    volumeMounts: gates.enabled('RecursiveReadOnlyMounts'),
    users: gates.enabled('SupplementalGroupsPolicy'),
  };
}

const mostImageIds = 10_000;
const imageIds = new Map<string, string>();

/** What the runtime calls an image: its repository with a digest, the same for the same image. */
export function imageIdOf(image: string): string {
  const known = imageIds.get(image);
  if (known !== undefined) return known;
  const digest = createHash('sha256').update(image).digest('hex');
  const id = image.includes('@') ? image : `${image.replace(/:[^:/]*$/, '')}@sha256:${digest}`;
  // A cache: what falls out is computed again.
  if (imageIds.size >= mostImageIds) imageIds.clear();
  imageIds.set(image, id);
  return id;
}

export function newContainerId(): string {
  return `simulated://${randomBytes(32).toString('hex')}`;
}

/** The status of a container that has not been created. */
export function waitingStatus(
  {name = '', image = '', volumeMounts}: Container,
  reason: string,
  {volumeMounts: mounts}: StatusFeatures,
): ContainerStatus {
  return {
    name,
    image,
    imageID: '',
    ready: false,
    restartCount: 0,
    started: false,
    state: {waiting: {reason}},
    lastState: {},
    ...(mounts && volumeMounts?.length
      ? {
          volumeMounts: volumeMounts.map((mount) => ({
            name: mount.name ?? '',
            mountPath: mount.mountPath ?? '',
            ...(mount.readOnly ? {readOnly: true, recursiveReadOnly: 'Disabled'} : {}),
          })),
        }
      : {}),
  };
}

/** What is said of a container that has been created: its user and what it may use. */
export function createdFacts(container: Container, spec: PodSpec, features: StatusFeatures): Partial<ContainerStatus> {
  return {...(features.users ? {user: {linux: userOf(container, spec)}} : {}), ...resourceFacts(container, features)};
}

/** What a container may use, as its spec has it: changes take effect at once. */
export function resourceFacts({resources = {}}: Container, {resources: isShown}: StatusFeatures): Partial<ContainerStatus> {
  if (!isShown) return {};
  const {requests, limits} = resources;
  const own = {...(limits ? {limits: {...limits}} : {}), ...(requests ? {requests: {...requests}} : {})};
  return {resources: own, ...(requests && Object.keys(requests).length > 0 ? {allocatedResources: {...requests}} : {})};
}

function userOf({securityContext}: Container, {securityContext: ofPod}: PodSpec): {uid: number; gid: number; supplementalGroups: number[]} {
  const gid = Number(securityContext?.runAsGroup ?? ofPod?.runAsGroup ?? 0);
  const groups = [gid, ...(ofPod?.fsGroup === undefined ? [] : [Number(ofPod.fsGroup)]), ...(ofPod?.supplementalGroups ?? []).map(Number)];
  const uid = Number(securityContext?.runAsUser ?? ofPod?.runAsUser ?? 0);
  return {uid, gid, supplementalGroups: [...new Set(groups)].toSorted((left, right) => left - right)};
}
