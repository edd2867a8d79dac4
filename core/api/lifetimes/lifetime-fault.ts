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

/**
 * What elements break that are there or were removed, among them those that are both.
 *
 * @param faultsOf what one element breaks; `gone` if it was removed
 */
export function faultsOfAll<T extends {readonly name: string}>(
  present: readonly T[],
  removed: readonly T[],
  subjectOf: (name: string) => string,
  faultsOf: (element: T, gone: boolean) => readonly LifetimeFault[],
): LifetimeFault[] {
  const names = new Set(present.map(({name}) => name));
  const both = removed.filter(({name}) => names.has(name));
  return [
    ...present.flatMap((element) => faultsOf(element, false)),
    ...removed.flatMap((element) => faultsOf(element, true)),
    ...both.map(({name}) => ({
      rule: 'still-there' as const,
      subject: subjectOf(name),
      text: 'it stands among the removed ones, and it is there',
    })),
  ];
}
