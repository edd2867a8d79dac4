export type TypeKind =
  | ('dyn' | 'error' | 'null' | 'bool' | 'int' | 'uint' | 'double' | 'string' | 'bytes' | 'timestamp' | 'duration')
  | ('list' | 'map' | 'type' | 'opaque' | 'struct' | 'param');

/** A type of CEL. Compare with `isSame`: types without parameters are often one object, but need not be. */
export class CelType {
  /**
   * @param name as messages and `type()` have it
   * @param parameters of a list its items, of a map keys and values, of a type what it is a type of
   */
  constructor(
    readonly kind: TypeKind,
    readonly name: string,
    readonly parameters: readonly CelType[] = [],
  ) {}

  isSame(other: CelType): boolean {
    if (this === other) return true;
    return (
      this.kind === other.kind &&
      this.name === other.name &&
      this.parameters.length === other.parameters.length &&
      this.parameters.every((parameter, at) => parameter.isSame(other.parameters[at]!))
    );
  }

  /** As messages have it: `map(string, list(int))`. */
  toString(): string {
    const shown = shownNames[this.kind] ?? this.name;
    return this.parameters.length === 0 ? shown : `${shown}(${this.parameters.join(', ')})`;
  }
}

const shownNames: Partial<Record<TypeKind, string>> = {error: '!error!', null: 'null', timestamp: 'timestamp', duration: 'duration'};

const simple = (kind: TypeKind, name: string = kind) => new CelType(kind, name);
export const dynType = simple('dyn');
/** Of values that nothing is known about, as the type of a field: what can be done with others can be done with them, but nobody loops over them. */
export const anyType = simple('dyn', 'any');
export const errorType = simple('error', '*error*');
export const nullType = simple('null', 'null_type');
export const boolType = simple('bool');
export const intType = simple('int');
export const uintType = simple('uint');
export const doubleType = simple('double');
export const stringType = simple('string');
export const bytesType = simple('bytes');
export const timestampType = simple('timestamp', 'google.protobuf.Timestamp');
export const durationType = simple('duration', 'google.protobuf.Duration');
export const typeType = simple('type');

export function listOf(item: CelType): CelType {
  return new CelType('list', 'list', [item]);
}

export function mapOf(key: CelType, value: CelType): CelType {
  return new CelType('map', 'map', [key, value]);
}

export function optionalOf(value: CelType): CelType {
  return new CelType('opaque', 'optional_type', [value]);
}

export function typeOf(type: CelType): CelType {
  return new CelType('type', 'type', [type]);
}

export function structOf(name: string): CelType {
  return new CelType('struct', name);
}

export function isOptional({kind, name}: CelType): boolean {
  return kind === 'opaque' && name === 'optional_type';
}

export function isDynOrError({kind}: CelType): boolean {
  return kind === 'dyn' || kind === 'error';
}
