import type {Environment} from '@marcbachmann/cel-js';
import {BoundedCache} from '../../cache/bounded-cache.js';
import {Regexp} from '../../schema/regexp.js';
import {meter} from '../cost-meter.js';

const sync = {async: false};
const cache = new BoundedCache((pattern) => {
  meter.spend(pattern.length);
  return new Regexp(pattern);
});

/** Regular expressions in the syntax of RE2: `matches`, and Kubernetes' `find` and `findAll`. */
export function addRegexFunctions(environment: Environment): void {
  environment
    .registerFunction('string.matches_(string): bool', matches, sync)
    .registerFunction('matches_(string, string): bool', matches, sync)
    .registerFunction(
      'string.find(string): string',
      (text: string, pattern: string) => prepared(pattern, text).findAll(text, 1)[0] ?? '',
      sync,
    )
    .registerFunction(
      'string.findAll(string): list<string>',
      (text: string, pattern: string) => prepared(pattern, text).findAll(text),
      sync,
    )
    .registerFunction('string.findAll(string, int): list<string>', findAll, sync);
}

function matches(text: string, pattern: string): boolean {
  return prepared(pattern, text).test(text);
}

function findAll(text: string, pattern: string, limit: bigint): string[] {
  return prepared(pattern, text).findAll(text, limit < 0n ? Number.POSITIVE_INFINITY : Number(limit));
}

/** @throws Error if the pattern is invalid */
function prepared(pattern: string, text: string): Regexp {
  const regexp = cache.get(pattern);
  // In the worst case an instruction takes about a tenth of a step per character.
  meter.spend(regexp.workFor(text) / 10);
  return regexp;
}
