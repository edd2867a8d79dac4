import type {CelFeatures} from '../features.js';
import type {Issues} from './issues.js';
import {networkOf, nextOf, type Network, type State, type Step} from './network.js';
import {predict} from './prediction.js';
import {isReserved, tokenKinds, type Lexed, type LexicalFault, type Token, type TokenKind} from './tokens.js';

/** How often reading goes on after a fault, how many tokens it skips to do so, and how many faults are told. */
const limits = {recoveries: 30, skipped: 256, reports: 100, depth: 250};

/** Reading ends. */
class GivenUp {
  /** @param message about the whole expression; undefined if all has been said */
  constructor(readonly message?: string) {}
}

/** A rule cannot go on. */
class Mismatch {
  constructor(
    readonly state: State,
    /** Where the alternatives began of which none goes on. */
    readonly from?: Token,
    readonly at?: Token,
  ) {}
}

interface Call {
  readonly follow: State | undefined;
  readonly caller: Call | undefined;
  readonly precedence: number;
}

/**
 * Reports what is wrong with tokens that are no expression, in the words of cel-go: it reads them as the parser does that ANTLR generates from
 * the grammar, with its ways to go on after a fault.
 */
export function reportSyntax({tokens, faults}: Lexed, features: CelFeatures, issues: Issues): void {
  for (const {at, text} of faults) issues.report(at, `Syntax error: token recognition error at: '${text}'`);
  const withBackquotes = features.has('names-in-backquotes');
  const reader = new Reader(tokens, networkOf(withBackquotes), issues, faults, withBackquotes ? 2 : 1);
  try {
    reader.read('start', undefined, 0);
  } catch (error) {
    if (!(error instanceof GivenUp)) throw error;
    if (error.message !== undefined) issues.report(-1, error.message);
  }
  // What the parser does not understand must not count as understood.
  if (issues.count === 0) issues.report(0, 'Syntax error: unexpected input');
}

class Reader {
  readonly #tokens: readonly Token[];
  readonly #network: Network;
  readonly #issues: Issues;
  readonly #faults: readonly LexicalFault[];
  #next = 0;
  #reports: number;
  #recoveries = 0;
  #depth = 0;
  /** A fault has been reported, and nothing been understood since. */
  #isRecovering = false;
  #lastFault: {readonly next: number; readonly states: Set<State>} | undefined;

  /** How many of the first alternatives of `primary` are variables and calls. */
  readonly #names: number;

  constructor(tokens: readonly Token[], network: Network, issues: Issues, faults: readonly LexicalFault[], names: number) {
    this.#names = names;
    this.#tokens = tokens;
    this.#network = network;
    this.#issues = issues;
    this.#faults = faults;
    this.#reports = faults.length;
  }

  read(name: string, caller: Call | undefined, precedence: number, follow?: State): void {
    if (name === 'expr') this.#depth += 1;
    if (this.#depth > limits.depth) throw new GivenUp(`expression recursion limit exceeded: ${limits.depth}`);
    const call: Call = {follow, caller, precedence};
    const start = this.#token;
    try {
      this.#step(this.#network.steps.get(name)!, call);
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      this.#reportMismatch(error, call);
      this.#recover(error.state, call);
      // What cel-go says besides where a name is missing.
      if (name === 'escapeIdent') this.#issues.report(start.at, 'unsupported ident kind');
    }
    if (name === 'expr') this.#depth -= 1;
  }

  get #token(): Token {
    return this.#tokens[this.#next]!;
  }

