import {badRequest, type StatusError} from '../../../sdk/index.js';
import {labelValueFaults, qualifiedNameFaults} from '../metadata/name-formats.js';
import {labelTokens, type LabelToken} from './label-lexer.js';
import {labelInteger, type LabelOperator, type LabelRequirement} from './label-requirement.js';

const binaryOperators = 'in, notin, =, ==, !=, gt, lt';

/**
 * Parses the text form of a label selector (Kubernetes' grammar).
 *
 * @throws StatusError 400 that says what was found and what was expected
 */
export function parseLabelRequirements(text: string): LabelRequirement[] {
  return new LabelParser(labelTokens(text)).parse();
}

function requirementOf(key: string, operator: LabelOperator, values: readonly string[]): LabelRequirement {
  const problem = cardinalityProblem(operator, values);
  if (problem !== undefined) {
    const isOne = (operator === 'gt' || operator === 'lt') && values.length === 1;
    throw requirementError(`${isOne ? 'values[0]' : 'values'}: Invalid value: ${JSON.stringify(isOne ? values[0] : values)}: ${problem}`);
  }
  for (const value of values) {
    const faults = labelValueFaults(value);
    if (faults.length > 0) throw requirementError(`values[0][${key}]: Invalid value: ${JSON.stringify(value)}: ${faults.join('; ')}`);
  }
  return {key, operator, values: values.length < 2 ? values : [...new Set(values)].sort()};
}

function cardinalityProblem(operator: LabelOperator, values: readonly string[]): string | undefined {
  switch (operator) {
    case 'in':
    case 'notin':
      return values.length === 0 ? "for 'in', 'notin' operators, values set can't be empty" : undefined;
    case '=':
    case '==':
    case '!=':
      return values.length === 1 ? undefined : 'exact-match compatibility requires one single value';
    case 'exists':
    case '!':
      return values.length === 0 ? undefined : 'values set must be empty for exists and does not exist';
    case 'gt':
    case 'lt':
      if (values.length !== 1) return "for 'Gt', 'Lt' operators, exactly one value is required";
      return labelInteger(values[0]!) === undefined ? "for 'Gt', 'Lt' operators, the value must be an integer" : undefined;
  }
}

function requirementError(problem: string): StatusError {
  return badRequest(`unable to parse requirement: ${problem}`);
}

function checkKey(key: string): void {
  const faults = qualifiedNameFaults(key);
  if (faults.length > 0) throw requirementError(`<nil>: Invalid value: ${JSON.stringify(key)}: ${faults.join('; ')}`);
}

class LabelParser {
  #position = 0;

  readonly #tokens: readonly LabelToken[];

  constructor(tokens: readonly LabelToken[]) {
    this.#tokens = tokens;
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    if (this.#next.kind === 'end') return requirements;
    if (!this.#startsRequirement()) throw badRequest(`found '${this.#next.text}', expected: !, identifier, or 'end of string'`);
    for (;;) {
      requirements.push(this.#requirement());
      const separator = this.#take();
      if (separator.kind === 'end') return requirements;
      if (separator.kind !== ',') throw badRequest(`found '${separator.text}', expected: ',' or 'end of string'`);
      if (!this.#startsRequirement()) throw badRequest(`found '${this.#next.text}', expected: identifier after ','`);
    }
  }

  get #next(): LabelToken {
    return this.#tokens[this.#position]!;
  }

  /** Never passes the last token, the end. */
  #take(): LabelToken {
    const token = this.#next;
    if (token.kind !== 'end') this.#position++;
    return token;
  }

  #startsRequirement(): boolean {
    return this.#next.kind === 'word' || this.#next.kind === '!';
  }

  #requirement(): LabelRequirement {
    const negated = this.#next.kind === '!';
    if (negated) this.#take();
    const key = this.#take();
    if (key.kind !== 'word') throw requirementError(`found '${key.text}', expected: identifier`);
    checkKey(key.text);
    if (negated) return requirementOf(key.text, '!', []);
    if (this.#next.kind === 'end' || this.#next.kind === ',') return requirementOf(key.text, 'exists', []);

    const operator = this.#operator();
    const values = operator === 'in' || operator === 'notin' ? this.#valueList() : [this.#singleValue()];
    return requirementOf(key.text, operator, values);
  }

  #operator(): LabelOperator {
    const token = this.#take();
    switch (token.kind) {
      case '=':
      case '==':
      case '!=':
        return token.kind;
      case '>':
        return 'gt';
      case '<':
        return 'lt';
      case 'word':
        if (token.text === 'in' || token.text === 'notin') return token.text;
    }
    throw requirementError(`found '${token.text}', expected: ${binaryOperators}`);
  }

  /** The value of a comparison: a word, or the empty string if there is none. */
  #singleValue(): string {
    if (this.#next.kind === 'end' || this.#next.kind === ',') return '';
    const token = this.#take();
    if (token.kind !== 'word') throw requirementError(`found '${token.text}', expected: identifier`);
    return token.text;
  }

  /** Words in parentheses. A missing word beside a comma or between the parentheses is the empty string. */
  #valueList(): string[] {
    const open = this.#take();
    if (open.kind !== '(') throw requirementError(`found '${open.text}' expected: '('`);
    const {kind, text} = this.#next;
    if (kind !== 'word' && kind !== ',' && kind !== ')') throw requirementError(`found '${text}', expected: ',', ')' or identifier`);
    const values: string[] = [];
    for (;;) {
      values.push(this.#next.kind === 'word' ? this.#take().text : '');
      const separator = this.#take();
      if (separator.kind === ')') return values;
      if (separator.kind !== ',') throw requirementError(`found '${separator.text}', expected: ',' or ')'`);
    }
  }
}
