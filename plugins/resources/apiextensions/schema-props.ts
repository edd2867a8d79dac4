import type {JsonValue} from '../../../sdk/index.js';

/** A schema as it stands in a CustomResourceDefinition, with the members that Kubernetes knows, allowed or not. */
export interface SchemaProps {
  readonly id?: string;
  readonly $schema?: string;
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly default?: JsonValue;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly multipleOf?: number;
  readonly enum?: readonly JsonValue[];
  readonly maxProperties?: number;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  readonly items?: SchemaProps | readonly SchemaProps[];
  readonly allOf?: readonly SchemaProps[];
  readonly oneOf?: readonly SchemaProps[];
  readonly anyOf?: readonly SchemaProps[];
  readonly not?: SchemaProps;
  readonly properties?: Readonly<Record<string, SchemaProps>>;
  readonly additionalProperties?: SchemaProps | boolean;
  readonly patternProperties?: Readonly<Record<string, SchemaProps>>;
  readonly dependencies?: Readonly<Record<string, SchemaProps | readonly string[]>>;
  readonly additionalItems?: SchemaProps | boolean;
  readonly definitions?: Readonly<Record<string, SchemaProps>>;
  readonly externalDocs?: JsonValue;
  readonly example?: JsonValue;
  readonly nullable?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
}

/** An entry of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** The schema of items where there is one schema for all of them. */
export function itemsOf({items}: SchemaProps): SchemaProps | undefined {
  return items === undefined || Array.isArray(items) ? undefined : (items as SchemaProps);
}

/** The schema of the values of a map. */
export function valuesOf({additionalProperties}: SchemaProps): SchemaProps | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** An own member of a map of schemas; names come from users. */
export function propertyOf({properties}: SchemaProps, name: string): SchemaProps | undefined {
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** Whether a schema or any schema in it is such that `predicate` holds. */
export function someSchema(schema: SchemaProps, predicate: (part: SchemaProps) => boolean): boolean {
  const {
    items,
    not,
    additionalItems,
    dependencies,
    allOf = [],
    anyOf = [],
    oneOf = [],
    properties = {},
    patternProperties = {},
    definitions = {},
  } = schema;
  if (predicate(schema)) return true;
  const single = [valuesOf(schema), not, typeof additionalItems === 'object' ? additionalItems : undefined].filter(
    (part) => part !== undefined,
  );
  const listed = items === undefined ? [] : Array.isArray(items) ? (items as readonly SchemaProps[]) : [items as SchemaProps];
  const named = [properties, patternProperties, definitions].flatMap((members) => Object.values(members));
  const demanded = Object.values(dependencies ?? {}).filter((part) => !Array.isArray(part)) as SchemaProps[];
  return [...single, ...listed, ...allOf, ...anyOf, ...oneOf, ...named, ...demanded].some((part) => someSchema(part, predicate));
}
