import {FieldPath, type FeatureGates} from '../../../sdk/index.js';
import {isGiven} from '../../../sdk/validation/index.js';
import type {PodSpec, Probe} from '../../../sdk/types/unchecked/core/v1.js';
import {allContainers} from './all-containers.js';

interface GatedField {
  /** Names of the gate: it was renamed. Any of them that is on counts. */
  readonly gate: string | readonly string[];
  readonly isUsed: (spec: PodSpec) => boolean;
  readonly drop: (spec: PodSpec) => void;
}

const gatedFields: readonly GatedField[] = [
  {
    gate: 'ProcMountType',
    isUsed: (spec) =>
      containersOf(spec).some(({securityContext}) => isGiven(securityContext?.procMount) && securityContext.procMount !== 'Default'),
    // Not deleted: servers without this gate stored the default, and stored objects must not differ from what clients send.
    drop: (spec) => {
      for (const {securityContext} of containersOf(spec)) if (isGiven(securityContext?.procMount)) securityContext.procMount = 'Default';
    },
  },
  {
    gate: 'PodSchedulingReadiness',
    isUsed: ({schedulingGates}) => Boolean(schedulingGates?.length),
    drop: (spec) => {
      delete spec.schedulingGates;
    },
  },
  {
    gate: ['UserNamespacesStatelessPodsSupport', 'UserNamespacesSupport'],
    isUsed: ({hostUsers}) => typeof hostUsers === 'boolean',
    drop: (spec) => {
      delete spec.hostUsers;
    },
  },
  {
    gate: 'ContainerStopSignals',
    isUsed: (spec) => containersOf(spec).some(({lifecycle}) => isGiven(lifecycle?.stopSignal)),
    // A lifecycle that says nothing else is none.
    drop: (spec) => {
      for (const container of containersOf(spec)) {
        const {stopSignal, ...rest} = container.lifecycle ?? {};
        if (!isGiven(stopSignal)) continue;
        if (Object.keys(rest).length > 0) container.lifecycle = rest;
        else delete container.lifecycle;
      }
    },
  },
  {
    gate: 'ImageVolume',
    isUsed: ({volumes}) => Boolean(volumes?.some(({image}) => image)),
    // Without its source a volume would be invalid.
    drop: (spec) => {
      const dropped = new Set((spec.volumes ?? []).filter(({image}) => image).map(({name}) => name));
      spec.volumes = (spec.volumes ?? []).filter(({image}) => !image);
      for (const container of containersOf(spec))
        if (container.volumeMounts) container.volumeMounts = container.volumeMounts.filter(({name}) => !dropped.has(name));
    },
  },
  {
    gate: 'MinDomainsInPodTopologySpread',
    isUsed: ({topologySpreadConstraints}) => Boolean(topologySpreadConstraints?.some(({minDomains}) => typeof minDomains === 'number')),
    drop: (spec) => {
      for (const constraint of spec.topologySpreadConstraints ?? []) delete constraint.minDomains;
    },
  },
  {
    gate: 'MatchLabelKeysInPodTopologySpread',
    isUsed: ({topologySpreadConstraints}) => Boolean(topologySpreadConstraints?.some(({matchLabelKeys}) => matchLabelKeys?.length)),
    drop: (spec) => {
      for (const constraint of spec.topologySpreadConstraints ?? []) delete constraint.matchLabelKeys;
    },
  },
  {
    gate: 'NodeInclusionPolicyInPodTopologySpread',
    isUsed: ({topologySpreadConstraints}) =>
      Boolean(topologySpreadConstraints?.some(({nodeAffinityPolicy, nodeTaintsPolicy}) => nodeAffinityPolicy || nodeTaintsPolicy)),
    drop: (spec) => {
      for (const constraint of spec.topologySpreadConstraints ?? []) {
        delete constraint.nodeAffinityPolicy;
        delete constraint.nodeTaintsPolicy;
      }
    },
  },
  {
    gate: 'ProbeTerminationGracePeriod',
    isUsed: (spec) => probesOf(spec).some(({terminationGracePeriodSeconds}) => typeof terminationGracePeriodSeconds === 'number'),
    drop: (spec) => {
      for (const probe of probesOf(spec)) delete probe.terminationGracePeriodSeconds;
    },
  },
  {
    gate: 'DynamicResourceAllocation',
    isUsed: (spec) => Boolean(spec.resourceClaims?.length) || containersOf(spec).some(({resources}) => resources?.claims?.length),
    drop: (spec) => {
      delete spec.resourceClaims;
      for (const {resources} of containersOf(spec)) delete resources?.claims;
    },
  },
];

/**
 * Drops the fields of disabled features from a pod's spec (alone or in a template), unless the stored object already uses them. Modifies
 * `spec`. Called before a write is validated.
 */
export function dropDisabledPodFields(spec: PodSpec | undefined | null, old: PodSpec | undefined | null, gates: FeatureGates): void {
  if (!spec) return;
  for (const {gate, isUsed, drop} of gatedFields) {
    if (isUsed(spec) && ![gate].flat().some((name) => gates.enabled(name)) && !(old && isUsed(old))) drop(spec);
  }
}

/** The probes that may have their own grace period. */
function probesOf(spec: PodSpec): Probe[] {
  return containersOf(spec).flatMap(({livenessProbe, startupProbe}) =>
    [livenessProbe, startupProbe].filter((probe) => probe !== undefined && probe !== null),
  );
}

function containersOf(spec: PodSpec) {
  return allContainers(spec, FieldPath.root).map(({container}) => container);
}
