import {shownValue, type FieldErrorReason, type JsonValue} from '../../../../sdk/index.js';
import type {JsonSchema} from '../json-schema.js';
import {fitsIntegerFormat} from '../json-type.js';
import {RegexpTooExpensive} from '../regexp.js';
import type {SchemaNode} from '../schema-node.js';
import type {PatternBudget} from './pattern-budget.js';
import {codePoints, isMultiple} from './scalar-values.js';
import type {ValueRules} from './value-rules.js';

/** What is wrong with a value, without its place. */
export interface ValueFault {
  readonly reason: FieldErrorReason;
  body(path: string): string;
  /** It is reported of the object as a whole. */
  readonly isPlaceless?: boolean;
}

/** That a value breaks a rule, in the words of Kubernetes. */
export function broken(value: JsonValue, text: string): ValueFault {
  return {reason: 'FieldValueInvalid', body: (path) => `Invalid value: ${shownValue(value)}: ${path} in body ${text}`};
}

/** Only the first error of a string is found, in addition to that of its format. */
export function stringFaults(node: SchemaNode, rules: ValueRules, value: string, patterns: PatternBudget): readonly ValueFault[] {
  const fault = textFault(node, rules, value, patterns);
  const faults = fault ? [fault] : [];
  if (!rules.format || rules.format(value)) return faults;
  const shown = shownValue(value);
  faults.push({
    reason: 'FieldValueTypeInvalid',
    body: (path) => `Invalid value: ${shown}: ${path} in body must be of type ${node.format as string}: ${shown}`,
  });
  return faults;
}

function textFault({schema, behaviour}: SchemaNode, rules: ValueRules, value: string, patterns: PatternBudget): ValueFault | undefined {
  const {minLength, maxLength} = schema;
  if (minLength !== undefined || maxLength !== undefined) {
    const length = codePoints(value);
    if (maxLength !== undefined && length > maxLength) return {reason: 'FieldValueTooLong', body: () => behaviour.words.tooLong(maxLength)};
    if (minLength !== undefined && length < minLength) return broken(value, `should be at least ${minLength} chars long`);
  }
  return patternFault(schema, rules, value, patterns);
}

function patternFault(
  {pattern: source}: JsonSchema,
  {pattern, patternProblem}: ValueRules,
  value: string,
  patterns: PatternBudget,
): ValueFault | undefined {
  if (patternProblem !== undefined) return broken(value, `should match '${source}, but pattern is invalid: ${patternProblem}'`);
  if (!pattern) return undefined;
  try {
    return patterns.test(pattern, value) ? undefined : broken(value, `should match '${source}'`);
  } catch (error) {
    if (!(error instanceof RegexpTooExpensive)) throw error;
    return broken(`${value.slice(0, 32)}…`, `is too long to be matched with '${source}'`);
  }
}

export function numberFaults(node: SchemaNode, value: number | bigint): readonly ValueFault[] {
  const {schema, behaviour} = node;
  const faults = behaviour.checksNumberFormats ? rangeFaults(node, value) : [];
  // Most numbers have no bounds.
  if (schema.multipleOf === undefined && schema.minimum === undefined && schema.maximum === undefined) return faults;
  const {exclusiveMinimum, exclusiveMaximum} = schema;
  const multipleOf = boundFor(node, value, schema.multipleOf);
  const minimum = boundFor(node, value, schema.minimum);
  const maximum = boundFor(node, value, schema.maximum);
  if (multipleOf !== undefined && multipleOf <= 0) {
    faults.push({
      reason: 'FieldValueInvalid',
      body: (path) => `Invalid value: ${multipleOf}: factor MultipleOf declared for ${path} must be positive: ${multipleOf}`,
    });
  } else if (multipleOf !== undefined && !isMultiple(value, multipleOf))
    faults.push(broken(value, `should be a multiple of ${multipleOf}`));
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum))
    faults.push(broken(value, `should be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`));
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum))
    faults.push(broken(value, `should be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`));
  return faults;
}

/** A bound as it is compared with a value: Kubernetes compares integers as such, without what a bound has after the point, unless that is a fault of the bound. */
function boundFor(
  {type, format, behaviour}: SchemaNode,
  value: number | bigint,
  bound: number | bigint | undefined,
): number | bigint | undefined {
  if (typeof bound !== 'number' || !isInt64(value)) return bound;
  if (behaviour.checksNumberFormats && type === 'integer' && !fitsType(type, knownFormat(type, format), bound)) return bound;
  return Math.trunc(bound);
}

function isInt64(value: number | bigint): boolean {
  return (typeof value === 'bigint' || Number.isInteger(value)) && fitsIntegerFormat(value, 'int64');
}

/** That a value, or a bound of it, does not fit the type and format (Kubernetes' `IsValueValidAgainstRange`). */
function rangeFaults({type, format, schema}: SchemaNode, value: number | bigint): ValueFault[] {
  const faults: ValueFault[] = [];
  if (type !== 'integer' && (type !== 'number' || format !== 'float')) return faults;
  const known = knownFormat(type, format);
  const look = (what: string, number: number | bigint | undefined) => {
    if (number === undefined || fitsType(type, known, number)) return;
    const shown = known === undefined ? '(default format)' : `with format ${known}`;
    faults.push({
      reason: 'FieldValueInvalid',
      isPlaceless: true,
      body: (path) => `Invalid value: "": ${what} value must be of type ${type} ${shown} in ${path}`,
    });
  };
  look('Checked', value);
  look('MultipleOf', schema.multipleOf);
  look('Minimum boundary', schema.minimum);
  look('Maximum boundary', schema.maximum);
  return faults;
}

function knownFormat(type: 'integer' | 'number', format: string | undefined): string | undefined {
  return format === 'int32' || format === 'int64' || type === 'number' ? format : undefined;
}

/** The largest number that 32 bits hold, and half of a step more, which is rounded to it. */
const largestFloat = 3.4028235677973366e38;

function fitsType(type: 'integer' | 'number', format: string | undefined, number: number | bigint): boolean {
  if (type === 'number') return Math.abs(Number(number)) < largestFloat;
  return (typeof number === 'bigint' || Number.isInteger(number)) && fitsIntegerFormat(number, format);
}
