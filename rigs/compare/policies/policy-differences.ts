import {isDeepStrictEqual} from 'node:util';
import {reasonOf} from './known-policy-differences.js';
import type {PolicyAnswer} from './run-cases.js';

/** What was answered in another way than by the real server. */
export interface PolicyDifference {
  readonly about: string;
  readonly real: PolicyAnswer;
  readonly own: PolicyAnswer | undefined;
  /** Why it stays; undefined if it is open. */
  readonly known: string | undefined;
}

export function policyDifferences(
  real: ReadonlyMap<string, PolicyAnswer>,
  own: ReadonlyMap<string, PolicyAnswer>,
): readonly PolicyDifference[] {
  return [...real].flatMap(([about, theirs]) => {
    const mine = own.get(about);
    return isDeepStrictEqual(theirs, mine) ? [] : [{about, real: theirs, own: mine, known: mine && reasonOf(about, theirs, mine)}];
  });
}
