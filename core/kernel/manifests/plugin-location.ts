/** How a plugin was found: in a plugin root, named by `--plugin`, or named by the configuration. */
export type PluginSource = 'root' | 'option' | 'configuration';

/** A manifest file that was found and not read yet. */
export interface PluginLocation {
  /** Absolute, without symbolic links. */
  readonly folder: string;
  /** Absolute path of the manifest. */
  readonly file: string;
  readonly source: PluginSource;
  /** The name under which the configuration lists it. */
  readonly expectedName?: string;
}
