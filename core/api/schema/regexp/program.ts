import type {CharSet} from './char-set.js';
import {RegexpSyntaxError, type Assertion, type Syntax} from './syntax.js';

/** One step of a program. Targets are positions in the list of instructions. */
export type Instruction =
  | {readonly op: 'char'; readonly set: CharSet; readonly next: number}
  | {readonly op: 'assert'; readonly assertion: Assertion; readonly next: number}
  | {readonly op: 'split'; readonly targets: readonly number[]}
  | {readonly op: 'match'};

export interface Program {
  readonly instructions: readonly Instruction[];
  readonly start: number;
}

const maximumInstructions = 20_000;

/**
 * Turns an expression into a nondeterministic automaton. Counted repetition is written out, which is why the size is limited.
 *
 * @throws RegexpSyntaxError when the automaton would be too large
 */
export function compileProgram(syntax: Syntax): Program {
  const instructions: Instruction[] = [];
  const emit = (instruction: Instruction): number => {
    if (instructions.length >= maximumInstructions) throw new RegexpSyntaxError('expression is too large when its repetitions are written out');
    return instructions.push(instruction) - 1;
  };

  /** Emits an item that goes on at `next`; answers where it begins. The program grows from its end to its start. */
  const compile = (item: Syntax, next: number): number => {
    switch (item.kind) {
      case 'empty':
        return next;
      case 'char':
        return emit({op: 'char', set: item.set, next});
      case 'assert':
        return emit({op: 'assert', assertion: item.assertion, next});
      case 'sequence':
        return item.items.reduceRight((target, entry) => compile(entry, target), next);
      case 'choice':
        return emit({op: 'split', targets: item.items.map((entry) => compile(entry, next))});
      case 'repeat':
        return repeat(item.item, item.min, item.max, next);
    }
  };

  const repeat = (item: Syntax, min: number, max: number | undefined, next: number): number => {
    let target = next;
    if (max === undefined) {
      const targets: number[] = [];
      target = emit({op: 'split', targets});
      targets.push(compile(item, target), next);
    } else {
      for (let count = min; count < max; count++) target = emit({op: 'split', targets: [compile(item, target), next]});
    }
    for (let count = 0; count < min; count++) {
      const begin = compile(item, target);
      // An item that takes nothing needs no repetition; nested ones would cost time without growing the program.
      if (begin === target) break;
      target = begin;
    }
    return target;
  };

  const end = emit({op: 'match'});
  return {start: compile(syntax, end), instructions};
}
