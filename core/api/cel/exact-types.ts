import {boolType, nullType, stringType, type CelType} from './types/cel-type.js';

const exactTypes = {bool: boolType, string: stringType, null: nullType} as const;

/** Why an expression of a type is not one of those that are asked for, in Kubernetes' words; undefined if it is. */
export function exactFault(found: CelType, allowed: readonly (keyof typeof exactTypes)[]): string | undefined {
  const types = allowed.map((name) => exactTypes[name]);
  if (types.some((type) => type.isSame(found))) return undefined;
  const names = types.map(({name}) => name);
  return `must evaluate to ${names.length === 1 ? names[0] : `one of [${names.join(' ')}]`} but got ${goText(found)}`;
}

/** A type as Go's `String` has it. */
function goText(type: CelType): string {
  return type.toString().replaceAll(/\bnull\b/g, nullType.name);
}
