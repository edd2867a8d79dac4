import {propertyOf, valuesOf, type SchemaProps} from '../../schema-props.js';

/** A field of a schema: the steps to it, those into maps in brackets, and what is known of its values. */
export interface FoundField {
  readonly steps: readonly string[];
  readonly schema: SchemaProps | undefined;
}

/** Tokens of a path: its delimiters, texts in single quotes, and what is between them. */
const token = /[.[\]]|'(?:\\'|[^'])+'|[^.[\]]+/g;

/**
 * What a path leads to (Kubernetes' `ValidFieldPath`): `.spec.size`, and with brackets `.spec['size']`.
 *
 * @returns a text that says why it leads nowhere
 */
export function fieldAt(jsonPath: string, root: SchemaProps, withBrackets: boolean): FoundField | string {
  const tokens = jsonPath.match(token) ?? [];
  const steps: string[] = [];
  let schema: SchemaProps | undefined = root;
  const enter = (name: string): boolean => {
    const isNamed: boolean = schema?.properties !== undefined;
    schema = schema && (isNamed ? propertyOf(schema, name) : valuesOf(schema));
    steps.push(isNamed ? name : `[${name}]`);
    return schema !== undefined;
  };
  for (let at = 0; at < tokens.length; at += 2) {
    const next = tokens[at + 1];
    if (tokens[at] !== '.' && tokens[at] !== '[') return `expected [ or . but got: ${tokens[at]}`;
    if (tokens[at] === '[' && !withBrackets) return 'array notation is not allowed';
    if (next === undefined) return 'unexpected end of JSON path';
    if (tokens[at] === '.') {
      if (!enter(next)) return 'does not refer to a valid field';
      continue;
    }
    if (next.length < 2 || !next.startsWith("'") || !next.endsWith("'")) return `expected single quoted string but got ${next}`;
    if (!enter(next.slice(1, -1).replaceAll("\\'", "'"))) return 'does not refer to a valid field';
    if (tokens[at + 2] !== ']')
      return tokens[at + 2] === undefined ? 'unexpected end of JSON path' : `expected ] but got ${tokens[at + 2]}`;
    at += 1;
  }
  return {steps, schema};
}
