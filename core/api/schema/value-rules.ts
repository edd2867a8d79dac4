import {Regexp, RegexpSyntaxError} from './regexp.js';
import type {SchemaNode} from './schema-node.js';

/** The value rules of a node, worked out once, when the first value is checked. */
export interface ValueRules {
  /** Whether there is nothing at all to check at this node or below. */
  readonly empty: boolean;
  /** Whether a value of the right type is a good one. */
  readonly typeOnly: boolean;
  readonly required: readonly string[];
  readonly pattern: Regexp | undefined;
  /** Why the pattern cannot be used; no text fits it then. */
  readonly patternProblem: string | undefined;
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
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'uniqueItems',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'format',
  'required',
];

export function valueRulesOf(node: SchemaNode): ValueRules {
  let rules = rulesOfNodes.get(node);
  if (!rules) rulesOfNodes.set(node, (rules = makeRules(node)));
  return rules;
}

function makeRules(node: SchemaNode): ValueRules {
  const {schema} = node;
  return {
    empty: node.typed,
    typeOnly: isScalar(node) && node.type !== 'integer' && !valueKeywords.some((keyword) => schema[keyword] !== undefined),
    required: schema.required ?? [],
    ...compilePattern(schema.pattern),
    allOf: node.junctor('allOf'),
    anyOf: node.junctor('anyOf'),
    oneOf: node.junctor('oneOf'),
    not: node.negated(),
  };
}

function compilePattern(pattern: string | undefined): Pick<ValueRules, 'pattern' | 'patternProblem'> {
  if (pattern === undefined) return {pattern: undefined, patternProblem: undefined};
  try {
    return {pattern: new Regexp(pattern), patternProblem: undefined};
  } catch (error) {
    if (!(error instanceof RegexpSyntaxError)) throw error;
    return {pattern: undefined, patternProblem: error.message};
  }
}

function isScalar(node: SchemaNode): boolean {
  return (
    node.type === 'string' || node.type === 'integer' || node.type === 'number' || node.type === 'boolean' || node.type === 'int-or-string'
  );
}
