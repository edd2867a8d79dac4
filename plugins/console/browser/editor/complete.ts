import type {Completion, CompletionContext, CompletionResult} from '@codemirror/autocomplete';
import type {Schema, TypeSchema} from '../api/schemas.js';
import {pathAt} from './path-at.js';

/** Completes the names and values that the schema has at a place. */
export function schemaCompletion(schemaNow: () => TypeSchema | undefined) {
  return (context: CompletionContext): CompletionResult | null => {
    const schema = schemaNow();
    if (!schema) return null;
    const {path, key, typed} = pathAt(context.state.doc.toString(), context.pos);
    if (typed === '' && !context.explicit) return null;
    const around = schemaAt(schema, path);
    const options = key === undefined ? names(around, schema) : values(schema.resolve(around?.properties?.[key]));
    return options.length === 0 ? null : {from: context.pos - typed.length, options, validFor: /^[\w.-]*$/};
  };
}

/** The schema at the end of a path. */
function schemaAt({root, resolve}: TypeSchema, path: readonly string[]): Schema | undefined {
  let schema = resolve(root);
  for (const step of path) {
    const rest = schema?.additionalProperties;
    const next = step === '-' ? schema?.items : (schema?.properties?.[step] ?? (typeof rest === 'object' ? rest : undefined));
    schema = resolve(next);
  }
  // The first word of an item that has not been begun.
  return schema?.type === 'array' ? resolve(schema.items) : schema;
}

function names(schema: Schema | undefined, {resolve}: TypeSchema): Completion[] {
  const required = new Set(schema?.required);
  return Object.entries(schema?.properties ?? {}).map(([name, member]) => {
    const {type = '', description = ''} = resolve(member) ?? {};
    const opens = type === 'object' || type === 'array';
    return {
      label: name,
      apply: opens ? `${name}:` : `${name}: `,
      detail: required.has(name) ? `${type}, required` : type,
      info: description === '' ? undefined : description,
      boost: required.has(name) ? 1 : 0,
      type: 'property',
    };
  });
}

function values(schema: Schema | undefined): Completion[] {
  const found = schema?.type === 'boolean' ? [true, false] : (schema?.enum ?? []);
  return found.map((value) => ({label: String(value), type: 'enum'}));
}
