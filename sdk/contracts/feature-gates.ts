/** Switches for behaviour that may still change. Known names come from manifests and the naming profile. */
export interface FeatureGates {
  /** Throws for a name that no manifest declares: that is a programming error. */
  enabled(name: string): boolean;
}
