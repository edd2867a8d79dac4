import type {SchemaNode} from '../schema-node.js';

const formTypes: Readonly<Record<string, string>> = {
  bytes: '[]uint8',
  quantity: 'resource.Quantity',
  time: 'v1.Time',
  'micro-time': 'v1.MicroTime',
  duration: 'v1.Duration',
};
const types: Readonly<Record<string, string>> = {
  string: 'string',
  boolean: 'bool',
  number: 'float64',
  'int-or-string': 'intstr.IntOrString',
};

/**
 * The Go type of a value as Go's messages have it: `int32`, `[]v1.Container`, `map[string]string`. The names of definitions are those of Go; only where
 * a type has a name that the schema does not need does the schema say it (`x-orch-go`).
 */
export function goTypeOf(node: SchemaNode): string {
  const given = node.schema['x-orch-go'];
  if (given !== undefined) return given;
  if (node.form !== undefined) return formTypes[node.form] ?? '';
  const named = /([^/#]+)#\/definitions\/(.+)$/.exec(node.reference ?? '');
  if (named) return `${named[1]}.${named[2]}`;
  if (node.type === 'array') return `[]${node.items ? goTypeOf(node.items) : 'interface {}'}`;
  if (node.type === 'object') return `map[string]${node.additional ? goTypeOf(node.additional) : 'interface {}'}`;
  if (node.type === 'integer') return node.format === 'int32' ? 'int32' : 'int64';
  return types[node.type] ?? 'interface {}';
}

/** A place in an object as Go's messages name it. */
export interface GoPlace {
  /** The struct with the field: the innermost, by its name alone. Empty for the object itself. */
  readonly struct: string;
  /** The names of fields on the way, without indexes of lists and keys of maps. */
  readonly field: string;
  readonly type: string;
}

/** @param steps from the object to the place: names, keys and indexes */
export function goPlaceOf(root: SchemaNode, steps: readonly (string | number)[]): GoPlace {
  let node: SchemaNode | undefined = root;
  let type = goTypeOf(root);
  let struct = '';
  const names: string[] = [];
  for (const step of steps) {
    const property: SchemaNode | undefined = typeof step === 'string' ? node?.properties.get(step) : undefined;
    if (property) {
      struct = node?.reference?.split('/').at(-1) ?? '';
      names.push(String(step));
      type = goTypeOf(property);
      node = property;
    } else {
      node = typeof step === 'number' ? node?.items : node?.additional;
      type = /^(?:\[\]|map\[[^\]]*\])\*?(.+)$/.exec(type)?.[1] ?? (node ? goTypeOf(node) : '');
    }
  }
  return {struct, field: names.join('.'), type};
}
