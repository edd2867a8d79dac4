import {shardCount} from './work.js';

/** A label selector, and the shards whose objects it lets through. */
export interface ShardFilter {
  readonly selector: string;
  readonly shards: readonly number[];
}

const shards = Array.from({length: shardCount}, (_, shard) => shard);
const names = (of: readonly number[]) => of.map((shard) => `s${shard}`).join(',');

/** One, two or three shards from `first` on, in the three ways in which a selector can say so. */
function filtersFrom(first: number): ShardFilter[] {
  const next = (count: number) => Array.from({length: count}, (_, step) => (first + step) % shardCount);
  const three = next(3);
  return [
    {selector: `shard=s${first}`, shards: [first]},
    {selector: `shard in (${names(next(2))})`, shards: next(2)},
    {selector: `app=bench,shard notin (${names(shards.filter((shard) => !three.includes(shard)))})`, shards: three},
  ];
}

/** Selectors of all kinds, no two alike. Each lets a tenth to three tenths of the objects through; every shard is let through by equally many. */
export const shardFilters: readonly ShardFilter[] = shards.flatMap(filtersFrom);
