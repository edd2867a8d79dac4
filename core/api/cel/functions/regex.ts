import type {Environment} from '@marcbachmann/cel-js';
import {BoundedCache} from '../../cache/bounded-cache.js';
import {Regexp} from '../../schema/regexp.js';
import {meter} from '../cost-meter.js';

const sync = {async: false};
/** To compile a pattern, for each of its characters; large repetitions make it dearer. */
const stepsToCompile = 200;
/** To begin a search. */
const stepsToBegin = 200;
/** To find a match and to cut it out. */
const stepsPerMatch = 60;
/** To say whether there is a match takes less than to say where it ends, for which the library follows every instruction. */
const stepsToTest = 1 / 3;
const stepsToFind = 1;
const cache = new BoundedCache((pattern) => {
  meter.spend(stepsToCompile * (1 + pattern.length));
  return new Regexp(pattern);
});

/** Regular expressions in the syntax of RE2: `matches`, and Kubernetes' `find` and `findAll`. */
export function addRegexFunctions(environment: Environment): void {
  environment
    .registerFunction('string.matches_(string): bool', matches, sync)
    .registerFunction('matches_(string, string): bool', matches, sync)
    .registerFunction('string.find(string): string', (text: string, pattern: string) => findAll(text, pattern, 1n)[0] ?? '', sync)
    .registerFunction('string.findAll(string): list<string>', (text: string, pattern: string) => findAll(text, pattern, -1n), sync)
    .registerFunction('string.findAll(string, int): list<string>', findAll, sync);
}

function matches(text: string, pattern: string): boolean {
  return prepared(pattern, text, stepsToTest).test(text);
}

/** The first `limit` matches, or all if it is negative. */
function findAll(text: string, pattern: string, limit: bigint): string[] {
  const found: string[] = [];
  if (limit === 0n) return found;
  meter.spend(stepsToBegin);
  for (const match of prepared(pattern, text, stepsToFind).matches(text)) {
    found.push(match);
    if (limit > 0n && found.length >= Number(limit)) break;
    meter.spend(stepsPerMatch);
  }
  return found;
}

/**
 * @param steps for each instruction and character
 * @throws Error if the pattern is invalid
 */
function prepared(pattern: string, text: string, steps: number): Regexp {
  const regexp = cache.get(pattern);
  meter.spend(20 + regexp.workFor(text) * steps);
  return regexp;
}
