import type {FoundPlugin} from './manifests/read-manifest.js';

/** A plugin after everything was checked that can be checked without its code. */
export interface LoadedPlugin extends FoundPlugin {
  /** Whether it takes part. */
  readonly enabled: boolean;
  /** Its settings, validated, with defaults; empty when it does not take part. */
  readonly config: Readonly<Record<string, unknown>>;
}
