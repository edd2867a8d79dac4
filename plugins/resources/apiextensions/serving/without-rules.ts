import type {CustomResourceDefinition} from '../custom-resource-definition.js';
import {someSchema, type SchemaProps} from '../schema-props.js';

const keyword = 'x-kubernetes-validations';

/** The schema without validation rules at any level. Parts without rules are shared with the input. */
export function withoutRules(schema: SchemaProps): SchemaProps {
  return strip(schema) as SchemaProps;
}

/** Removes the validation rules from all schemas of a definition, in place. */
export function dropRules({spec}: CustomResourceDefinition): void {
  for (const version of spec.versions ?? []) {
    if (version.schema?.openAPIV3Schema)
      version.schema = {...version.schema, openAPIV3Schema: withoutRules(version.schema.openAPIV3Schema)};
  }
}

/** Whether any schema of a definition has validation rules. */
export function hasRules({spec}: CustomResourceDefinition): boolean {
  return (spec.versions ?? []).some(
    ({schema}) => schema?.openAPIV3Schema && someSchema(schema.openAPIV3Schema, (part) => part[keyword] !== undefined),
  );
}

/** A schema, or a list, boolean or null in place of one. */
type Part = SchemaProps | readonly (SchemaProps | string)[] | boolean | null | undefined;

/** Keywords whose value is a schema, a list of schemas, or a schema among other forms. */
const single = ['items', 'additionalProperties', 'not', 'additionalItems', 'allOf', 'anyOf', 'oneOf'] as const;
/** Keywords whose value is a map of schemas. */
const named = ['properties', 'patternProperties', 'definitions', 'dependencies'] as const;

function strip(part: Part): Part {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part))
    return changed(
      part,
      part.map((entry: SchemaProps | string) => (typeof entry === 'string' ? entry : (strip(entry) as SchemaProps))),
    );
  const schema = part as SchemaProps;
  const replaced: Record<string, unknown> = {};
  for (const name of single) {
    const next = strip(schema[name] as Part);
    if (next !== schema[name]) replaced[name] = next;
  }
  for (const name of named) {
    const members = schema[name];
    if (!members) continue;
    const entries = Object.entries(members).map(([key, member]) => [key, strip(member as Part), member] as const);
    if (entries.some(([, next, member]) => next !== member)) replaced[name] = Object.fromEntries(entries);
  }
  const isRuled = schema[keyword] !== undefined;
  if (!isRuled && Object.keys(replaced).length === 0) return schema;
  const {[keyword]: _rules, ...others} = schema;
  return {...others, ...replaced};
}

function changed<T>(before: readonly T[], after: T[]): readonly T[] {
  return after.some((entry, position) => entry !== before[position]) ? after : before;
}
