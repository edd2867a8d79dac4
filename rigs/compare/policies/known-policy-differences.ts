import {isDeepStrictEqual} from 'node:util';
import type {PolicyAnswer} from './run-cases.js';

interface Known {
  readonly why: string;
  fits(about: string, real: PolicyAnswer, own: PolicyAnswer): boolean;
}

/** Cases by name. */
const of =
  (...names: readonly string[]) =>
  (about: string) =>
    names.includes(about.split(':', 1)[0]!);

/** Differences that stay, and why. */
const known: readonly Known[] = [
  {
    why: 'faults of expressions are told in other words than those of cel-go',
    fits: (_about, real, own) => real.code === own.code && isDeepStrictEqual(withoutFaults(real), withoutFaults(own)),
  },
  {
    why: 'what makes an evaluation fail is told in other words',
    fits: (_about, real, own) => real.code === own.code && isDeepStrictEqual(withoutResults(real), withoutResults(own)),
  },
  {
    why: 'patches that cannot be applied are told in the words that clients get for theirs',
    fits: (about, real, own) =>
      of('wrong-type', 'wrong-value-type', 'add-missing', 'remove-missing', 'unknown-op', 'connect-patch-fails')(about) &&
      real.code === 403 &&
      own.code === 403,
  },
  {
    why: 'an object of another kind is refused for its kind, not for what its fields would be there',
    fits: (about, real, own) => of('change-kind')(about) && real.code === 500 && own.code === 500,
  },
];

/** Why a difference stays; undefined if it is open. */
export function reasonOf(about: string, real: PolicyAnswer, own: PolicyAnswer): string | undefined {
  return known.find(({fits}) => fits(about, real, own))?.why;
}

/** Without what is wrong with an expression: only that something is. */
function withoutFaults(answer: PolicyAnswer): unknown {
  return without(answer, /(?:compilation failed: |must evaluate to Object but got )[^]*?(?=, spec\.|\]$|$)/g);
}

/** Without why an evaluation failed. */
function withoutResults(answer: PolicyAnswer): unknown {
  return without(answer, /(?:resulted in error|fails to evaluate): [^]*$/g);
}

function without(answer: PolicyAnswer, part: RegExp): unknown {
  return JSON.parse(JSON.stringify(answer), (_key, value: unknown) => (typeof value === 'string' ? value.replaceAll(part, '') : value));
}
