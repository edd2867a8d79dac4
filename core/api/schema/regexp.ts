import {createRequire} from 'node:module';
import type {RE2JS} from 're2js';
import {BoundedCache} from '../cache/bounded-cache.js';

/** Longer patterns are rejected. */
const maximumLength = 10_000;
/** Maximum steps of one test. */
const workLimit = 10_000_000;
/** In programs with more instructions a step counts several times: their states are not cached, and each costs more. */
const smallProgram = 64;
const largeProgramWeight = 4;

let library: typeof RE2JS | undefined;

/** The library is a quarter of a megabyte and only needed once there is a pattern. */
function re2(): typeof RE2JS {
  library ??= (createRequire(import.meta.url)('re2js') as typeof import('re2js')).RE2JS;
  return library;
}

/** Loads the library before the first expression needs it. */
export function loadRegexp(): void {
  re2();
}

/** A pattern with invalid syntax or beyond the size limit. */
export class RegexpSyntaxError extends Error {
  override readonly name = 'RegexpSyntaxError';
}

/** A string is too long to be tested against an expression of this size. */
export class RegexpTooExpensive extends Error {
  override readonly name = 'RegexpTooExpensive';
}

/**
 * A regular expression in the syntax of Go's regexp package, which Kubernetes uses for patterns: no look-around, no back references. A test
 * takes time proportional to the length of the string. Patterns and strings come from users, and JavaScript's engine can take exponential
 * time.
 */
export class Regexp {
  readonly #compiled: RE2JS;

  /** @throws RegexpSyntaxError */
  constructor(readonly pattern: string) {
    if (pattern.length > maximumLength) throw new RegexpSyntaxError(`expression is longer than ${maximumLength} characters`);
    try {
      this.#compiled = re2().compile(pattern);
    } catch (error) {
      throw new RegexpSyntaxError((error as Error).message, {cause: error});
    }
  }

  /** The worst-case cost of testing a string, in steps of up to 10 ns. */
  workFor(text: string): number {
    const size = this.#compiled.programSize();
    return text.length * size * (size > smallProgram ? largeProgramWeight : 1);
  }

  /**
   * Whether the expression matches anywhere in the string.
   *
   * @throws RegexpTooExpensive
   */
  test(text: string): boolean {
    this.#check(text);
    return this.#compiled.test(text);
  }

  /**
   * The matches in the string, from left to right.
   *
   * @throws RegexpTooExpensive
   */
  *matches(text: string): Generator<string> {
    this.#check(text);
    const matcher = this.#compiled.matcher(text);
    while (matcher.find()) yield matcher.group() ?? '';
  }

  #check(text: string): void {
    if (this.workFor(text) <= workLimit) return;
    throw new RegexpTooExpensive(`testing ${JSON.stringify(this.pattern)} takes too long on a text of ${text.length} characters`);
  }
}

/** Why a pattern cannot be used; undefined if it is valid. */
export function patternFault(pattern: string): string | undefined {
  return judged.get(pattern).fault;
}

/** Definitions use the same few patterns again and again, and compiling one takes longer than all other checks of its schema. */
const judged = new BoundedCache((pattern): {readonly fault?: string} => {
  try {
    new Regexp(pattern);
    return {};
  } catch (error) {
    if (!(error instanceof RegexpSyntaxError)) throw error;
    return {fault: error.message};
  }
});
