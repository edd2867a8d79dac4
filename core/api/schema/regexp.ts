import {createRequire} from 'node:module';
import type {RE2JS} from 're2js';
import {BoundedCache} from '../cache/bounded-cache.js';

/** Longer expressions are refused. */
const maximumLength = 10_000;
/** Steps that one test may take. */
const workLimit = 10_000_000;
/** Steps of programs of more instructions count several times: their states are not kept, and each costs more. */
const smallProgram = 64;
const largeProgramWeight = 4;

let library: typeof RE2JS | undefined;

/** The library is a quarter of a megabyte and is needed by the first pattern only. */
function re2(): typeof RE2JS {
  library ??= (createRequire(import.meta.url)('re2js') as typeof import('re2js')).RE2JS;
  return library;
}

/** Loads the library ahead of the first expression. */
export function loadRegexp(): void {
  re2();
}

/** An expression that cannot be understood, or that is larger than is allowed. */
export class RegexpSyntaxError extends Error {
  override readonly name = 'RegexpSyntaxError';
}

/** A text is too long for an expression of this size to be tested on it. */
export class RegexpTooExpensive extends Error {
  override readonly name = 'RegexpTooExpensive';
}

/**
 * A regular expression in the syntax of Go's regexp package, as patterns of Kubernetes are written: no look-around, no back
 * references. Testing takes time proportional to the length of the text: patterns and texts come from users, and the engine
 * of the language may take exponential time.
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

  /** What testing a text costs at worst, in steps that take up to 10 ns. */
  workFor(text: string): number {
    const size = this.#compiled.programSize();
    return text.length * size * (size > smallProgram ? largeProgramWeight : 1);
  }

  /**
   * Whether the expression matches anywhere in the text.
   *
   * @throws RegexpTooExpensive
   */
  test(text: string): boolean {
    this.#check(text);
    return this.#compiled.test(text);
  }

  /**
   * The first matches in the text, from left to right, at most `limit`.
   *
   * @throws RegexpTooExpensive
   */
  findAll(text: string, limit = Number.POSITIVE_INFINITY): string[] {
    this.#check(text);
    const matcher = this.#compiled.matcher(text);
    const found: string[] = [];
    while (found.length < limit && matcher.find()) found.push(matcher.group() ?? '');
    return found;
  }

  #check(text: string): void {
    if (this.workFor(text) <= workLimit) return;
    throw new RegexpTooExpensive(`testing ${JSON.stringify(this.pattern)} takes too long on a text of ${text.length} characters`);
  }
}

/** Why an expression cannot be used; undefined when it can. */
export function patternFault(pattern: string): string | undefined {
  return judged.get(pattern).fault;
}

/** Definitions use the same few patterns again and again, and to compile one takes longer than all other checks of its schema. */
const judged = new BoundedCache((pattern): {readonly fault?: string} => {
  try {
    new Regexp(pattern);
    return {};
  } catch (error) {
    if (!(error instanceof RegexpSyntaxError)) throw error;
    return {fault: error.message};
  }
});
