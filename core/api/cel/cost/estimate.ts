import type {LibraryNode} from '../library-node.js';
import {anySize, exactly, type SizeRange} from './size-range.js';
import type {SizeModel} from './size-model.js';

/** The maximum cost of evaluating an expression, and what is known about the size of its value. */
export interface Estimate {
  readonly cost: number;
  readonly size?: SizeRange | undefined;
  readonly model?: SizeModel | undefined;
}

/** The part of the library's types on which sizes depend. */
export interface ValueType {
  readonly kind: 'primitive' | 'message' | 'dyn' | 'list' | 'map' | 'optional' | 'param';
  readonly name: string;
  readonly valueType?: ValueType;
}

/** An operand of an operation: its estimate and its type. */
export interface Operand extends Estimate {
  readonly type: ValueType;
  readonly node: LibraryNode;
}

const dynamic: ValueType = {kind: 'dyn', name: 'dyn'};

/** The type that the type check assigned to a node. */
export function typeOf(node: LibraryNode): ValueType {
  return (node as {checkedType?: ValueType}).checkedType ?? dynamic;
}

export function isText({name}: ValueType): boolean {
  return name === 'string' || name === 'bytes';
}

/** The size of a value: computed by an operation, bounded by the schema, or unknown. */
export function sizeOf({size, model, type}: Estimate & {readonly type: ValueType}): SizeRange {
  if (size) return size;
  if (model) return {min: 0, max: model.maxElements};
  return isOfOneSize(type) ? exactly(1) : anySize;
}

/** Numbers, times and the like. Objects and lists are compared part by part. */
function isOfOneSize({kind, name}: ValueType): boolean {
  return kind === 'primitive' ? !isText({kind, name}) : kind === 'message' && !/^object\d+$/.test(name);
}

/** What is known about the parts of a value whose own size an operation computed. */
export function modelOf(operand: Estimate & {readonly type: ValueType}): SizeModel | undefined {
  const {size, model} = operand;
  if (!size) return model;
  return {maxElements: size.max, isBounded: model?.isBounded, item: model?.item, key: model?.key, field: (name) => model?.field?.(name)};
}

/** What is known about the parts of a list or map that contains the values of these operands. */
export function modelOfAll(operands: readonly Operand[]): SizeModel | undefined {
  const [first, ...others] = operands.map((operand) => {
    const {max} = sizeOf(operand);
    return modelOf(operand) ?? {maxElements: max};
  });
  return first && others.reduce(eitherModel, first);
}

/** What is known about a value that is one of two, or made of both. */
export function unionModel(left: Operand, right: Operand): SizeModel | undefined {
  return modelOfAll([left, right]);
}

/** Parts of which one value says nothing may be of any size. */
function eitherModel(a: SizeModel, b: SizeModel): SizeModel {
  const both = (x: SizeModel | undefined, y: SizeModel | undefined) => x && y && eitherModel(x, y);
  // An empty list or map has no parts.
  const [item, key] = [
    a.maxElements === 0 ? b.item : b.maxElements === 0 ? a.item : both(a.item, b.item),
    a.maxElements === 0 ? b.key : b.maxElements === 0 ? a.key : both(a.key, b.key),
  ];
  return {
    maxElements: Math.max(a.maxElements, b.maxElements),
    isBounded: a.isBounded !== false && b.isBounded !== false,
    item,
    key,
    field: (name) => both(a.field?.(name), b.field?.(name)),
  };
}
