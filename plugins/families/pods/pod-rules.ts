import type {NamingProfile, ObjectMeta} from '../../../sdk/index.js';

/** What the rules for pods depend on. */
export interface PodRules {
  /** How reserved resource names and annotations are spelled. */
  readonly naming: NamingProfile;
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
