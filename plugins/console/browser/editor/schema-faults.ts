import type {Schema, TypeSchema} from '../api/schemas.js';
import {isMap, isScalar, isSeq, parseDocument, readingForms, type Node, type TextFault} from './yaml-text.js';

/** Most faults that are marked. */
const mostFaults = 50;

/** What the schema says against a text, where that is: unknown fields, wrong types, missing fields. The server has the last word. */
export function schemaFaults(text: string, {root, resolve}: TypeSchema): readonly TextFault[] {
  const document = parseDocument(text, readingForms);
  if (document.errors.length > 0) return [];
  const faults: TextFault[] = [];
  const note = (node: Node | null | undefined, words: string) => {
    const [from, to] = node?.range ?? [0, 0];
    if (faults.length < mostFaults) faults.push({from, to: Math.max(to, from + 1), text: words});
  };
  const visit = (node: Node | null, given: Schema | undefined) => {
    const schema = resolve(given);
    if (!schema || !node) return;
    if (isMap(node)) visitMap(node, schema);
    else if (isSeq(node)) {
      if (isWrong(schema, 'array')) note(node, `${schema.type} expected, not a list`);
      for (const item of node.items) visit(item as Node, schema.items);
    } else if (isScalar(node)) {
      const problem = scalarProblem(schema, node.value);
      if (problem !== undefined) note(node, problem);
    }
  };
  const visitMap = (node: Node & {items: readonly {key: unknown; value: unknown}[]}, schema: Schema) => {
    if (isWrong(schema, 'object')) return note(node, `${schema.type} expected, not an object`);
    const names = new Set<string>();
    for (const {key, value} of node.items) {
      const name = isScalar(key) ? String(key.value) : '';
      names.add(name);
      const member = schema.properties?.[name];
      const rest = schema.additionalProperties;
      if (member) visit(value as Node | null, member);
      else if (typeof rest === 'object') visit(value as Node | null, rest);
      else if (schema.properties && rest !== true && schema['x-kubernetes-preserve-unknown-fields'] !== true)
        note(key as Node, `unknown field "${name}"`);
    }
    for (const name of schema.required ?? []) if (!names.has(name)) note(node, `the field "${name}" is required`);
  };
  visit(document.contents, root);
  return faults;
}

function isWrong(schema: Schema, type: string): boolean {
  return schema.type !== undefined && schema.type !== type;
}

function scalarProblem(schema: Schema, value: unknown): string | undefined {
  const {type} = schema;
  if (value === null || type === undefined || schema['x-kubernetes-int-or-string'] === true || schema.format === 'int-or-string')
    return undefined;
  const found = typeof value === 'number' || typeof value === 'bigint' ? 'number' : typeof value;
  if (type === 'integer') return found === 'number' && Number.isInteger(Number(value)) ? undefined : 'a whole number is expected';
  if (type !== found) return type === 'string' ? `a text is expected: put it into quotes` : `${type} expected`;
  if (schema.enum && !schema.enum.includes(value)) return `one of ${schema.enum.map(String).join(', ')} is expected`;
  return undefined;
}
