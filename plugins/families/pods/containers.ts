import {
  dnsLabelFaults,
  duplicate,
  forbiddenField,
  invalid,
  notFoundField,
  portNameFaults,
  portNumberFaults,
  required,
  type FieldError,
  type FieldPath,
} from '../../../sdk/index.js';
import {invalidFor, validateOneOf, validateText} from '../../../sdk/validation/index.js';
import type {Container, ContainerPort, EphemeralContainer, PodSpec} from '../../../sdk/types/unchecked/core/v1.js';
import {validateEnvironment, validateEnvironmentSources} from './environment.js';
import {validateLifecycle, validateProbes} from './handlers.js';
import type {PodRules} from './pod-rules.js';
import {validateInitResizePolicy, validateResizePolicy} from './resize-policy.js';
import {validateResourceRequirements} from './resource-requirements.js';
import {isSidecar, validateInitRestartPolicy, validateRestartPolicy} from './restart-policy.js';
import {validateSecurityContext} from './security-context.js';
import {validateVolumeDevices, validateVolumeMounts, type KnownVolumes} from './volume-mounts.js';

/** What containers may refer to. */
export interface ContainerSurroundings {
  readonly rules: PodRules;
  readonly spec: PodSpec;
  readonly volumes: KnownVolumes;
  /** Names of the pod's resource claims. */
  readonly claims: ReadonlySet<string>;
}

/** Errors in all containers of a pod. */
export function validateContainers(spec: PodSpec, path: FieldPath, around: ContainerSurroundings): FieldError[] {
  const names = new Set<string>();
  return [
    ...validateMainContainers(spec.containers ?? [], path.child('containers'), around, names),
    ...validateInitContainers(spec.initContainers ?? [], path.child('initContainers'), around, names),
    ...validateEphemeralContainers(spec, path.child('ephemeralContainers'), around),
  ];
}

function validateMainContainers(
  containers: readonly Container[],
  path: FieldPath,
  around: ContainerSurroundings,
  names: Set<string>,
): FieldError[] {
  if (containers.length === 0) return [required(path)];
  const faults = containers.flatMap((container, index) => {
    const at = path.index(index);
    return [
      ...validateContainer(container, at, around),
      ...uniqueName(container, at, names),
      ...validateLifecycle(container, at, around),
      ...validateProbes(container, at),
      ...validateRestartPolicy(container, at, around.rules),
    ];
  });
  return [...faults, ...hostPortConflicts(containers, path)];
}

function validateInitContainers(
  containers: readonly Container[],
  path: FieldPath,
  around: ContainerSurroundings,
  names: Set<string>,
): FieldError[] {
  return containers.flatMap((container, index) => {
    const at = path.index(index);
    return [
      ...validateContainer(container, at, around),
      ...validateInitRestartPolicy(container, at, around.rules),
      ...uniqueName(container, at, names),
      ...hostPortConflicts([container], path),
      ...(isSidecar(container)
        ? [...validateLifecycle(container, at, around), ...validateProbes(container, at)]
        : forbidProbes(container, at, around.rules)),
      ...validateInitResizePolicy(container, at, around.rules),
    ];
  });
}

/** An init container that ends before the others start has neither probes nor hooks. */
function forbidProbes(container: Container, path: FieldPath, {gates}: PodRules): FieldError[] {
  const members = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;
  const which = gates.enabled('SidecarContainers') ? 'init containers without restartPolicy=Always' : 'init containers';
  return members.filter((member) => container[member]).map((member) => forbiddenField(path.child(member), `may not be set for ${which}`));
}

const ephemeralMembers = new Set([
  'name',
  'image',
  'command',
  'args',
  'workingDir',
  'env',
  'envFrom',
  'volumeMounts',
  'volumeDevices',
  'terminationMessagePath',
  'terminationMessagePolicy',
  'imagePullPolicy',
  'securityContext',
  'stdin',
  'stdinOnce',
  'tty',
  'targetContainerName',
]);
const notForEphemeral = 'cannot be set for an Ephemeral Container';

/** Errors in ephemeral containers. They have no ports, probes or resources. */
function validateEphemeralContainers(spec: PodSpec, path: FieldPath, around: ContainerSurroundings): FieldError[] {
  const others = new Set([...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({name}) => name ?? ''));
  const names = new Set(others);
  return (spec.ephemeralContainers ?? []).flatMap((container, index) => {
    const at = path.index(index);
    const {targetContainerName: target} = container;
    const faults = [...validateContainer(container, at, around), ...uniqueName(container, at, names)];
    if (target && !others.has(target)) faults.push(notFoundField(at.child('targetContainerName'), target));
    faults.push(...extraMembers(container).map((member) => forbiddenField(at.child(member), notForEphemeral)));
    for (const [place, mount] of (container.volumeMounts ?? []).entries()) {
      const mountPath = at.child('volumeMounts').index(place);
      if (mount.subPath) faults.push(forbiddenField(mountPath.child('subPath'), notForEphemeral));
      if (mount.subPathExpr) faults.push(forbiddenField(mountPath.child('subPathExpr'), notForEphemeral));
    }
    return faults;
  });
}

