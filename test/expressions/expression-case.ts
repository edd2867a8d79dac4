import type {JsonSchema} from '../../core/api/schema/json-schema.js';
import type {ValidationRule} from '../../core/api/cel/validation-rule.js';

/** An expression in its place: a rule of the value with this schema, which stands at `spec.p` of a custom resource. */
export interface ExpressionCase {
  /** What the case is about, for counts. */
  readonly kind: string;
  readonly schema: JsonSchema;
  readonly rule: ValidationRule;
  /** What it is evaluated against: new values, or changes of a stored one. */
  readonly values?: readonly CaseValue[];
}

export interface CaseValue {
  readonly value: unknown;
  /** What was stored before; left out for a new object. */
  readonly old?: unknown;
}

/** What a server says of a place. */
export interface CaseCause {
  /** Below the value, or below its schema. */
  readonly field: string;
  readonly reason: string;
  readonly message: string;
}

export interface CaseAnswer {
  /** Of the definition; empty if it is accepted. */
  readonly definition: readonly CaseCause[];
  /** For each value. Undefined where the definition is refused. */
  readonly values?: readonly (readonly CaseCause[])[];
}

/** The schema of a case with its rule, after those that it has already. */
export function schemaOf({schema, rule}: ExpressionCase): JsonSchema {
  const before = (schema['x-kubernetes-validations'] as readonly unknown[] | undefined) ?? [];
  return {...schema, 'x-kubernetes-validations': [...before, rule]} as JsonSchema;
}
