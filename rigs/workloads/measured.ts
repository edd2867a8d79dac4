/** What containers use, by their names. */
export type PodUsage = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What is measured in a namespace. */
export interface Measured {
  /** By the names of pods. */
  readonly usage: Map<string, PodUsage>;
  /** Values of custom metrics by `RESOURCE/NAME/METRIC`; those of pods by `pods/NAME/METRIC`. */
  readonly custom: Map<string, string>;
  /** Values of external metrics by their names. */
  readonly external: Map<string, readonly string[]>;
}
