/** The history of a table. `place` identifies the file: a copy has another one. */
export interface TableLineage {
  readonly store: string;
  readonly epoch: string;
  readonly place: string;
  /** Set while a restore into it is not finished. */
  readonly restoring?: true;
}
