import {parseRegexp} from './parser.js';
import {compileProgram, type Program} from './program.js';
import type {Assertion} from './syntax.js';

/** Steps that one test may take: well below a second. */
const stepLimit = 10_000_000;

/** A text is too long for an expression of this size to be tested on it. */
export class RegexpTooExpensive extends Error {
  override readonly name = 'RegexpTooExpensive';
}

/**
 * A regular expression in the syntax of Go's regexp package, as patterns of Kubernetes schemas are written. Testing takes time
 * proportional to the length of the text whatever the expression is: patterns and texts come from users, and the
 * engine of the language may take exponential time.
 */
export class Regexp {
  readonly #program: Program;
  readonly #marks: Uint32Array;
  #mark = 0;

  /** @throws RegexpSyntaxError */
  constructor(readonly pattern: string) {
    this.#program = compileProgram(parseRegexp(pattern));
    this.#marks = new Uint32Array(this.#program.instructions.length);
  }

  /**
   * Whether the expression matches anywhere in the text.
   *
   * @throws RegexpTooExpensive
   */
  test(text: string): boolean {
    const {instructions, start} = this.#program;
    let current: number[] = [];
    let following: number[] = [];
    let steps = 0;
    let before = -1;
    for (let index = 0; ; ) {
      const codePoint = index < text.length ? (text.codePointAt(index) as number) : -1;
      current.push(start);
      this.#nextMark();
      for (let top = 0; top < current.length; top++) {
        const position = current[top] as number;
        if (this.#marks[position] === this.#mark) continue;
        this.#marks[position] = this.#mark;
        if (++steps > stepLimit) throw new RegexpTooExpensive(`testing ${JSON.stringify(this.pattern)} takes too long on a text of ${text.length} characters`);
        const instruction = instructions[position];
        switch (instruction?.op) {
          case 'match':
            return true;
          case 'char':
            if (codePoint >= 0 && instruction.set.has(codePoint)) following.push(instruction.next);
            break;
          case 'split':
            for (const target of instruction.targets) current.push(target);
            break;
          case 'assert':
            if (holds(instruction.assertion, before, codePoint)) current.push(instruction.next);
            break;
          case undefined:
            throw new Error(`regular expression ${JSON.stringify(this.pattern)} has no instruction ${position}`);
        }
      }
      if (codePoint < 0) return false;
      before = codePoint;
      index += codePoint > 0xffff ? 2 : 1;
      [current, following] = [following, current];
      following.length = 0;
    }
  }

  /** A new mark makes all older ones void; only when the counter is used up they have to be wiped. */
  #nextMark(): void {
    if (this.#mark === 0xffffffff) {
      this.#marks.fill(0);
      this.#mark = 0;
    }
    this.#mark++;
  }
}

/** `before` and `after` are the characters around the place, -1 where there is none. */
function holds(assertion: Assertion, before: number, after: number): boolean {
  switch (assertion) {
    case 'text-start':
      return before < 0;
    case 'text-end':
      return after < 0;
    case 'line-start':
      return before < 0 || before === 10;
    case 'line-end':
      return after < 0 || after === 10;
    case 'word-boundary':
      return isWord(before) !== isWord(after);
    case 'no-word-boundary':
      return isWord(before) === isWord(after);
  }
}

function isWord(codePoint: number): boolean {
  return (codePoint >= 48 && codePoint <= 57) || (codePoint >= 65 && codePoint <= 90) || codePoint === 95 || (codePoint >= 97 && codePoint <= 122);
}
