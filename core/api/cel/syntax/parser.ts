import type {CelFeatures} from '../features.js';
import type {Entry, Node, StructField} from './ast.js';
import {Issues} from './issues.js';
import {doubleOf, intOf, uintOf, unquoted} from './literals.js';
import {expand} from './macros.js';
import {SourceText} from './source-text.js';
import {reportSyntax} from './syntax-faults.js';
import {isReserved, lex, type Token, type TokenKind} from './tokens.js';

/** Characters of an expression. */
const longestExpression = 100_000;
/** Nested operators, brackets and calls. */
const deepest = 250;

const relations: ReadonlySet<TokenKind> = new Set(["'<'", "'<='", "'>='", "'>'", "'=='", "'!='", "'in'"]);
const products: ReadonlySet<TokenKind> = new Set(["'*'", "'/'", "'%'"]);
const sums: ReadonlySet<TokenKind> = new Set(["'+'", "'-'"]);

/** The tokens are not those of an expression: which ones would be is told by `reportSyntax`. */
class Unexpected {}
/** It goes too deep. */
class TooDeep {
  constructor(readonly message: string) {}
}

/** An expression with its macros expanded. With issues, it means nothing. */
export interface Parsed {
  readonly root: Node;
  readonly issues: Issues;
}

export function parse(text: string, features: CelFeatures): Parsed {
  const issues = new Issues(new SourceText(text));
  const nothing: Node = {op: 'invalid', at: 0};
  let length = 0;
  if (text.length > longestExpression) for (const _ of text) length += 1;
  if (length > longestExpression) {
    issues.report(-1, `expression code point size exceeds limit: size: ${length}, limit ${longestExpression}`);
    return {root: nothing, issues};
  }
  const lexed = lex(text, features.has('names-in-backquotes'));
  try {
    if (lexed.faults.length > 0) throw new Unexpected();
    return {root: new Parser(lexed.tokens, features, issues).parse(), issues};
  } catch (error) {
    const of = new Issues(issues.source);
    if (error instanceof TooDeep) of.report(-1, error.message);
    else if (error instanceof Unexpected) reportSyntax(lexed, features, of);
    else throw error;
    return {root: nothing, issues: of};
  }
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #features: CelFeatures;
  readonly #issues: Issues;
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], features: CelFeatures, issues: Issues) {
    this.#tokens = tokens;
    this.#features = features;
    this.#issues = issues;
  }

  parse(): Node {
    const root = this.#expression();
    this.#take('EOF');
    return root;
  }

  get #token(): Token {
    return this.#tokens[this.#next]!;
  }

  #take(kind: TokenKind): Token {
    const token = this.#token;
    if (token.kind !== kind) throw new Unexpected();
    this.#next += 1;
    return token;
  }

  #taken(kind: TokenKind): Token | undefined {
    if (this.#token.kind !== kind) return undefined;
    const token = this.#token;
    this.#next += 1;
    return token;
  }

  #fault(at: number, message: string): Node {
    this.#issues.report(at, message);
    return {op: 'invalid', at};
  }

  /** A node whose parts are as many levels high as it is without one. */
  #above(node: Node, ...parts: readonly Node[]): Node {
    const height = 1 + Math.max(0, ...parts.map((part) => part.height ?? 0));
    if (height > deepest) throw new TooDeep('max recursion depth exceeded');
    node.height = height;
    return node;
  }

  #around(node: Node, parts: readonly Node[]): Node {
    node.height = Math.max(0, ...parts.map((part) => part.height ?? 0));
    return node;
  }

  #expression(): Node {
    this.#depth += 1;
    if (this.#depth > deepest) throw new TooDeep(`expression recursion limit exceeded: ${deepest}`);
    const condition = this.#either();
    const mark = this.#taken("'?'");
    let node = condition;
    if (mark) {
      const yes = this.#either();
      this.#take("':'");
      const no = this.#expression();
      node = this.#above({op: 'call', at: mark.at, name: '_?_:_', target: undefined, args: [condition, yes, no]}, condition, yes, no);
    }
    this.#depth -= 1;
    return node;
  }

  #either(): Node {
    return this.#terms("'||'", '_||_', () => this.#terms("'&&'", '_&&_', () => this.#relation()));
  }

  /** Chains become balanced trees, so that long ones do not go deep. */
  #terms(kind: TokenKind, name: string, term: () => Node): Node {
    const terms = [term()];
    const operators: Token[] = [];
    for (let operator = this.#taken(kind); operator; operator = this.#taken(kind)) {
      operators.push(operator);
      terms.push(term());
    }
    return operators.length === 0 ? terms[0]! : this.#balanced(name, terms, operators, 0, operators.length - 1);
  }

  #balanced(name: string, terms: readonly Node[], operators: readonly Token[], low: number, high: number): Node {
    const middle = Math.floor((low + high + 1) / 2);
    const left = middle === low ? terms[middle]! : this.#balanced(name, terms, operators, low, middle - 1);
    const right = middle === high ? terms[middle + 1]! : this.#balanced(name, terms, operators, middle + 1, high);
    return this.#around({op: 'call', at: operators[middle]!.at, name, target: undefined, args: [left, right]}, [left, right]);
  }

  #relation(): Node {
    return this.#chain(relations, () => this.#chain(sums, () => this.#chain(products, () => this.#unary())));
  }

  #chain(kinds: ReadonlySet<TokenKind>, operand: () => Node): Node {
    let left = operand();
    while (kinds.has(this.#token.kind)) {
      const {at, text} = this.#token;
      this.#next += 1;
      const right = operand();
      const name = text === 'in' ? '@in' : `_${text}_`;
      left = this.#above({op: 'call', at, name, target: undefined, args: [left, right]}, left, right);
    }
    return left;
  }

  #unary(): Node {
    const {kind, at} = this.#token;
    if (kind === "'!'") return this.#negated("'!'", '!_', at);
    const next = this.#tokens[this.#next + 1]?.kind;
    if (kind === "'-'" && next !== 'NUM_INT' && next !== 'NUM_FLOAT') return this.#negated("'-'", '-_', at);
    return this.#member();
  }

  #negated(kind: TokenKind, name: string, at: number): Node {
    let count = 0;
    while (this.#taken(kind)) count += 1;
    const operand = this.#member();
    return count % 2 === 0 ? operand : this.#around({op: 'call', at, name, target: undefined, args: [operand]}, [operand]);
  }

  #member(): Node {
    let node = this.#primary();
    for (;;) {
      const token = this.#token;
      if (token.kind === "'.'") {
        this.#next += 1;
        node = this.#selected(node, token.at);
      } else if (token.kind === "'['") {
        this.#next += 1;
        const isOptional = this.#taken("'?'") !== undefined;
        const index = this.#expression();
        this.#take("']'");
        node = this.#indexed(node, index, token.at, isOptional);
      } else return node;
    }
  }

  #selected(operand: Node, at: number): Node {
    const isOptional = this.#taken("'?'") !== undefined;
    const name = this.#token;
    if (name.kind !== 'IDENTIFIER' && !(name.kind === 'ESC_IDENTIFIER' && this.#features.has('names-in-backquotes')))
      throw new Unexpected();
    this.#next += 1;
    const open = isOptional || name.kind === 'ESC_IDENTIFIER' ? undefined : this.#taken("'('");
    if (open) {
      const args = this.#arguments();
      return this.#above(this.#expanded(open.at, name.text, operand, args), operand, ...args);
    }
    const field = this.#nameOf(name);
    if (!isOptional) return this.#above({op: 'select', at, operand, field, isTest: false}, operand);
    if (!this.#features.has('optional-types')) return this.#fault(at, "unsupported syntax '.?'");
    const literal: Node = {op: 'literal', at: name.at, value: field};
    return this.#above({op: 'call', at, name: '_?._', target: undefined, args: [operand, literal]}, operand);
  }

  /** A name in backquotes without them. Selections and fields understand these from the first release on whose libraries do. */
  #nameOf({kind, text, at}: Token): string {
    if (kind !== 'ESC_IDENTIFIER') return text;
    this.#issues.report(at, "unsupported syntax: '`'");
    return text.slice(1, -1);
  }

  #indexed(target: Node, index: Node, at: number, isOptional: boolean): Node {
    if (isOptional && !this.#features.has('optional-types')) return this.#fault(at, "unsupported syntax '[?'");
    return this.#above({op: 'call', at, name: isOptional ? '_[?_]' : '_[_]', target: undefined, args: [target, index]}, target, index);
  }

  #expanded(at: number, name: string, target: Node | undefined, args: readonly Node[]): Node {
    const expansion = expand(this.#features, at, name, target, args);
    if (!expansion) return {op: 'call', at, name, target, args};
    return 'node' in expansion ? expansion.node : this.#fault(expansion.at, expansion.fault);
  }

  /** Up to the closing bracket, which is taken. */
  #arguments(): Node[] {
    const args: Node[] = [];
    if (this.#taken("')'")) return args;
    do args.push(this.#expression());
    while (this.#taken("','"));
    this.#take("')'");
    return args;
  }

  #primary(): Node {
    const token = this.#token;
    switch (token.kind) {
      case "'('": {
        this.#next += 1;
        const node = this.#expression();
        this.#take("')'");
        return node;
      }
      case "'['":
        this.#next += 1;
        return this.#list(token.at);
      case "'{'":
        this.#next += 1;
        return this.#map(token.at);
      case "'.'":
      case 'IDENTIFIER':
        return this.#named();
      default:
        return this.#literal();
    }
  }

  #list(at: number): Node {
    const items: Node[] = [];
    const optional = new Set<number>();
    while (this.#token.kind !== "']'" && !(items.length === 0 && this.#token.kind === "','")) {
      if (this.#marked()) optional.add(items.length);
      items.push(this.#expression());
      if (!this.#taken("','")) break;
    }
    if (items.length === 0) this.#taken("','");
    this.#take("']'");
    return this.#around({op: 'list', at, items, optional}, items);
  }

  /** Takes the mark of an optional item, entry or field. */
  #marked(): boolean {
    const mark = this.#taken("'?'");
    if (!mark) return false;
    if (!this.#features.has('optional-types')) this.#issues.report(mark.at, "unsupported syntax '?'");
    return true;
  }

  #map(at: number): Node {
    const entries: Entry[] = [];
    while (this.#token.kind !== "'}'" && !(entries.length === 0 && this.#token.kind === "','")) {
      const isOptional = this.#marked();
      const key = this.#expression();
      const colon = this.#take("':'");
      entries.push({at: colon.at, key, value: this.#expression(), isOptional});
      if (!this.#taken("','")) break;
    }
    if (entries.length === 0) this.#taken("','");
    this.#take("'}'");
    return this.#around(
      {op: 'map', at, entries},
      entries.flatMap(({key, value}) => [key, value]),
    );
  }

  /** A variable, a call of a function, or a construction. */
  #named(): Node {
    const dot = this.#taken("'.'");
    const name = this.#take('IDENTIFIER');
    const brace = this.#braceAfter(this.#next);
    if (brace !== undefined) {
      const written = this.#tokens.slice(this.#next - 1, brace).map(({text}) => text);
      this.#next = brace + 1;
      return this.#construction(this.#tokens[brace]!.at, (dot ? '.' : '') + written.join(''));
    }
    const start = (dot ?? name).at;
    const open = this.#taken("'('");
    const args = open && this.#arguments();
    if (isReserved(name.text)) return this.#fault(start, `reserved identifier: ${name.text}`);
    const full = (dot ? '.' : '') + name.text;
    if (!open) return {op: 'ident', at: name.at, name: full};
    return this.#above(this.#expanded(open.at, full, undefined, args!), ...args!);
  }

  /** Where the brace of a construction stands that begins with the name before. */
  #braceAfter(next: number): number | undefined {
    let at = next;
    while (this.#tokens[at]!.kind === "'.'" && this.#tokens[at + 1]?.kind === 'IDENTIFIER') at += 2;
    return this.#tokens[at]!.kind === "'{'" ? at : undefined;
  }

  #construction(at: number, name: string): Node {
    const fields: StructField[] = [];
    while (this.#token.kind !== "'}'" && !(fields.length === 0 && this.#token.kind === "','")) {
      const isOptional = this.#marked();
      const field = this.#token;
      if (field.kind !== 'IDENTIFIER' && !(field.kind === 'ESC_IDENTIFIER' && this.#features.has('names-in-backquotes')))
        throw new Unexpected();
      this.#next += 1;
      const colon = this.#take("':'");
      fields.push({at: colon.at, name: this.#nameOf(field), value: this.#expression(), isOptional});
      if (!this.#taken("','")) break;
    }
    if (fields.length === 0) this.#taken("','");
    this.#take("'}'");
    return this.#around(
      {op: 'struct', at, name, fields},
      fields.map(({value}) => value),
    );
  }

  #literal(): Node {
    const sign = this.#token.kind === "'-'" ? this.#token : undefined;
    if (sign) this.#next += 1;
    const {kind, text, at} = this.#token;
    if (sign && kind !== 'NUM_INT' && kind !== 'NUM_FLOAT') throw new Unexpected();
    this.#next += 1;
    const start = (sign ?? {at}).at;
    const of = (value: unknown, what: string): Node =>
      value === undefined ? this.#fault(start, `invalid ${what} literal`) : {op: 'literal', at: start, value};
    switch (kind) {
      case 'NUM_INT':
        return of(intOf(text, sign !== undefined), 'int');
      case 'NUM_UINT':
        return of(uintOf(text), 'uint');
      case 'NUM_FLOAT':
        return of(doubleOf(text, sign !== undefined), 'double');
      case 'STRING':
      case 'BYTES': {
        const found = unquoted(kind === 'BYTES' ? text.slice(1) : text, kind === 'BYTES');
        return 'fault' in found ? this.#fault(start, found.fault) : of(found.value, '');
      }
      case "'true'":
      case "'false'":
        return of(kind === "'true'", '');
      case "'null'":
        return {op: 'literal', at: start, value: null};
      default:
        throw new Unexpected();
    }
  }
}
