/**
 * When a version of a resource type came and when it goes. Releases are those of the platform (`1.26`), as `/version` answers them.
 * `docs/plugin-guide.md` says what follows from it, and which lifetimes are refused.
 */
export interface VersionLifetime {
  /** The release that served the version first. */
  readonly introduced: string;
  /** From this release on answers carry a `Warning`. */
  readonly deprecated?: string;
  /** From this release on the version is not served any more, whatever `--runtime-config` says. */
  readonly removed?: string;
  /** Group version in the neutral form that takes its place: `storage.orch/v1`, `v1` in the core group. */
  readonly replacedBy?: string;
}

/** The releases in which a feature gate changed its stage. */
export interface FeatureGateLifetime {
  /** The release that knew the gate first. */
  readonly introduced: string;
  readonly beta?: string;
  readonly stable?: string;
  /** The release that gave the feature up: the gate comes to its end without becoming stable. */
  readonly deprecated?: string;
  /** The first release that does not know the gate any more. */
  readonly removed?: string;
}

/** That a flag or command goes away: using it still works and prints a warning. */
export interface ElementDeprecation {
  /** The release from which on it is deprecated. */
  readonly since: string;
  /** The release that will not have it any more, where that is settled. */
  readonly removal?: string;
  /** What to do instead; the end of the warning. */
  readonly message: string;
  /** Who uses it: people at work with objects (`user`), or those who run the server (`admin`). */
  readonly audience: 'user' | 'admin';
  readonly stage: 'stable' | 'beta' | 'alpha';
}
