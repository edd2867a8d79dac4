import {forbiddenField, invalid, type FieldError, type FieldPath} from '../../../../../sdk/index.js';
import {itemsOf, propertyOf, type SchemaProps} from '../../schema-props.js';

/** Why a regular expression cannot be used; undefined if it is valid. */
export type PatternCheck = (pattern: string) => string | undefined;

/** Keywords that describe structure and are not allowed below `allOf`, `anyOf`, `oneOf` and `not`, with the value they must have there. */
const structureKeywords: readonly (readonly [keyof SchemaProps, string])[] = [
  ['type', 'must be empty to be structural'],
  ['additionalProperties', 'must be undefined to be structural'],
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

/** Errors in the value rules of one place: unusable patterns, and structure inside `allOf` and the like. */
export function valueRuleFaults(schema: SchemaProps, path: FieldPath, patternFault: PatternCheck): FieldError[] {
  const skipAnyOf = saysIntOrString(schema.anyOf);
  const skipFirstAllOf = saysIntOrString(schema.allOf?.[0]?.anyOf);
  const faults: FieldError[] = [];
  checkRules(schema, path, {skipAnyOf, skipFirstAllOf}, patternFault, faults);
  return faults;
}

interface Exceptions {
  readonly skipAnyOf: boolean;
  readonly skipFirstAllOf: boolean;
}

const noExceptions: Exceptions = {skipAnyOf: false, skipFirstAllOf: false};

function checkRules(
  schema: SchemaProps,
  path: FieldPath,
  {skipAnyOf, skipFirstAllOf}: Exceptions,
  patternFault: PatternCheck,
  faults: FieldError[],
): void {
  const nested = (part: SchemaProps, at: FieldPath, exceptions = noExceptions) => checkNested(part, at, exceptions, patternFault, faults);
  if (!skipAnyOf) schema.anyOf?.forEach((part, position) => nested(part, path.child('anyOf').index(position)));
  schema.allOf?.forEach((part, position) =>
    nested(part, path.child('allOf').index(position), {...noExceptions, skipAnyOf: skipFirstAllOf && position === 0}),
  );
  schema.oneOf?.forEach((part, position) => nested(part, path.child('oneOf').index(position)));
  if (schema.not) nested(schema.not, path.child('not'));
  const problem = schema.pattern ? patternFault(schema.pattern) : undefined;
  if (problem !== undefined)
    faults.push(invalid(path.child('pattern'), schema.pattern, `must be a valid regular expression, but isn't: ${problem}`));
}

function checkNested(schema: SchemaProps, path: FieldPath, exceptions: Exceptions, patternFault: PatternCheck, faults: FieldError[]): void {
  checkRules(schema, path, exceptions, patternFault, faults);
  const items = itemsOf(schema);
  if (items) checkNested(items, path.child('items'), noExceptions, patternFault, faults);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    checkNested(property, path.child('properties').key(name), noExceptions, patternFault, faults);
  }
  for (const [keyword, detail] of structureKeywords) if (isSet(schema[keyword])) faults.push(forbiddenField(path.child(keyword), detail));
  if (propertyOf(schema, 'metadata'))
    faults.push(forbiddenField(path.child('properties').key('metadata'), 'must not be specified in a nested context'));
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false && value !== '';
}

/** `[{type: integer}, {type: string}]`, in this order and with nothing else: equivalent to `x-kubernetes-int-or-string`. */
function saysIntOrString(schemas: readonly SchemaProps[] | undefined): boolean {
  if (schemas?.length !== 2) return false;
  return schemas.every((schema, position) => Object.keys(schema).length === 1 && schema.type === (position === 0 ? 'integer' : 'string'));
}
