import type * as apiextensions from '../../../sdk/types/apiextensions/v1.js';

/** A schema in a CustomResourceDefinition, with all members known to Kubernetes, whether allowed or not. */
export type SchemaProps = apiextensions.JSONSchemaProps;

/** An entry of `x-kubernetes-validations`. */
export type ValidationRule = apiextensions.ValidationRule;

/** The schema of items, if one schema applies to all of them. */
export function itemsOf({items}: SchemaProps): SchemaProps | undefined {
  return items === undefined || Array.isArray(items) ? undefined : (items as SchemaProps);
}

/** The schema of the values of a map. */
export function valuesOf({additionalProperties}: SchemaProps): SchemaProps | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** An own member of a map of schemas, because names come from users. */
export function propertyOf({properties}: SchemaProps, name: string): SchemaProps | undefined {
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/**
 * The schemas in `dependencies`. What a member demands may also be a list of names, or null, which stands for neither: Kubernetes keeps it until the
 * keyword as a whole is refused.
 */
export function dependenciesOf({dependencies}: SchemaProps): readonly (readonly [member: string, schema: SchemaProps])[] {
  return Object.entries(dependencies ?? {}).filter(
    (entry): entry is [string, SchemaProps] => typeof entry[1] === 'object' && (entry[1] as unknown) !== null && !Array.isArray(entry[1]),
  );
}

/** Whether `predicate` holds for a schema or any schema inside it. */
export function someSchema(schema: SchemaProps, predicate: (part: SchemaProps) => boolean): boolean {
  const {
    items,
    not,
    additionalItems,
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
  const demanded = dependenciesOf(schema).map(([, part]) => part);
  return [...single, ...listed, ...allOf, ...anyOf, ...oneOf, ...named, ...demanded].some((part) => someSchema(part, predicate));
}
