/** The library's names of the types that an expression can be asked for, and those of Kubernetes. */
const names = {bool: ['bool', 'bool'], string: ['string', 'string'], null: ['null', 'null_type']} as const;

/** The types that an expression has to have, for the library and for messages. */
export function exactTypes(allowed: readonly (keyof typeof names)[]): {readonly types: readonly string[]; readonly wanted: string} {
  const wanted = allowed.map((type) => names[type][1]);
  return {types: allowed.map((type) => names[type][0]), wanted: wanted.length === 1 ? wanted[0]! : `one of [${wanted.join(' ')}]`};
}

/** A type as Kubernetes writes it: `list(map(string, dyn))`. */
export function typeText(type: string): string {
  return type
    .replaceAll(/<[A-Z](?:, [A-Z])*>/g, (placeholders) => placeholders.replaceAll(/[A-Z]/g, 'dyn'))
    .replaceAll('<', '(')
    .replaceAll('>', ')')
    .replaceAll(/\bnull\b/g, 'null_type')
    .replaceAll(/\boptional\b/g, 'optional_type')
    .replaceAll('google.protobuf.Timestamp', 'timestamp')
    .replaceAll('google.protobuf.Duration', 'duration');
}

/** Types that the results of expressions have for the expressions that use them; all others are known by their values only (as in Kubernetes). */
const plain: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'int',
  'null',
  'string',
  'uint',
  'google.protobuf.Duration',
  'google.protobuf.Timestamp',
]);

/** The type that the result of an expression has for others. */
export function resultType(type: string): string {
  if (plain.has(type)) return type;
  const [, items] = /^list<(.+)>$/.exec(type) ?? [];
  if (items !== undefined) return `list<${resultType(items)}>`;
  // Keys are plain.
  const [, key, values] = /^map<(\w+), (.+)>$/.exec(type) ?? [];
  return key !== undefined && values !== undefined ? `map<${resultType(key)}, ${resultType(values)}>` : 'dyn';
}
