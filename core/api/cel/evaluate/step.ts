import type {Node} from '../syntax/ast.js';

/** What an evaluation knows: the variables that are given, and those of macros. */
export interface Frame {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly locals: unknown[];
}

/** Evaluates a part of an expression. What fails evaluates to a `Fault`. */
export type Step = (frame: Frame) => unknown;

/** Makes steps of parts of an expression. */
export interface StepMaker {
  plan(node: Node): Step;
  /** Makes what knows a variable of a macro, which has this place among the locals. */
  within<T>(name: string, part: (place: number) => T): T;
}
