import type {ASTNode, Environment} from '@marcbachmann/cel-js';
import {meter} from '../cost-meter.js';
import {constructFunction} from './construction-syntax.js';
import {ConstructedField, ConstructedObject, ConstructedPatch} from './constructed-value.js';

/** The type of everything in an object: names such as `Object.spec` have no end, and the library remembers every one. */
const fieldType = 'Object.field';
const patchFields: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);
const stepsToConstruct = 6;
const stepsPerField = 4;
/** Characters of a key that are escaped in one step. */
const escapedPerStep = 4;

interface TypeOf {
  readonly kind: string;
  readonly type?: string;
}

interface Checker {
  check(node: unknown, context: unknown): TypeOf;
  getType(name: string): TypeOf;
  createError(code: string, message: string, node: unknown): Error;
}

interface Evaluator {
  run(node: unknown, context: unknown): unknown;
}

interface Field {
  readonly name: string;
  /** Whether the value is an optional, and the field is left out if there is none. */
  readonly isOptional: boolean;
  readonly value: ASTNode;
}

interface Construction {
  readonly args: readonly ASTNode[];
  readonly typeName: string;
  readonly fields: readonly Field[];
}

/** A copy of an environment that knows `Object`, `JSONPatch` and `jsonpatch.escapeKey`. */
export function withMutations(environment: Environment): Environment {
  class JsonPatchFunctions {}
  const types = environment
    .clone()
    .registerType('Object', ConstructedObject)
    .registerType(fieldType, ConstructedField)
    .registerType('JSONPatch', ConstructedPatch)
    .registerType('JsonPatchFunctions', JsonPatchFunctions);
  return types
    .registerConstant('jsonpatch', 'JsonPatchFunctions', new JsonPatchFunctions())
    .registerFunction('JsonPatchFunctions.escapeKey(string): string', (_: unknown, key: string) => escaped(key), {async: false})
    .registerFunction(`${constructFunction}(ast, ast): dyn`, ({args}: {args: readonly ASTNode[]}) => ({
      args,
      typeName: args[0]!.args as string,
      fields: fieldsOf(args[1]!),
      async: false,
      typeCheck,
      evaluate,
    }));
}

/** A key as a part of a JSON pointer. */
function escaped(key: string): string {
  meter.spend(key.length / escapedPerStep);
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function fieldsOf({args}: ASTNode): Field[] {
  return (args as readonly (readonly [ASTNode, ASTNode])[]).map(([{args: key}, value]) => {
    const name = key as string;
    return name.startsWith('?') ? {name: name.slice(1), isOptional: true, value} : {name, isOptional: false, value};
  });
}

function typeCheck(checker: Checker, {args, typeName, fields}: Construction, context: unknown): TypeOf {
  const [node] = args;
  const isPatch = typeName === 'JSONPatch';
  if (!isPatch && typeName !== 'Object' && !typeName.startsWith('Object.'))
    throw checker.createError('unknown_type', `undeclared reference to '${typeName}' (in container '')`, node);
  for (const {name, isOptional, value} of fields) {
    const type = checker.check(value, context);
    if (isOptional && type.kind !== 'optional' && type.kind !== 'dyn')
      throw checker.createError('no_optional', `expected type 'optional_type(dyn)' but found '${type.type ?? type.kind}'`, value);
    if (!isPatch) continue;
    if (!patchFields.has(name)) throw checker.createError('unknown_field', `undefined field '${name}'`, value);
    if (name !== 'value' && !isOptional && type.type !== 'string' && type.kind !== 'dyn')
      throw checker.createError(
        'field_type',
        `expected type of field '${name}' is 'string' but provided type is '${type.type ?? type.kind}'`,
        value,
      );
  }
  return checker.getType(isPatch || typeName === 'Object' ? typeName : fieldType);
}

function evaluate(evaluator: Evaluator, {typeName, fields}: Construction, context: unknown): Map<string, unknown> {
  meter.spend(stepsToConstruct + fields.length * stepsPerField);
  const made = typeName === 'JSONPatch' ? new ConstructedPatch() : objectOf(typeName);
  for (const {name, isOptional, value} of fields) {
    const result = evaluator.run(value, context);
    if (!isOptional) made.set(name, result);
    else if (isOptionalValue(result)) {
      if (result.hasValue()) made.set(name, result.value());
    } else throw new Error(`the field '${name}' has no optional value`);
  }
  return made;
}

function objectOf(typeName: string): ConstructedObject {
  return typeName === 'Object' ? new ConstructedObject(typeName) : new ConstructedField(typeName);
}

function isOptionalValue(value: unknown): value is {hasValue(): boolean; value(): unknown} {
  return typeof value === 'object' && value !== null && 'hasValue' in value;
}
