import type {FeatureGates, NamingProfile, ObjectMeta} from '../../../sdk/index.js';
import type {PodSpec} from '../../../sdk/types/unchecked/core/v1.js';

/** What the rules for pods depend on. */
export interface PodRules {
  /** How reserved resource names and annotations are spelled. */
  readonly naming: NamingProfile;
  readonly gates: FeatureGates;
  /** The stored spec of an update: what it uses may stay while its feature is off. */
  readonly stored?: PodSpec;
  /** Whether containers may be privileged; true by default. */
  readonly allowPrivileged?: boolean;
  /** Stored objects may keep selectors with values that are invalid for labels. */
  readonly allowInvalidSelectorValues?: boolean;
  /** Stored objects may keep amounts of huge pages that are not multiples of the page size. */
  readonly allowIndivisibleHugePages?: boolean;
  /** Stored objects may use the access mode `ReadWriteOncePod` while its feature gate is off. */
  readonly allowReadWriteOncePod?: boolean;
  /** Metadata of the pod itself; a template has none. */
  readonly podMetadata?: ObjectMeta;
}

/** Whether a pod may use a feature: its gate is on, or the stored spec uses it already. */
export function mayUse({gates, stored}: PodRules, gate: string, isUsed: (spec: PodSpec) => boolean): boolean {
  return gates.enabled(gate) || (stored !== undefined && isUsed(stored));
}
