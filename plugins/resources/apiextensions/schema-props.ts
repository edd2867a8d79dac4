import type * as apiextensions from '../../../sdk/types/apiextensions/v1.js';

/** A schema as it stands in a CustomResourceDefinition, with the members that Kubernetes knows, allowed or not. */
export type SchemaProps = apiextensions.JSONSchemaProps;

/** An entry of `x-kubernetes-validations`. */
export type ValidationRule = apiextensions.ValidationRule;

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
