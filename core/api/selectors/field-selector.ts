import {badRequest} from '../../../sdk/index.js';
import {BoundedCache} from '../cache/bounded-cache.js';

/** One condition on one field. `==` is read as `=`. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** All conditions on one field: a selector may name it thousands of times, and is tested on each object of a collection. */
interface FieldCondition {
  readonly only: string | undefined;
  readonly excluded: ReadonlySet<string>;
}

/** A condition on fields of objects: all its requirements must be met. Immutable. */
export class FieldSelector {
  /** Matches everything. */
  static readonly everything = new FieldSelector([]);

  /** In their original order. */
  readonly requirements: readonly FieldRequirement[];
  readonly #conditions: ReadonlyMap<string, FieldCondition>;
  #text: string | undefined;

  constructor(requirements: readonly FieldRequirement[]) {
    this.requirements = [...requirements];
    this.#conditions = conditionsOf(requirements);
  }

  get empty(): boolean {
    return this.requirements.length === 0;
  }

  /** @param fields the selectable fields of an object, by path; a missing one counts as the empty string */
  matches(fields: Readonly<Record<string, string>>): boolean {
    for (const [field, {only, excluded}] of this.#conditions) {
      const found: unknown = fields[field];
      const value = typeof found === 'string' ? found : '';
      if (excluded.has(value) || (only !== undefined && only !== value)) return false;
    }
    return true;
  }

  /** The value that a field must equal; undefined if the selector does not require one. */
  exactValue(field: string): string | undefined {
    return this.requirements.find((requirement) => requirement.field === field && requirement.operator === '=')?.value;
  }

  /** The normal form: the same for the same requirements in any order. */
  toString(): string {
    this.#text ??= this.requirements
      .map(({field, operator, value}) => `${field}${operator}${escapeFieldValue(value)}`)
      .sort()
      .join(',');
    return this.#text;
  }
}

function conditionsOf(requirements: readonly FieldRequirement[]): Map<string, FieldCondition> {
  const conditions = new Map<string, {only: string | undefined; excluded: Set<string>}>();
  for (const {field, operator, value} of requirements) {
    let condition = conditions.get(field);
    if (!condition) conditions.set(field, (condition = {only: undefined, excluded: new Set()}));
    if (operator === '!=') condition.excluded.add(value);
    else if (condition.only === undefined) condition.only = value;
    // A field cannot have two values at once, so the other value is excluded too.
    else if (condition.only !== value) condition.excluded.add(condition.only);
  }
  return conditions;
}

/** Maximum number of terms of a selector, because the cost of processing it depends on them. */
export const maximumTerms = 10_000;

const parsed = new BoundedCache(parse);

/**
 * Parses the `fieldSelector` parameter: `=`, `==` and `!=`, joined by commas. In values, backslashes, commas and equals signs are escaped
 * with a backslash. An empty string selects everything.
 *
 * @throws StatusError 400
 */
export function parseFieldSelector(text: string): FieldSelector {
  return text === '' ? FieldSelector.everything : parsed.get(text);
}

/**
 * Rejects a selector with fields that the type does not support.
 *
 * @param isBuiltIn whether the type is one of Kubernetes: those that have nothing but name and namespace there say so
 * @param refusal what the type says of another field, in words of its own
 * @throws StatusError 400 `field label not supported: FIELD`
 */
export function checkFields(
  supported: ReadonlySet<string>,
  selector: FieldSelector,
  isBuiltIn = false,
  refusal?: (field: string) => string,
): void {
  for (const {field} of selector.requirements) {
    if (supported.has(field)) continue;
    if (refusal) throw badRequest(refusal(field));
    const hasOwn = !isBuiltIn || [...supported].some((one) => one !== 'metadata.name' && one !== 'metadata.namespace');
    throw badRequest(
      hasOwn
        ? `field label not supported: ${field}`
        : `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
    );
  }
}

/** Escapes a value for a field selector. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&');
}

function parse(text: string): FieldSelector {
  const requirements = splitTerms(text)
    .filter((term) => term !== '')
    .map((term) => parseTerm(term, text))
    // A term with neither field nor value has no effect, whatever its operator.
    .filter(({field, value}) => field !== '' || value !== '');
  return requirements.length === 0 ? FieldSelector.everything : new FieldSelector(requirements);
}

/** Splits at commas that are not escaped. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let offset = 0; offset < text.length; offset++) {
    if (text[offset] === '\\') {
      offset++;
    } else if (text[offset] === ',') {
      terms.push(text.slice(start, offset));
      if (terms.length >= maximumTerms) throw badRequest(`the field selector has more than ${maximumTerms} terms`);
      start = offset + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

const termPattern = /^(.*?)(!=|==|=)(.*)$/s;

function parseTerm(term: string, selector: string): FieldRequirement {
  const match = termPattern.exec(term);
  if (match === null) throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`);
  const [, field = '', operator, value = ''] = match;
  return {field, operator: operator === '!=' ? '!=' : '=', value: unescapeValue(value)};
}

function unescapeValue(value: string): string {
  if (!/[\\,=]/.test(value)) return value;
  let result = '';
  for (let offset = 0; offset < value.length; offset++) {
    const character = value[offset]!;
    if (character === '\\') {
      const escaped = value[++offset] ?? '';
      if (escaped === '' || !'\\,='.includes(escaped)) throw badRequest(`invalid field selector: invalid escape sequence: \\${escaped}`);
      result += escaped;
    } else if (character === ',' || character === '=') {
      throw badRequest(`invalid field selector: unescaped character in value: ${character.charCodeAt(0)}`);
    } else {
      result += character;
    }
  }
  return result;
}
