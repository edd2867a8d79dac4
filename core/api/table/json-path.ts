/** One step of a JSON path. */
export type JsonPathStep =
  | {readonly type: 'member'; readonly names: readonly string[]}
  | {readonly type: 'wildcard'}
  | {readonly type: 'descend'}
  | {readonly type: 'index'; readonly indexes: readonly number[]}
  | {readonly type: 'slice'; readonly start?: number; readonly end?: number; readonly step: number}
  | {readonly type: 'filter'; readonly left: JsonPathOperand; readonly comparison?: JsonPathComparison; readonly right?: JsonPathOperand};

export type JsonPathComparison = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** One side of a filter: a path (from the item with `@`, from the whole object with `$`) or a constant. */
export type JsonPathOperand =
  | {readonly type: 'path'; readonly from: 'item' | 'root'; readonly steps: readonly JsonPathStep[]}
  | {readonly type: 'constant'; readonly value: string | number | boolean | null};

/** Maximum nesting of filters inside filters and unions. */
const maximumNesting = 16;

/**
 * Parses the JSON paths of printer columns and scale subresources, in Kubernetes' relaxed form: `.spec.replicas`, `.a['b.c']`, `.a\.b`,
 * `.items[0]`, `[-1]`, `[1:3]`, `[*]`, `..name`, `[?(@.type=="Ready")].status`. Braces around the whole path and a leading `$` are allowed.
 *
 * @throws SyntaxError that says what is wrong and where
 */
export function parseJsonPath(text: string): readonly JsonPathStep[] {
  const inner = text.startsWith('{') && text.endsWith('}') ? text.slice(1, -1) : text;
  const parser = new JsonPathParser(inner);
  const steps = parser.path();
  parser.expectEnd();
  return steps;
}

class JsonPathParser {
  #offset = 0;
  #nesting = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** All following steps. */
  path(): JsonPathStep[] {
    const steps: JsonPathStep[] = [];
    if (this.#text[this.#offset] === '$' || this.#text[this.#offset] === '@') this.#offset++;
    else if (this.#offset === 0 && /[A-Za-z_]/.test(this.#text[0] ?? '')) steps.push({type: 'member', names: [this.#name()]});
    for (;;) {
      if (this.#take('..')) {
        steps.push({type: 'descend'});
        if (this.#text[this.#offset] !== '[') steps.push(this.#take('*') ? {type: 'wildcard'} : {type: 'member', names: [this.#name()]});
      } else if (this.#take('.')) {
        // A lone dot is the whole object, and `.[0]` is the same as `[0]`.
        if (this.#offset === this.#text.length || this.#text[this.#offset] === '[') continue;
        steps.push(this.#take('*') ? {type: 'wildcard'} : {type: 'member', names: [this.#name()]});
      } else if (this.#take('[')) {
        steps.push(this.#bracket());
      } else {
        return steps;
      }
    }
  }

  expectEnd(): void {
    if (this.#offset < this.#text.length) throw this.#fault(`unexpected ${JSON.stringify(this.#text[this.#offset])}`);
  }

  #take(symbol: string): boolean {
    if (!this.#text.startsWith(symbol, this.#offset)) return false;
    this.#offset += symbol.length;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#offset;
    const match = pattern.exec(this.#text);
    if (match === null) return undefined;
    this.#offset = pattern.lastIndex;
    return match;
  }

  #blanks(): void {
    this.#match(/\s*/y);
  }

  #fault(problem: string): SyntaxError {
    return new SyntaxError(`invalid JSON path ${JSON.stringify(this.#text)}: ${problem} at position ${this.#offset}`);
  }

  /** A name after a dot; a backslash escapes the next character. */
  #name(): string {
    const match = this.#match(/(?:[^.[\]()\s'"=<>!&|?@$*,:{}\\]|\\.)+/y);
    if (match === undefined) throw this.#fault('a name is missing');
    return match[0].replace(/\\(.)/g, '$1');
  }

  #close(symbol: string): void {
    this.#blanks();
    if (!this.#take(symbol)) throw this.#fault(`${symbol} is missing`);
  }

  /** The content of brackets, after the opening one. */
  #bracket(): JsonPathStep {
    this.#blanks();
    if (this.#take('?')) return this.#filter();
    if (this.#take('*')) {
      this.#close(']');
      return {type: 'wildcard'};
    }
    const quoted = this.#quoted();
    if (quoted !== undefined) {
      const names = [quoted, ...this.#more(() => this.#quoted())];
      this.#close(']');
      return {type: 'member', names};
    }
    return this.#indexes();
  }

  /** Further entries of a union. */
  #more<T>(entry: () => T | undefined): T[] {
    const entries: T[] = [];
    for (this.#blanks(); this.#take(','); this.#blanks()) {
      this.#blanks();
      const next = entry();
      if (next === undefined) throw this.#fault('an entry is missing');
      entries.push(next);
    }
    return entries;
  }

  #quoted(): string | undefined {
    const match = this.#match(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/y);
    return match === undefined ? undefined : (match[1] ?? match[2]!).replace(/\\(.)/g, '$1');
  }

  #integer(): number | undefined {
    const match = this.#match(/-?[0-9]{1,9}/y);
    return match === undefined ? undefined : Number(match[0]);
  }

  #indexes(): JsonPathStep {
    const first = this.#integer();
    this.#blanks();
    if (this.#take(':')) return this.#slice(first);
    if (first === undefined) throw this.#fault('an index is missing');
    const indexes = [first, ...this.#more(() => this.#integer())];
    this.#close(']');
    return {type: 'index', indexes};
  }

  #slice(start: number | undefined): JsonPathStep {
    this.#blanks();
    const end = this.#integer();
    this.#blanks();
    const step = this.#take(':') ? (this.#integer() ?? 1) : 1;
    if (step < 1) throw this.#fault('the step of a slice must be at least 1');
    this.#close(']');
    return {type: 'slice', step, ...(start === undefined ? {} : {start}), ...(end === undefined ? {} : {end})};
  }

  #filter(): JsonPathStep {
    if (++this.#nesting > maximumNesting) throw this.#fault('filters are nested too deep');
    this.#blanks();
    if (!this.#take('(')) throw this.#fault('( is missing');
    const left = this.#operand();
    this.#blanks();
    const comparison = this.#match(/==|!=|<=|>=|<|>/y)?.[0] as JsonPathComparison | undefined;
    const right = comparison === undefined ? undefined : this.#operand();
    this.#close(')');
    this.#close(']');
    this.#nesting--;
    return {type: 'filter', left, ...(comparison === undefined ? {} : {comparison, right})};
  }

  #operand(): JsonPathOperand {
    this.#blanks();
    const text = this.#quoted();
    if (text !== undefined) return {type: 'constant', value: text};
    const number = this.#match(/-?[0-9]+(?:\.[0-9]+)?/y);
    if (number !== undefined) return {type: 'constant', value: Number(number[0])};
    const word = this.#match(/(true|false|null)\b/y);
    if (word !== undefined) return {type: 'constant', value: word[1] === 'null' ? null : word[1] === 'true'};
    const start = this.#text[this.#offset];
    if (start !== '@' && start !== '$') throw this.#fault('a path, text or number is missing');
    return {type: 'path', from: start === '@' ? 'item' : 'root', steps: this.path()};
  }
}
