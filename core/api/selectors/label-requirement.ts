/** How a requirement compares (Kubernetes' selection operators, in the spelling of the query syntax). */
export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

/** One condition on one label. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted, without duplicates. One value for the comparing operators, none for `exists` and `!`. */
  readonly values: readonly string[];
}

/** Labels of an object, as in its metadata. */
export type Labels = Readonly<Record<string, string>> | null | undefined;

/** Whether labels meet one requirement. A missing label meets only `!=`, `notin` and `!`. */
export function fulfils(labels: Labels, requirement: LabelRequirement): boolean {
  // Prototypes contain no strings, so a label named `constructor` is not found unless the object has one.
  const found: unknown = labels?.[requirement.key];
  const value = typeof found === 'string' ? found : undefined;
  switch (requirement.operator) {
    case '=':
    case '==':
      return value === requirement.values[0];
    case '!=':
      return value !== requirement.values[0];
    case 'in':
      return value !== undefined && requirement.values.includes(value);
    case 'notin':
      return value === undefined || !requirement.values.includes(value);
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case 'gt':
    case 'lt':
      return value !== undefined && compareIntegers(value, requirement);
  }
}

/** A 64-bit integer in the syntax of labels, or undefined. */
export function labelInteger(text: string): bigint | undefined {
  if (!/^[-+]?[0-9]{1,19}$/.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

function compareIntegers(text: string, requirement: LabelRequirement): boolean {
  const value = labelInteger(text);
  const bound = labelInteger(requirement.values[0]!);
  if (value === undefined || bound === undefined) return false;
  return requirement.operator === 'gt' ? value > bound : value < bound;
}

/** A requirement in query syntax. */
export function requirementText({key, operator, values}: LabelRequirement): string {
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${values.join(',')})`;
    case 'gt':
      return `${key}>${values[0]}`;
    case 'lt':
      return `${key}<${values[0]}`;
    default:
      return `${key}${operator}${values[0]}`;
  }
}
