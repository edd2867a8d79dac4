/**
 * The revisions that a shard may give out. Shards with a common order have a remainder each: no two of them ever give out the same
 * revision, without coordination. A shard with its own order gives out all revisions.
 */
export class RevisionStride {
  constructor(
    readonly remainder: number,
    readonly step: number,
  ) {}

  /** The first revision that it may give out above another; `commit.lua`, `advance.lua` and `restore-fill.lua` do the same. */
  next(revision: number): number {
    const gap = (this.remainder - revision - 1) % this.step;
    return revision + 1 + (gap < 0 ? gap + this.step : gap);
  }

  /** The highest revision up to which a shard that has reached `revision` gives out no new one. */
  closedAt(revision: number): number {
    return this.next(revision) - 1;
  }
}
