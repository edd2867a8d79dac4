/** A schema of OpenAPI v3, as the server publishes it. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
}

export type Schemas = Readonly<Record<string, Schema>>;

/** What a place of an object takes. */
export type PlaceKind =
  | 'text'
  | 'enum'
  | 'integer'
  | 'boolean'
  | 'number'
  | 'quantity'
  | 'intOrString'
  | 'time'
  | 'list'
  | 'map'
  | 'object';

/** A place of an object. `steps` has `0` for the first item of a list, and `key` for an entry of a map. */
export interface Place {
  readonly steps: readonly (string | 0)[];
  readonly kind: PlaceKind;
}

/** Types whose JSON form is not an object, by the ends of their names. */
const scalars: readonly (readonly [end: string, kind: PlaceKind])[] = [
  ['.api.resource.Quantity', 'quantity'],
  ['.util.intstr.IntOrString', 'intOrString'],
  ['.meta.v1.Time', 'time'],
  ['.meta.v1.MicroTime', 'time'],
];
const maxDepth = 12;

/** All places below the schema of a kind but those of `metadata` and `status`, parents before children. Schemas within themselves are left out. */
export function placesOf(schemas: Schemas, name: string, part: 'status' | 'rest'): Place[] {
  const found: Place[] = [];
  visit(schemas, {$ref: `#/components/schemas/${name}`}, [], [], found);
  return found.filter(({steps}) => {
    if (steps.length === 0 || ['metadata', 'apiVersion', 'kind'].includes(steps[0] as string)) return false;
    return (steps[0] === 'status') === (part === 'status');
  });
}

function visit(schemas: Schemas, given: Schema, steps: Place['steps'], above: readonly string[], found: Place[]): void {
  const reference = given.$ref ?? given.allOf?.find(({$ref}) => $ref !== undefined)?.$ref;
  const name = reference?.split('/').at(-1);
  if (name !== undefined && (above.includes(name) || steps.length > maxDepth)) return;
  const schema = name === undefined ? given : (schemas[name] ?? {});
  const inside = name === undefined ? above : [...above, name];
  const kind = kindOf(schema, name);
  if (kind === undefined) return;
  found.push({steps, kind});
  for (const [key, property] of Object.entries(schema.properties ?? {})) visit(schemas, property, [...steps, key], inside, found);
  if (schema.items) visit(schemas, schema.items, [...steps, 0], inside, found);
  if (typeof schema.additionalProperties === 'object') visit(schemas, schema.additionalProperties, [...steps, 'key'], inside, found);
}

function kindOf(schema: Schema, name: string | undefined): PlaceKind | undefined {
  const scalar = scalars.find(([end]) => name?.endsWith(end));
  if (scalar) return scalar[1];
  if (schema.enum) return 'enum';
  switch (schema.type) {
    case 'string':
      return schema.format === 'date-time' ? 'time' : 'text';
    case 'integer':
      return 'integer';
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return 'list';
    case 'object':
      return schema.additionalProperties === undefined ? 'object' : 'map';
    default:
      return undefined;
  }
}
