import {BoundedCache} from '../../cache/bounded-cache.js';
import {patternFault, Regexp, RegexpSyntaxError} from '../../schema/regexp.js';
import {meter} from '../cost-meter.js';
import {boolType, intType, listOf, stringType} from '../types/cel-type.js';
import {Fault, noSuchOverload} from '../values/fault.js';
import {form, functionsOf, method, type Library} from './overload.js';
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

const texts = listOf(stringType);
const text2 = [stringType, stringType] as const;

/** Regular expressions in the syntax of RE2: `matches`, and Kubernetes' `find` and `findAll`. */
export const regexLibrary: Library = {
  functions: [
    ...functionsOf(
      {matches: [form(text2, boolType, matches), method(text2, boolType, matches)]},
      {kinds: new Set(['string']), isUnguarded: true},
    ),
    ...functionsOf({
      find: [method(text2, stringType, find)],
      findAll: [
        method(text2, texts, (text: string, pattern: string) => findAll(text, pattern, -1n)),
        method([...text2, intType], texts, findAll),
      ],
    }),
  ],
};

/** What is wrong with a pattern that an expression contains, in the words of Go; undefined if nothing is. */
export function constantPatternFault(pattern: string): string | undefined {
  return patternFault(pattern);
}

function matches(text: unknown, pattern: unknown): boolean | Fault {
  if (typeof text !== 'string' || typeof pattern !== 'string') return noSuchOverload();
  return ofPattern(() => prepared(pattern, text, stepsToTest).test(text), '');
}

function find(text: string, pattern: string): string | Fault {
  const found = findAll(text, pattern, 1n);
  return found instanceof Fault ? found : (found[0] ?? '');
}

/** The first `limit` matches, or all if it is negative. */
function findAll(text: string, pattern: string, limit: bigint): string[] | Fault {
  return ofPattern(() => {
    const found: string[] = [];
    meter.spend(stepsToBegin);
    const regexp = prepared(pattern, text, stepsToFind);
    if (limit === 0n) return found;
    for (const match of regexp.matches(text)) {
      found.push(match);
      if (limit > 0n && found.length >= Number(limit)) break;
      meter.spend(stepsPerMatch);
    }
    return found;
  }, 'Illegal regex: ');
}

function ofPattern<T>(result: () => T, before: string): T | Fault {
  try {
    return result();
  } catch (error) {
    if (!(error instanceof RegexpSyntaxError)) throw error;
    return new Fault(before + error.message);
  }
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
