import type {NamingProfile, ObjectMeta} from '../../../sdk/index.js';

/** Circumstances that the rules for pods depend on. */
export interface PodRules {
  /** How reserved resource names and annotations are spelled. */
  readonly naming: NamingProfile;
  /** Whether containers may be privileged; true by default. */
  readonly allowPrivileged?: boolean;
  /** Objects that are stored already may keep selectors with values that no label can have. */
  readonly allowInvalidSelectorValues?: boolean;
  /** Objects that are stored already may keep amounts of huge pages that are no multiple of the page size. */
  readonly allowIndivisibleHugePages?: boolean;
  /** Objects that are stored already may use the access mode `ReadWriteOncePod` while its feature gate is off. */
  readonly allowReadWriteOncePod?: boolean;
  /** Metadata of the pod itself; a template has none. */
  readonly podMetadata?: ObjectMeta;
}
