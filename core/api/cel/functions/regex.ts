import type {Environment} from '@marcbachmann/cel-js';
import {BoundedCache} from '../../cache/bounded-cache.js';
import {Regexp} from '../../schema/regexp.js';
import {meter} from '../cost-meter.js';

const sync = {async: false};
/** To compile a pattern, for each of its characters; large repetitions make it dearer. */
const stepsToCompile = 200;
/** To find a match and to cut it out. */
const stepsPerMatch = 60;
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
  return prepared(pattern, text).test(text);
}

/** The first `limit` matches, or all if it is negative. */
function findAll(text: string, pattern: string, limit: bigint): string[] {
  const found: string[] = [];
  if (limit === 0n) return found;
  meter.spend(stepsPerMatch);
  for (const match of prepared(pattern, text).matches(text)) {
    found.push(match);
    if (limit > 0n && found.length >= Number(limit)) break;
    meter.spend(stepsPerMatch);
  }
  return found;
}

/** @throws Error if the pattern is invalid */
function prepared(pattern: string, text: string): Regexp {
  const regexp = cache.get(pattern);
  // In the worst case an instruction takes about a fifth of a step per character.
  meter.spend(20 + regexp.workFor(text) / 3);
  return regexp;
}