  #kindAfter(): TokenKind {
    return this.#tokens[Math.min(this.#next + 1, this.#tokens.length - 1)]!.kind;
  }

  #consume(): void {
    if (this.#next < this.#tokens.length - 1) this.#next += 1;
  }

  #step(step: Step, call: Call): void {
    const {element, state, parts} = step;
    switch (element.is) {
      case 'tokens':
        if (new Set(element.kinds).has(this.#token.kind)) {
          this.#matched();
          this.#consume();
        } else this.#recoverInline(state, call);
        return;
      case 'rule':
        this.read(element.name, call, element.precedence, step.end);
        return;
      case 'sequence':
        for (const part of parts) this.#step(part, call);
        return;
      case 'precedence':
        return;
      default:
        this.#block(step, call);
    }
  }

  #block(step: Step, call: Call): void {
    const {element, state, parts, back, inner} = step;
    this.#sync(state, call);
    switch (element.is) {
      case 'choice': {
        const start = this.#next;
        const chosen = this.#chosen(step, state, call);
        this.#step(parts[chosen - 1]!, call);
        if (state.rule === 'primary' && chosen <= this.#names) this.#checkName(start);
        return;
      }
      case 'maybe':
        if (this.#chosen(step, state, call) <= parts.length) this.#step(parts[0]!, call);
        return;
      case 'some':
        do {
          this.#step(parts[0]!, call);
          this.#sync(back!, call);
        } while (this.#chosen(step, back!, call) === 1);
        return;
      default:
        while (this.#chosen(step, state, call) === 1) {
          if (parts.length > 1) {
            this.#sync(inner!, call);
            this.#step(parts[this.#chosen(step, inner!, call) - 1]!, call);
          } else this.#step(parts[0]!, call);
          this.#sync(back!, call);
        }
    }
  }

  /** Names that mean something to the language are told wherever they stand. */
  #checkName(start: number): void {
    const token = this.#tokens[start]!;
    const name = token.kind === "'.'" ? this.#tokens[start + 1]! : token;
    if (name.kind === 'IDENTIFIER' && isReserved(name.text)) this.#issues.report(token.at, `reserved identifier: ${name.text}`);
  }

  /** The number of the alternative or way out of a state that goes on with the tokens. */
  #chosen({element}: Step, state: State, call: Call): number {
    if ('isLL1' in element && element.isLL1) {
      const {kind} = this.#token;
      const found = state.transitions.findIndex(({target}) => nextOf(target).kinds.has(kind));
      if (element.is !== 'choice') return found === 0 ? 1 : 2;
      if (found >= 0) return found + 1;
      throw new Mismatch(state, this.#token, this.#token);
    }
    const prediction = predict(this.#network, state, this.#tokens, this.#next, call.precedence);
    if ('alternative' in prediction) return prediction.alternative;
    throw new Mismatch(state, this.#token, this.#tokens[prediction.failedAt]);
  }

  /** Before a choice or loop: skips a token that is too many. */
  #sync(state: State, call: Call): void {
    if (this.#isRecovering) return;
    const {kinds, canEnd} = nextOf(state);
    if (kinds.has(this.#token.kind) || canEnd) return;
    if (state.role === 'begin') {
      if (this.#deletesOne(state, call)) return;
      throw new Mismatch(state);
    }
    this.#reportUnwanted(state, call);
    this.#skipTo(new Set([...this.#expected(state, call), ...this.#follows(call)]), Number.POSITIVE_INFINITY);
  }

  #matched(): void {
    this.#isRecovering = false;
    this.#lastFault = undefined;
  }

  #recoverInline(state: State, call: Call): void {
    this.#countRecovery();
    if (this.#deletesOne(state, call)) {
      this.#consume();
      return;
    }
    if (this.#following(state.transitions[0]!.target, call).has(this.#token.kind)) {
      if (!this.#isRecovering) {
        this.#isRecovering = true;
        this.#report(this.#token, `missing ${listed(this.#expected(state, call))} at ${shown(this.#token)}`);
      }
      return;
    }
    throw new Mismatch(state);
  }

  /** Skips a token if the one after it would do. */
  #deletesOne(state: State, call: Call): boolean {
    if (!this.#expected(state, call).has(this.#kindAfter())) return false;
    this.#reportUnwanted(state, call);
    this.#consume();
    this.#matched();
    return true;
  }

  #reportUnwanted(state: State, call: Call): void {
    if (this.#isRecovering) return;
    this.#isRecovering = true;
    this.#report(this.#token, `extraneous input ${shown(this.#token)} expecting ${listed(this.#expected(state, call))}`);
  }

  #reportMismatch({state, from, at}: Mismatch, call: Call): void {
    if (this.#isRecovering) return;
    this.#isRecovering = true;
    if (!from || !at) {
      this.#report(this.#token, `mismatched input ${shown(this.#token)} expecting ${listed(this.#expected(state, call))}`);
      return;
    }
    const written = this.#written(from, at);
    // Names that mean something already are no fields.
    const keyword = /^'.(true|false|null)'$/s.exec(written);
    this.#report(at, keyword ? `mismatched input '${keyword[1]}' expecting IDENTIFIER` : `no viable alternative at input ${written}`);
  }

  #written(from: Token, to: Token): string {
    if (from.kind === 'EOF') return "'<EOF>'";
    const {text} = this.#issues.source;
    const end = to.kind === 'EOF' ? text.length : to.at + to.text.length;
    let written = '';
    let at = from.at;
    // What is part of no token is not there.
    for (const fault of this.#faults) {
      if (fault.at < at || fault.at >= end) continue;
      written += text.slice(at, fault.at);
      at = fault.at + fault.text.length;
    }
    return quoted(written + text.slice(at, end));
  }

  #report({at}: Token, message: string): void {
    if (this.#reports >= limits.reports) {
      this.#issues.report(at, `Syntax error: More than ${limits.reports} syntax errors`);
      throw new GivenUp();
    }
    this.#reports += 1;
    this.#issues.report(at, `Syntax error: ${message}`);
  }

  #countRecovery(): void {
    if (this.#recoveries === limits.recoveries) {
      this.#report(this.#token, `error recovery attempt limit exceeded: ${limits.recoveries}`);
      throw new GivenUp();
    }
    this.#recoveries += 1;
  }

  #recover(state: State, call: Call): void {
    this.#countRecovery();
    if (this.#lastFault?.next === this.#next && this.#lastFault.states.has(state)) this.#consume();
    const states = this.#lastFault?.states ?? new Set();
    states.add(state);
    this.#lastFault = {next: this.#next, states};
    this.#skipTo(this.#follows(call), limits.skipped);
  }

  #skipTo(kinds: ReadonlySet<TokenKind>, most: number): void {
    for (let skipped = 0; this.#token.kind !== 'EOF' && !kinds.has(this.#token.kind); skipped += 1) {
      if (skipped >= most) throw new GivenUp(`error recovery token lookahead limit exceeded: ${most}`);
      this.#consume();
    }
  }

  /** What may come after the rules that are being read. */
  #follows(call: Call): Set<TokenKind> {
    const kinds = new Set<TokenKind>();
    for (let at: Call | undefined = call; at?.follow; at = at.caller) for (const kind of nextOf(at.follow).kinds) kinds.add(kind);
    return kinds;
  }

  #expected(state: State, call: Call): Set<TokenKind> {
    return this.#following(state, call);
  }

  /** What may come next, beyond the ends of rules too. */
  #following(state: State, call: Call): Set<TokenKind> {
    let {kinds, canEnd} = nextOf(state);
    const found = new Set(kinds);
    for (let at: Call | undefined = call; canEnd && at?.follow; at = at.caller) {
      ({kinds, canEnd} = nextOf(at.follow));
      for (const kind of kinds) found.add(kind);
    }
    if (canEnd) found.add('EOF');
    return found;
  }
}

const order = new Map(tokenKinds.map((kind, at) => [kind, at]));

function listed(kinds: ReadonlySet<TokenKind>): string {
  const names = [...kinds].toSorted((a, b) => order.get(a)! - order.get(b)!).map((kind) => (kind === 'EOF' ? '<EOF>' : kind));
  return names.length === 1 ? names[0]! : `{${names.join(', ')}}`;
}

function shown({text}: Token): string {
  return quoted(text);
}

function quoted(text: string): string {
  return `'${text
    .replaceAll('\t', String.raw`\t`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\r', String.raw`\r`)}'`;
}
