import type {Node} from '../syntax/ast.js';
import type {CelType} from '../types/cel-type.js';
import type {CallEstimate, Estimates, Operand} from './estimate.js';
import {add, exactly, multiply, multiplySizes, scale, unbounded, type SizeRange} from './size-range.js';

const perByte = 0.1;
const listCost = 10;

/** The cost of cel-go's functions of lists and sets; undefined for others. */
export function listCallCost(
  name: string,
  target: Operand | undefined,
  args: readonly Operand[],
  estimates: Estimates,
): CallEstimate | undefined {
  const [first, second] = args;
  const size = (operand: Operand) => estimates.known(operand);
  switch (name) {
    case 'sets.contains':
    case 'sets.intersects':
    case 'sets.equivalent':
      return {cost: add(1, scale(multiply(size(first!).max, size(second!).max), name === 'sets.equivalent' ? 2 : 1))};
    case 'slice': {
      const [start, end] = [wholeOf(first!.node!, 0), wholeOf(second!.node!, size(target!).max)];
      return allocating(1, exactly(end < start ? unbounded : end - start));
    }
    case 'lists.range':
      return allocating(1, exactly(wholeOf(first!.node!, unbounded)));
    case 'reverse':
      return target && allocating(1, size(target));
    case 'flatten':
      return target && allocating(first ? wholeOf(first.node!, unbounded) : 1, size(target));
    case 'distinct':
      return target && allocating(2, multiplySizes(size(target), size(target)));
    case 'sort':
      return target && sortCost(size(target), target.type.parameters[0]);
    case '@sortByAssociatedKeys':
      return first && sortCost(size(first), first.type.parameters[0]);
    default:
      return undefined;
  }
}

function sortCost(size: SizeRange, item: CelType | undefined): CallEstimate {
  return allocating(item?.kind === 'string' || item?.kind === 'bytes' ? 2 + perByte : 2, multiplySizes(size, size));
}

function allocating(factor: number, size: SizeRange): CallEstimate {
  return {cost: add(scale(size.max, factor), 1 + listCost), size};
}

function wholeOf(node: Node, otherwise: number): number {
  if (node.op !== 'literal' || typeof node.value !== 'bigint') return otherwise;
  return node.value < 0n ? 0 : Number(node.value);
}
