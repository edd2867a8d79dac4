// The TypeScript type of a schema.

/**
 * @param context its `reference` names the type that a `$ref` means, and imports it where needed
 */
export function typeText(context, schema) {
  if (schema.$ref !== undefined) return context.reference(schema.$ref);
  if (schema['x-orch-alternatives']) return schema['x-orch-alternatives'].map((alternative) => typeText(context, alternative)).join(' | ');
  if (schema['x-kubernetes-int-or-string']) return 'number | string';
  if (schema.enum) return schema.enum.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(' | ');
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return listText(typeText(context, schema.items));
    case 'object':
      return schema.additionalProperties ? `Record<string, ${typeText(context, schema.additionalProperties)}>` : 'Record<string, unknown>';
    case undefined:
      return 'unknown';
    default:
      throw new Error(`no TypeScript for the schema type ${schema.type}`);
  }
}

function listText(item) {
  return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
}
