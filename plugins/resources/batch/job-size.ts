import type {FieldPath, StrategyContext} from '../../../sdk/index.js';
import type {JobSpec} from '../../../sdk/types/unchecked/batch/v1.js';

/** Above both, the failed indexes of a job may be too many for its status. */
const manyCompletions = 100_000;
const manyPods = 10_000;

/** Warns about an indexed job whose size is new, and too large for its indexes to be counted reliably. `path` is that of the spec. */
export function warnOfSize(spec: JobSpec, old: JobSpec | undefined | null, path: FieldPath, {warn}: StrategyContext): void {
  const {completionMode, completions, parallelism} = spec;
  if (completionMode !== 'Indexed' || (completions ?? 0) <= manyCompletions || (parallelism ?? 0) <= manyPods) return;
  if (old && old.completions === completions && old.parallelism === parallelism) return;
  warn(
    `${path.toString()}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
  );
}
