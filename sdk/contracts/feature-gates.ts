/** Switches for behaviour that is not settled yet. Known names come from manifests and the naming profile. */
export interface FeatureGates {
  /** Throws for a name that no manifest declares: that is a mistake in the code. */
  enabled(name: string): boolean;
}
