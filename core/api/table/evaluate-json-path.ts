import {equalJson} from '../../../sdk/values/equal-json.js';
import {isJsonObject} from '../json/is-json-object.js';
import {parseJsonPath, type JsonPathComparison, type JsonPathOperand, type JsonPathStep} from './json-path.js';

/**
 * Values that one evaluation looks at, in all its steps and filters together; what it would find beyond is left out. Steps that descend look at every value below
 * every value found before: a few of them would take forever.
 */
const maximumLooks = 20_000;

/** What an evaluation may still look at. */
interface Budget {
  left: number;
}

/** Finds all values at a JSON path. A missing value is not an error: it yields no result. */
export type JsonPathFinder = (root: unknown) => unknown[];

/**
 * Compiles a JSON path.
 *
 * @throws SyntaxError if the path is malformed
 */
export function compileJsonPath(text: string): JsonPathFinder {
  const steps = parseJsonPath(text);
  if (steps.every((step) => step.type === 'member' && step.names.length === 1)) return plainFinder(steps);
  return (root) => follow(steps, root, root, {left: maximumLooks});
}

/** Nearly all columns are plain member paths. */
function plainFinder(steps: readonly JsonPathStep[]): JsonPathFinder {
  const names = steps.flatMap((step) => (step.type === 'member' ? step.names : []));
  return (root) => {
    let value = root;
    for (const name of names) {
      if (!isJsonObject(value) || !Object.hasOwn(value, name)) return [];
      value = value[name];
    }
    return value === undefined ? [] : [value];
  };
}

function follow(steps: readonly JsonPathStep[], start: unknown, root: unknown, budget: Budget): unknown[] {
  let values = [start];
  for (const step of steps) {
    const found: unknown[] = [];
    for (const value of values) {
      if (budget.left <= 0) break;
      budget.left -= 1;
      for (const next of advance(step, value, root, budget)) found.push(next);
    }
    if (found.length === 0) return found;
    values = found;
  }
  return values;
}

function advance(step: JsonPathStep, value: unknown, root: unknown, budget: Budget): unknown[] {
  switch (step.type) {
    case 'member':
      if (!isJsonObject(value)) return [];
      return step.names.filter((name) => Object.hasOwn(value, name) && value[name] !== undefined).map((name) => value[name]);
    case 'wildcard':
      return childrenOf(value);
    case 'descend':
      return descendantsOf(value, budget);
    case 'index':
      if (!Array.isArray(value)) return [];
      return step.indexes.flatMap((index) => {
        const position = index < 0 ? value.length + index : index;
        return position in value ? [value[position] as unknown] : [];
      });
    case 'slice':
      if (!Array.isArray(value)) return [];
      return value.slice(step.start, step.end).filter((_item, position) => position % step.step === 0);
    case 'filter':
      if (!Array.isArray(value)) return [];
      return value.filter((item) => passes(step, item, root, budget));
  }
}

function childrenOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
}

/** The value and everything inside it, outermost first. */
function descendantsOf(value: unknown, budget: Budget): unknown[] {
  const found: unknown[] = [value];
  for (let index = 0; index < found.length; index++) {
    for (const child of childrenOf(found[index])) {
      if (budget.left <= 0) return found;
      budget.left -= 1;
      found.push(child);
    }
  }
  return found;
}

function passes(filter: JsonPathStep & {type: 'filter'}, item: unknown, root: unknown, budget: Budget): boolean {
  if (budget.left <= 0) return false;
  budget.left -= 1;
  const left = operandValues(filter.left, item, root, budget);
  if (filter.comparison === undefined || filter.right === undefined) return left.length > 0;
  const right = operandValues(filter.right, item, root, budget);
  return left.length > 0 && right.length > 0 && compare(left[0], filter.comparison, right[0]);
}

function operandValues(operand: JsonPathOperand, item: unknown, root: unknown, budget: Budget): unknown[] {
  if (operand.type === 'constant') return [operand.value];
  return follow(operand.steps, operand.from === 'item' ? item : root, root, budget);
}

type Ordered = string | number | bigint;

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Equality is that of JSON values; order is defined between two numbers or two strings. */
function compare(left: unknown, comparison: JsonPathComparison, right: unknown): boolean {
  if (comparison === '==' || comparison === '!=') {
    const same = equalJson(left, right);
    return same === (comparison === '==');
  }
  const comparable = (isNumeric(left) && isNumeric(right)) || (typeof left === 'string' && typeof right === 'string');
  if (!comparable) return false;
  const [a, b] = [left as Ordered, right as Ordered];
  switch (comparison) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
  }
}
