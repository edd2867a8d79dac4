/** Why a declared lifetime is refused. */
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

/** A lifetime that breaks a promise of the platform's (docs/semantics/deprecation.md). */
export interface LifetimeFault {
  readonly rule: LifetimeRule;
  /** What it is about: `storage.orch/v1beta1`, `storage.orch/v1beta1 CSIStorageCapacity`, `--admission-control`, `the feature gate DryRun`. */
  readonly subject: string;
  /** What is wrong, without the subject. */
  readonly text: string;
}
