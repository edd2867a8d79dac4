import {isText, modelOf, sizeOf, unionModel, type Estimate, type Operand} from './estimate.js';
import {add, addSizes, exactly, multiply, multiplySizes, scale, unbounded, unionOf, type SizeRange} from './size-range.js';
import type {SizeModel} from './size-model.js';

/** The cost of reading one byte of a string, and of matching it against one character of a regular expression. */
export const perByte = 0.1;
const perPatternByte = 0.25;
const bytesPerCharacter = 4;

/**
 * The cost of a function or method without that of its operands, and the size of its result (cel-go's `functionCost` and the cost library
 * of Kubernetes' apiserver).
 *
 * @param target the value on which the method is called
 */
export function callCost(name: string, target: Operand | undefined, args: readonly Operand[]): Estimate {
  const [first, second] = args;
  const subject = target ?? first;
  if (!subject) return {cost: 1};
  switch (name) {
    case 'startsWith':
    case 'endsWith':
      return first ? {cost: scale(sizeOf(first).max, perByte)} : {cost: 1};
    case 'contains':
      return target && first ? {cost: multiply(scale(sizeOf(target).max, perByte), scale(sizeOf(first).max, perByte))} : {cost: 1};
    case 'matches':
      return matchCost(subject, target ? first : second);
    case 'find':
      return {...matchCost(subject, first), size: upTo(sizeOf(subject))};
    case 'findAll':
      return {...matchCost(subject, first), ...partsOf(subject, second)};
    case 'bytes': {
      const {min, max} = sizeOf(subject);
      return {cost: scale(max, perByte), size: {min, max: multiply(max, 4)}};
    }
    case 'string':
      return stringCost(subject);
    case 'isSorted':
    case 'sum':
    case 'min':
    case 'max':
    case 'indexOf':
    case 'lastIndexOf':
      return target ? {cost: searchCost(target)} : {cost: 1};
    case 'url':
    case 'isIP':
    case 'isCIDR':
    case 'quantity':
    case 'isQuantity':
    case 'semver':
    case 'isSemver':
      return target ? {cost: 1} : {cost: scale(sizeOf(subject).max, perByte)};
    case 'lowerAscii':
    case 'upperAscii':
      return {cost: scale(sizeOf(subject).max, perByte), size: sizeOf(subject)};
    case 'substring':
    case 'trim':
      return {cost: scale(sizeOf(subject).max, perByte), size: upTo(sizeOf(subject))};
    case 'reverse':
      return {cost: scale(sizeOf(subject).max, perByte), size: {min: sizeOf(subject).min, max: boundOf(subject)}};
    case 'charAt':
      return {cost: 1, size: {min: 0, max: bytesPerCharacter}};
    case 'replace':
      return first && second
        ? {cost: scale(sizeOf(subject).max, 2 * perByte), size: replacedSize(sizeOf(subject), sizeOf(first), sizeOf(second))}
        : {cost: 1};
    case 'split':
      return {cost: scale(sizeOf(subject).max, 2 * perByte), ...partsOf(subject, second)};
    case 'join':
      return joinCost(subject, first);
    case 'value':
      return {cost: 1, size: subject.size, model: subject.model};
    case 'orValue':
    case 'or':
      return first ? {cost: 1, size: unionOf(sizeOf(subject), sizeOf(first)), model: unionModel(subject, first)} : {cost: 1};
    case 'of':
    case 'optional.of':
      return {cost: 1, size: first?.size, model: first?.model};
    default:
      return {cost: 1};
  }
}

/** Patterns are not analyzed: four characters count as one step. One byte is added so that an empty string has a cost too. */
function matchCost(text: Operand, pattern: Operand | undefined): Estimate {
  if (!pattern) return {cost: 1};
  return {cost: multiply(scale(add(sizeOf(text).max, 1), perByte), scale(sizeOf(pattern).max, perPatternByte))};
}

function stringCost(value: Operand): Estimate {
  if (value.type.name === 'string') return {cost: 1, size: sizeOf(value)};
  if (value.type.name !== 'bytes' && value.type.kind !== 'dyn') return {cost: 1};
  const {min, max} = sizeOf(value);
  return {cost: scale(max, perByte), size: {min: Math.floor(min / 4), max}};
}

/** Every item is compared once, strings from end to end. */
function searchCost(list: Operand): number {
  const {max} = sizeOf(list);
  if (list.type.kind !== 'list') return scale(max, perByte);
  const item = list.type.valueType;
  const text = item && isText(item) ? scale(list.model?.item?.maxElements ?? unbounded, perByte) : 0;
  return multiply(max, add(1, text));
}

function replacedSize(text: SizeRange, from: SizeRange, to: SizeRange): SizeRange {
  const most =
    from.min === 0
      ? {count: add(text.max, 1), kept: text.max}
      : to.max <= from.min
        ? {count: 0, kept: text.max}
        : {count: Math.ceil(text.max / from.min), kept: 0};
  const least =
    from.max === 0
      ? {count: add(text.min, 1), kept: text.min}
      : from.max <= to.min
        ? {count: 0, kept: text.min}
        : {count: Math.ceil(text.min / from.max), kept: 0};
  return addSizes(multiplySizes({min: least.count, max: most.count}, to), {min: least.kept, max: most.kept});
}

/** The parts of a text that `split` and `findAll` make: as many as it has characters, each as long as the text itself. */
function partsOf(text: Operand, limit: Operand | undefined): Pick<Estimate, 'size' | 'model'> {
  const given: unknown = limit?.node.op === 'value' ? limit.node.args : undefined;
  const {max} = sizeOf(text);
  const count = typeof given === 'bigint' && given >= 0n ? Number(given) : max;
  return {size: {min: 0, max: count}, model: {maxElements: count, item: {maxElements: max, isBounded: text.model?.isBounded}}};
}

function joinCost(list: Operand, separator: Operand | undefined): Estimate {
  const count = sizeOf(list);
  const item = modelOf(list)?.item;
  // Only lists of the schema itself have items whose greatest size is that of a request.
  const longest = list.size && item ? elementsOf(item) : item?.maxElements;
  let size = list.type.kind === 'list' ? multiplySizes(count, {min: 0, max: longest ?? unbounded}) : exactly(0);
  if (separator)
    size = addSizes(size, multiplySizes(sizeOf(separator), {min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1)}));
  return {cost: scale(size.max, perByte), size};
}

function upTo({max}: SizeRange): SizeRange {
  return {min: 0, max};
}

/** The greatest size of a value by its schema; `unbounded` if only that of a request bounds it. */
function boundOf(value: Operand): number {
  return !value.size && value.model ? elementsOf(value.model) : sizeOf(value).max;
}

function elementsOf({isBounded, maxElements}: SizeModel): number {
  return isBounded === false ? unbounded : maxElements;
}
