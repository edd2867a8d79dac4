/** Why a declared lifetime is rejected. */
export type LifetimeRule =
  | 'order'
  | 'version-name'
  | 'stable-removed'
  | 'deprecated-late'
  | 'removed-early'
  | 'removed-late'
  | 'less-stable-replacement'
  | 'unknown-replacement'
  | 'preferred-too-early'
  | 'storage-too-early'
  | 'stage'
  | 'still-there'
  | 'unneeded-exception'
  | 'undeclared'
  | 'vanished';

/** A lifetime that breaks a promise of the platform (docs/semantics/deprecation.md). */
export interface LifetimeFault {
  readonly rule: LifetimeRule;
  /**
   * The element concerned: `storage.orch/v1beta1`, `storage.orch/v1beta1 CSIStorageCapacity`, `--admission-control`, `the feature gate
   * DryRun`.
   */
  readonly subject: string;
  /** The message, without the subject. */
  readonly text: string;
}
