import {problem, type KernelProblem} from '../kernel-error.js';

/** Names that the same source both enables and disables. */
export function contradictions(enable: readonly string[], disable: readonly string[], option: string): KernelProblem[] {
  return [...new Set(enable)].filter((name) => disable.includes(name)).map((name) => problem('CONTRADICTION', {name, option}));
}
