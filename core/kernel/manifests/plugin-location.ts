import type {PluginDefinition} from '../../../sdk/plugin/define/define-plugin.js';
import type {PluginManifest} from '../../../sdk/plugin/manifest.js';

/** How a plugin was found: in a plugin root, named by `--plugin`, or named by the configuration. */
export type PluginSource = 'root' | 'option' | 'configuration';

/** The entry module of a plugin among those that a build has put into one module. */
export interface JoinedEntry {
  /** Absolute path of that module. Its export `entries` has the exports of each entry module by name. */
  readonly file: string;
  readonly name: string;
}

/** A plugin that was found and whose manifest has not been read yet. */
export interface PluginLocation {
  /** Absolute, without symbolic links. References to schemas and to the entry module are relative to it. */
  readonly folder: string;
  /** Absolute path of the manifest or of the module that defines the plugin; `definePlugin` for one that a program defines. */
  readonly file: string;
  /** Manifest and classes of a plugin that is defined by code. */
  readonly definition?: PluginDefinition;
  readonly source: PluginSource;
  /** The npm package that it was found as. */
  readonly package?: string;
  /** The manifest of a plugin that was checked, as `orch plugins check` does, when it was built. */
  readonly built?: PluginManifest;
  /** Where a build has put the entry module besides. */
  readonly joined?: JoinedEntry;
  /** The name under which the configuration lists it. */
  readonly expectedName?: string;
}
