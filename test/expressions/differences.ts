import {reasonFor, type CaseDifference} from './known-differences.js';
import {ownAnswer} from './own-answers.js';
import type {RecordedCase} from './recorded.js';

/** A case with a difference, and why it stays; no reason if it is open. */
export interface FoundDifference extends CaseDifference {
  readonly reason: string | undefined;
}

/** In what our answers differ from those of a real server of a release. */
export function differencesIn(release: string, cases: readonly RecordedCase[]): FoundDifference[] {
  return cases.flatMap(({one, answer: real}) => {
    const own = ownAnswer(one, release);
    if (JSON.stringify([own.definition, own.values]) === JSON.stringify([real.definition, real.values])) return [];
    const difference = {release, one, real, own};
    return [{...difference, reason: reasonFor(difference)}];
  });
}

/** How many there are of each kind. */
export function countsByKind(kinds: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(groupOf(kind), (counts.get(groupOf(kind)) ?? 0) + 1);
  return counts;
}

/** The first word of a kind: the others tell the function or the subject. */
function groupOf(kind: string): string {
  return kind.split(' ')[0]!;
}
