import type {NamingProfile, ResourceClient, ResourceRef} from '../../../sdk/index.js';
import type {LeaseCandidate as Alpha} from '../../../sdk/types/unchecked/coordination/v1alpha1.js';
import type {LeaseCandidate} from '../../../sdk/types/unchecked/coordination/v1beta1.js';
import {parseSemanticVersion, type SemanticVersion} from '../../families/semantic-versions/semantic-version.js';

const group = 'coordination.orch';
const resource = 'leasecandidates';
/** Best first. They differ in how a strategy is named. */
const versions = ['v1beta1', 'v1alpha2', 'v1alpha1'];

/** Milliseconds without a sign of life after which a candidate counts no longer (Kubernetes' time). */
export const validMillis = 30 * 60_000;

/** A process that could hold a lease, as elections see it. */
export interface Candidate {
  readonly name: string;
  readonly strategy: string;
  /** Undefined if it is no version. */
  readonly binary: SemanticVersion | undefined;
  readonly emulation: SemanticVersion | undefined;
  /** Milliseconds since 1970; undefined if it was never asked, or has never answered. */
  readonly pinged: number | undefined;
  readonly renewed: number | undefined;
  readonly created: number;
  /** As it was read. */
  readonly object: LeaseCandidate;
}

/** The type of candidates in the best version that is served; undefined if none is. */
export function candidateRef(resources: Pick<ResourceClient, 'resources'>, naming: Pick<NamingProfile, 'group'>): ResourceRef | undefined {
  const served = resources.resources().filter((type) => type.group === naming.group(group) && type.resource === resource);
  const version = versions.find((name) => served.some((type) => type.version === name));
  return version === undefined ? undefined : {group, version, resource};
}

export function readCandidate(object: LeaseCandidate): Candidate {
  const {metadata, spec = {}} = object;
  const {binaryVersion = '', emulationVersion = '', pingTime, renewTime, strategy} = spec;
  return {
    name: metadata.name ?? '',
    strategy: strategy ?? (spec as NonNullable<Alpha['spec']>).preferredStrategies?.[0] ?? '',
    binary: parseSemanticVersion(binaryVersion),
    emulation: parseSemanticVersion(emulationVersion),
    pinged: timeOf(pingTime),
    renewed: timeOf(renewTime),
    created: timeOf(metadata.creationTimestamp) ?? 0,
    object,
  };
}

/** Whether a candidate has not shown a sign of life for so long that it counts no longer. @param now milliseconds since 1970 */
export function isExpired({renewed}: Pick<Candidate, 'renewed'>, now: number): boolean {
  return renewed === undefined || renewed + validMillis < now;
}

/** Milliseconds since 1970; undefined for what is no time. */
export function timeOf(text: string | null | undefined): number | undefined {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}