/** Members that are set; even an empty probe counts. `resources: {}` does not, because the server itself writes it. */
function extraMembers(container: EphemeralContainer): string[] {
  return Object.entries(container)
    .filter(([member, value]) => !ephemeralMembers.has(member) && !(member === 'resources' ? isEmpty(value) : isAbsent(value)))
    .map(([member]) => member);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function isEmpty(value: unknown): boolean {
  return isAbsent(value) || (typeof value === 'object' && Object.keys(value as object).length === 0);
}

/** Errors that any kind of container may have. */
function validateContainer(container: Container, path: FieldPath, {rules, spec, volumes, claims}: ContainerSurroundings): FieldError[] {
  return [
    ...validateText(container.name, path.child('name'), dnsLabelFaults),
    ...validateText(container.image, path.child('image')),
    ...validateOneOf(container.terminationMessagePolicy, ['FallbackToLogsOnError', 'File'], path.child('terminationMessagePolicy')),
    ...validatePorts(container.ports ?? [], path.child('ports')),
    ...validateEnvironment(container.env, path.child('env'), rules),
    ...validateEnvironmentSources(container.envFrom, path.child('envFrom'), rules),
    ...validateVolumeMounts(container, volumes, path.child('volumeMounts')),
    ...validateVolumeDevices(container, volumes, path.child('volumeDevices')),
    ...validateOneOf(container.imagePullPolicy, ['Always', 'IfNotPresent', 'Never'], path.child('imagePullPolicy')),
    ...validateResourceRequirements(container.resources ?? {}, path.child('resources'), rules, claims),
    ...validateResizePolicy(container, spec, path.child('resizePolicy')),
    ...validateSecurityContext(container.securityContext, spec, path.child('securityContext'), rules),
  ];
}

function uniqueName({name = ''}: Container, path: FieldPath, names: Set<string>): FieldError[] {
  if (names.has(name)) return [duplicate(path.child('name'), name)];
  names.add(name);
  return [];
}

function validatePorts(ports: readonly ContainerPort[], path: FieldPath): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap(({name = '', containerPort = 0, hostPort = 0, protocol}, index) => {
    const at = path.index(index);
    const faults: FieldError[] = [];
    if (name !== '') {
      faults.push(...invalidFor(at.child('name'), name, portNameFaults(name)));
      if (faults.length === 0 && names.has(name)) faults.push(duplicate(at.child('name'), name));
      names.add(name);
    }
    if (containerPort === 0) faults.push(required(at.child('containerPort')));
    else faults.push(...invalidFor(at.child('containerPort'), containerPort, portNumberFaults(containerPort)));
    if (hostPort !== 0) faults.push(...invalidFor(at.child('hostPort'), hostPort, portNumberFaults(hostPort)));
    return [...faults, ...validateOneOf(protocol, ['SCTP', 'TCP', 'UDP'], at.child('protocol'))];
  });
}

/** Two containers cannot use the same host port. */
function hostPortConflicts(containers: readonly Container[], path: FieldPath): FieldError[] {
  const taken = new Set<string>();
  return containers.flatMap(({ports = []}, container) =>
    (ports ?? []).flatMap(({protocol = '', hostIP = '', hostPort = 0}, port) => {
      if (hostPort === 0) return [];
      const place = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(place)) return [duplicate(path.index(container).child('ports').index(port).child('hostPort'), place)];
      taken.add(place);
      return [];
    }),
  );
}

/** With the node's network, a container's host port must equal its port. */
export function validateHostNetworkPorts(spec: PodSpec, path: FieldPath): FieldError[] {
  if (!spec.hostNetwork) return [];
  return (spec.containers ?? []).flatMap(({ports = []}, container) =>
    (ports ?? []).flatMap(({hostPort = 0, containerPort = 0}, port) => {
      if (hostPort === containerPort) return [];
      const at = path.child('containers').index(container).child('ports').index(port).child('containerPort');
      return [invalid(at, containerPort, 'must match `hostPort` when `hostNetwork` is true')];
    }),
  );
}

/** Images of a pod's containers must not have leading or trailing blanks; templates are exempt. */
export function validateImages(spec: PodSpec, path: FieldPath): FieldError[] {
  const members = ['containers', 'initContainers', 'ephemeralContainers'] as const;
  return members.flatMap((member) =>
    (spec[member] ?? []).flatMap(({image = ''}: Container, index) =>
      image.trim() === image
        ? []
        : [invalid(path.child(member).index(index).child('image'), image, 'must not have leading or trailing whitespace')],
    ),
  );
}
