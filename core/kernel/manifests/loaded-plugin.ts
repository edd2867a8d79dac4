import type {FoundPlugin} from './read-manifest.js';

/** A plugin after everything was checked that can be checked without its code. */
export interface LoadedPlugin extends FoundPlugin {
  /** Whether it is enabled. */
  readonly enabled: boolean;
  /** The reason, as operators know it: `default`, `--disable-plugins`, `profile minimal`, `required by rbac`, … */
  readonly why: string;
  /** Its settings, validated, with defaults; empty if it is disabled. */
  readonly config: Readonly<Record<string, unknown>>;
}
