/** What a table says of its history. `place` identifies the file: a copy of it is another one. */
export interface TableLineage {
  readonly store: string;
  readonly epoch: string;
  readonly place: string;
  /** A restore into it has begun and was not finished. */
  readonly restoring?: true;
}
