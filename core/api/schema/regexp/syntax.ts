import type {CharSet} from './char-set.js';

/** A place in the text that takes no character. */
export type Assertion = 'text-start' | 'text-end' | 'line-start' | 'line-end' | 'word-boundary' | 'no-word-boundary';

/** A parsed expression. */
export type Syntax =
  | {readonly kind: 'empty'}
  | {readonly kind: 'char'; readonly set: CharSet}
  | {readonly kind: 'assert'; readonly assertion: Assertion}
  | {readonly kind: 'sequence'; readonly items: readonly Syntax[]}
  | {readonly kind: 'choice'; readonly items: readonly Syntax[]}
  /** `max` is undefined when there is no upper bound. */
  | {readonly kind: 'repeat'; readonly item: Syntax; readonly min: number; readonly max: number | undefined};

/** An expression that cannot be understood, or that is larger than is allowed. */
export class RegexpSyntaxError extends Error {
  override readonly name = 'RegexpSyntaxError';
}
