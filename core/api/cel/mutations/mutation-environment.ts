import {meter} from '../cost-meter.js';
import {ExpressionEnvironment} from '../expression-environment.js';
import {form, functionsOf, type Library} from '../libraries/overload.js';
import {dynType, stringType, type CelType} from '../types/cel-type.js';
import {StructType} from '../types/struct-type.js';
import {ConstructedObject, ConstructedPatch} from './constructed-value.js';

/** Characters of a key that are escaped in one step. */
const escapedPerStep = 4;

const patchFields: ReadonlyMap<string, CelType> = new Map([
  ['op', stringType],
  ['path', stringType],
  ['from', stringType],
  ['value', dynType],
]);
export const patchType = new StructType('JSONPatch', (name) => patchFields.get(name));
export const objectType = objectTypeOf('Object');

/** What is in an object is told by its name: `Object.spec`. Its fields may be of any type. */
function objectTypeOf(name: string): StructType {
  return new StructType(name, () => dynType);
}

const jsonPatchLibrary: Library = {
  functions: functionsOf({'jsonpatch.escapeKey': [form([stringType], stringType, escaped)]}),
};

/** A key as a part of a JSON pointer. */
function escaped(key: string): string {
  meter.spend(key.length / escapedPerStep);
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function structType(name: string): StructType | undefined {
  if (name === patchType.name) return patchType;
  if (name === objectType.name) return objectType;
  return name.startsWith('Object.') ? objectTypeOf(name) : undefined;
}

function construct(name: string, fields: readonly (readonly [name: string, value: unknown])[]): Map<string, unknown> {
  const made = name === patchType.name ? new ConstructedPatch() : new ConstructedObject(name);
  for (const [field, value] of fields) made.set(field, value);
  return made;
}

/** An environment with the same variables that knows `Object`, `JSONPatch` and `jsonpatch.escapeKey`. */
export function withMutations({features, variables}: ExpressionEnvironment): ExpressionEnvironment {
  return new ExpressionEnvironment(features, variables, {libraries: [jsonPatchLibrary], structType, construct});
}
