import type {CelFeatures} from './features.js';
import {boolType, nullType, stringType, type CelType} from './types/cel-type.js';

const exactTypes = {bool: boolType, string: stringType, null: nullType} as const;

/** Why an expression of a type is not one of those that are asked for, in the words of the release; undefined if it is. */
export function exactFault(found: CelType, allowed: readonly (keyof typeof exactTypes)[], features: CelFeatures): string | undefined {
  const types = allowed.map((name) => exactTypes[name]);
  if (types.some((type) => type.isSame(found))) return undefined;
  const names = types.map(({name}) => name);
  const given = features.has('shown-types') ? ` but got ${goText(found)}` : '';
  return `must evaluate to ${names.length === 1 ? names[0] : `one of [${names.join(' ')}]`}${given}`;
}

/** A type as Go's `String` has it. */
function goText(type: CelType): string {
  return type.toString().replaceAll(/\bnull\b/g, nullType.name);
}
