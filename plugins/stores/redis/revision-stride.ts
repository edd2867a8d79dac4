/**
 * The revisions that a shard may give out. Shards with one order in common have a remainder each: no two of them ever give out the same
 * revision, and none has to ask another one. A shard with an order of its own gives out all.
 */
export class RevisionStride {
  constructor(
    readonly remainder: number,
    readonly step: number,
  ) {}

  /** The first that it may give out above a revision; `commit.lua`, `advance.lua` and `restore-fill.lua` do the same. */
  next(revision: number): number {
    const gap = (this.remainder - revision - 1) % this.step;
    return revision + 1 + (gap < 0 ? gap + this.step : gap);
  }

  /** The highest that certainly is no new one of this shard, when it has come to a revision. */
  closedAt(revision: number): number {
    return this.next(revision) - 1;
  }
}
