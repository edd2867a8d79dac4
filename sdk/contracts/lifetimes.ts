/**
 * When a version of a resource type is introduced and removed, in releases of the platform (`1.26`) as reported by `/version`.
 * `docs/plugin-guide.md` says what effect that has, and which lifetimes are refused.
 */
export interface VersionLifetime {
  /** The first release that serves the version. */
  readonly introduced: string;
  /** From this release on objects are stored in the version, until a version that is stored since a later one. */
  readonly stored?: string;
  /** From this release on responses carry a `Warning`. */
  readonly deprecated?: string;
  /** From this release on the version is no longer served, whatever `--runtime-config` says. */
  readonly removed?: string;
  /** The release that warnings name as the one without it, where they say another one than `removed`. */
  readonly announcedRemoval?: string;
  /**
   * The group version that replaces it, in the neutral form: `storage.orch/v1`, `v1` in the core group; with the kind behind it where that is another one:
   * `discovery.orch/v1 EndpointSlice`.
   */
  readonly replacedBy?: string;
}

/** The releases in which a feature gate changed its stage. */
export interface FeatureGateLifetime {
  /** The first release that knows the gate. */
  readonly introduced: string;
  readonly beta?: string;
  readonly stable?: string;
  /** The release that dropped the feature: the gate ends without becoming stable. */
  readonly deprecated?: string;
  /** The first release that no longer knows the gate. */
  readonly removed?: string;
}

/** A flag or command is going away: it still works, and using it prints a warning. */
export interface ElementDeprecation {
  /** The first release in which it is deprecated. */
  readonly since: string;
  /** The first release without it, if that is decided. */
  readonly removal?: string;
  /** What to do instead; the end of the warning. */
  readonly message: string;
  /** Who uses it: users of objects (`user`), or operators of the server (`admin`). */
  readonly audience: 'user' | 'admin';
  readonly stage: 'stable' | 'beta' | 'alpha';
}
