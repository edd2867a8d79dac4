import {perByte} from './call-cost.js';
import {isText, sizeOf, unionModel, type Estimate, type Operand} from './estimate.js';
import {addSizes, scale} from './size-range.js';

/** The cost of a binary operator without that of its operands (cel-go's `functionCost`). */
export function operatorCost(operator: string, left: Operand, right: Operand): Estimate {
  switch (operator) {
    case '==':
    case '!=':
      return {cost: comparison(left, right)};
    case '<':
    case '<=':
    case '>':
    case '>=':
      if (isText(left.type) || isText(right.type)) return {cost: comparison(left, right)};
      return {cost: left.type.kind === 'dyn' && right.type.kind === 'dyn' ? Math.max(1, comparison(left, right)) : 1};
    case 'in':
      if (right.type.kind === 'map') return {cost: 1};
      return {cost: right.type.kind === 'dyn' ? Math.max(1, sizeOf(right).max) : sizeOf(right).max};
    case '+':
      return sum(left, right);
    default:
      return {cost: 1};
  }
}

/** A comparison of two values reads no further than the end of the smaller one. */
function comparison(left: Operand, right: Operand): number {
  return scale(Math.min(sizeOf(left).max, sizeOf(right).max), perByte);
}

/** Lists are concatenated without being read; strings are copied. */
function sum(left: Operand, right: Operand): Estimate {
  const {type} = left.type.kind === 'dyn' ? right : left;
  if (!isText(type) && type.kind !== 'list' && type.kind !== 'dyn') return {cost: 1};
  const size = addSizes(sizeOf(left), sizeOf(right));
  return type.kind === 'list' ? {cost: 1, size, model: unionModel(left, right)} : {cost: Math.max(1, scale(size.max, perByte)), size};
}
