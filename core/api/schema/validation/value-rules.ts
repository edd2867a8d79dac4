import type {JsonValue} from '../../../../sdk/index.js';
import {formatCheck} from '../formats/string-formats.js';
import type {JsonSchema} from '../json-schema.js';
import {Regexp, RegexpSyntaxError} from '../regexp.js';
import type {SchemaNode} from '../schema-node.js';
import {Enumeration} from './enumeration.js';

/** The value rules of a node, computed once, when its first value is checked. */
export interface ValueRules {
  /** Whether there is nothing to check at this node or below. */
  readonly empty: boolean;
  /** Whether every value of the right type is valid. */
  readonly typeOnly: boolean;
  /** The JSON types that a value may have, as named in messages; undefined if any is allowed. */
  readonly types: string | undefined;
  /** The name of a format that is checked. */
  readonly formatName: string | undefined;
  /** The check of a known format of strings. */
  readonly format: ((text: string) => boolean) | undefined;
  readonly enumeration: Enumeration | undefined;
  readonly required: readonly string[];
  readonly pattern: Regexp | undefined;
  /** Why the pattern cannot be used; no string matches it then. */
  readonly patternProblem: string | undefined;
  readonly hasCompositions: boolean;
  readonly allOf: readonly SchemaNode[];
  readonly anyOf: readonly SchemaNode[];
  readonly oneOf: readonly SchemaNode[];
  readonly not: SchemaNode | undefined;
}

const rulesOfNodes = new WeakMap<SchemaNode, ValueRules>();
const valueKeywords = [
  'enum',
  'minimum',
  'maximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'format',
] as const satisfies readonly (keyof JsonSchema)[];
const scalarTypes: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean']);

export function valueRulesOf(node: SchemaNode): ValueRules {
  let rules = rulesOfNodes.get(node);
  if (!rules) rulesOfNodes.set(node, (rules = makeRules(node)));
  return rules;
}

function makeRules(node: SchemaNode): ValueRules {
  const {schema} = node;
  const types = typesOf(node);
  const isScalar = types !== undefined && (scalarTypes.has(types) || node.type === 'int-or-string');
  const compositions = {
    allOf: node.composition('allOf'),
    anyOf: node.composition('anyOf'),
    oneOf: node.composition('oneOf'),
    not: node.negated(),
  };
  return {
    empty: node.kubernetesSemantics,
    typeOnly: isScalar && !valueKeywords.some((keyword) => schema[keyword] !== undefined),
    types,
    formatName: schema.format && node.knowsFormat ? schema.format : undefined,
    format: schema.format && node.knowsFormat ? formatCheck(schema.format, node.behaviour.hasNameFormats) : undefined,
    enumeration: schema.enum && new Enumeration(schema.enum as readonly JsonValue[]),
    required: schema.required ?? [],
    ...compilePattern(schema.pattern),
    ...compositions,
    hasCompositions:
      Boolean(compositions.not) || [compositions.allOf, compositions.anyOf, compositions.oneOf].some(({length}) => length > 0),
  };
}

/** A schema that names properties but no type (under `anyOf` and the like) does not restrict values that are not objects. */
function typesOf({type, schema, isResource}: SchemaNode): string | undefined {
  if (type === 'int-or-string') return 'integer,string';
  return type === 'any' || (schema.type === undefined && !isResource) ? undefined : type;
}

function compilePattern(pattern: string | undefined): Pick<ValueRules, 'pattern' | 'patternProblem'> {
  if (pattern === undefined || pattern === '') return {pattern: undefined, patternProblem: undefined};
  try {
    return {pattern: new Regexp(pattern), patternProblem: undefined};
  } catch (error) {
    if (!(error instanceof RegexpSyntaxError)) throw error;
    return {pattern: undefined, patternProblem: error.message};
  }
}
