// The TypeScript of schemas, for the types of built-in kinds (scripts/generate-types.mjs, before anything is compiled: so this module imports none) and for those of others.

/** A schema, as far as types follow from it. */
export interface TypedSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly deprecated?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly nullable?: boolean;
  readonly items?: TypedSchema;
  readonly properties?: Readonly<Record<string, TypedSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: TypedSchema | boolean;
  readonly 'x-orch-alternatives'?: readonly TypedSchema[];
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
}

/** What is around a schema. */
export interface TypeContext {
  /** The name of the type that a `$ref` means, imported where needed. */
  reference(target: string): string;
  /** The name of the type of an object with properties that stands inline; without it such an object is any. */
  structure?(schema: TypedSchema): string;
}

/** The TypeScript type of a schema. */
export function typeText(context: TypeContext, schema: TypedSchema): string {
  const text = plainText(context, schema);
  return schema.nullable === true && text !== 'unknown' ? `${text} | null` : text;
}

function plainText(context: TypeContext, schema: TypedSchema): string {
  if (schema.$ref !== undefined) return context.reference(schema.$ref);
  const alternatives = schema['x-orch-alternatives'];
  if (alternatives) return alternatives.map((alternative) => typeText(context, alternative)).join(' | ');
  if (schema['x-kubernetes-int-or-string']) return 'number | string';
  if (schema.enum) return [...new Set(schema.enum.map(literal))].join(' | ') || 'never';
  if (Array.isArray(schema.type))
    return [
      ...new Set((schema.type as readonly string[]).map((type) => (type === 'null' ? 'null' : plainText(context, {...schema, type})))),
    ].join(' | ');
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return listText(schema.items ? typeText(context, schema.items) : 'unknown');
    case 'object':
      return objectText(context, schema);
    case undefined:
      return schema.properties ? objectText(context, schema) : 'unknown';
    default:
      throw new Error(`no TypeScript for the schema type ${String(schema.type)}`);
  }
}

function objectText(context: TypeContext, schema: TypedSchema): string {
  if (schema.properties && context.structure) return context.structure(schema);
  const values = schema.additionalProperties;
  return typeof values === 'object' ? `Record<string, ${typeText(context, values)}>` : 'Record<string, unknown>';
}

function literal(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value);
}

function quoted(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `'${escaped}'`;
}

function listText(item: string): string {
  return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
}

/** The comment in front of what a schema describes; empty without a description. */
export function docComment(indent: string, {description, deprecated}: TypedSchema): string {
  const parts = [description, deprecated ? '@deprecated' : undefined].filter(Boolean);
  return parts.length === 0 ? '' : `${indent}/** ${parts.join(' ').replaceAll('*/', '*\\/').replace(/\s+/g, ' ')} */\n`;
}

/** The name of a member as it stands in a type. */
export function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

/** A word with a capital at its beginning. */
export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
