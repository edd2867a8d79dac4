/** The kinds of tokens in the order in which messages list them. */
export const tokenKinds = [
  ...['EOF', "'=='", "'!='", "'in'", "'<'", "'<='", "'>='", "'>'", "'&&'", "'||'", "'['", "']'", "'{'", "'}'", "'('", "')'", "'.'", "','"],
  ...["'-'", "'!'", "'?'", "':'", "'+'", "'*'", "'/'", "'%'", "'true'", "'false'", "'null'"],
  ...['WHITESPACE', 'COMMENT', 'NUM_FLOAT', 'NUM_INT', 'NUM_UINT', 'STRING', 'BYTES', 'IDENTIFIER', 'ESC_IDENTIFIER'],
] as const;
export type TokenKind = (typeof tokenKinds)[number];

const reserved: ReadonlySet<string> = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(' '),
);

/** Whether a name is kept for the language, and cannot be that of a variable or function. */
export function isReserved(name: string): boolean {
  return reserved.has(name);
}

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** Of its first UTF-16 unit in the expression. */
  readonly at: number;
}

/** A text that begins no token. */
export interface LexicalFault {
  readonly at: number;
  readonly text: string;
}

export interface Lexed {
  /** The last one is `EOF`. */
  readonly tokens: readonly Token[];
  readonly faults: readonly LexicalFault[];
}

const escape = String.raw`\\(?:[abfnrtv"'\\?\x60]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`;
const quoted = [
  `"""(?:${escape}|[^\\\\])*?"""`,
  `'''(?:${escape}|[^\\\\])*?'''`,
  `"(?:${escape}|[^\\\\"\\n\\r])*"`,
  `'(?:${escape}|[^\\\\'\\n\\r])*'`,
].join('|');
const raw = [`"""[^]*?"""`, `'''[^]*?'''`, `"[^"\\n\\r]*"`, `'[^'\\n\\r]*'`].join('|');
const string = `(?:${quoted}|[rR](?:${raw}))`;
const token = new RegExp(
  [
    String.raw`(?<blank>[\t \r\n\f]+|//[^\n]*)`,
    `(?<bytes>[bB]${string})`,
    `(?<string>${string})`,
    String.raw`(?<float>\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)`,
    String.raw`(?<uint>0x[0-9a-fA-F]+[uU]|\d+[uU])`,
    String.raw`(?<int>0x[0-9a-fA-F]+|\d+)`,
    String.raw`(?<word>[A-Za-z_][A-Za-z0-9_]*)`,
    '(?<escaped>`[A-Za-z0-9_.\\-/ ]+`)',
    String.raw`(?<sign>==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%])`,
  ].join('|'),
  'y',
);
const keywords: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);

/**
 * Cuts an expression into tokens. What begins none is left out, as far as it can be part of one.
 *
 * @param hasBackquotes whether names can stand in backquotes
 */
export function lex(text: string, hasBackquotes: boolean): Lexed {
  const tokens: Token[] = [];
  const faults: LexicalFault[] = [];
  let at = 0;
  while (at < text.length) {
    token.lastIndex = at;
    const found = text[at] === '`' && !hasBackquotes ? null : token.exec(text);
    if (!found) {
      const end = text[at] === '`' && !hasBackquotes ? at + 1 : endOfFault(text, at);
      faults.push({at, text: text.slice(at, end)});
      at = end;
      continue;
    }
    const [part] = found;
    const kind = kindOf(part, found.groups as Readonly<Record<string, string | undefined>>);
    if (kind !== undefined) tokens.push({kind, text: part, at});
    at += part.length;
  }
  tokens.push({kind: 'EOF', text: '<EOF>', at: text.length});
  return {tokens, faults};
}

function kindOf(part: string, groups: Readonly<Record<string, string | undefined>>): TokenKind | undefined {
  if (groups['blank'] !== undefined) return undefined;
  if (groups['word'] !== undefined) return keywords.has(part) ? (`'${part}'` as TokenKind) : 'IDENTIFIER';
  if (groups['sign'] !== undefined) return `'${part}'` as TokenKind;
  if (groups['string'] !== undefined) return 'STRING';
  if (groups['int'] !== undefined) return 'NUM_INT';
  if (groups['float'] !== undefined) return 'NUM_FLOAT';
  if (groups['uint'] !== undefined) return 'NUM_UINT';
  return groups['bytes'] === undefined ? 'ESC_IDENTIFIER' : 'BYTES';
}

const textBegun = new RegExp(`"(?:${escape}|[^\\\\"\\n\\r])*|'(?:${escape}|[^\\\\'\\n\\r])*|\`[A-Za-z0-9_.\\-/ ]*|[&|=]`, 'y');
const escapeBegun = /\\(?:[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7}|[0-3][0-7]?)?/y;

/** After the first character that cannot go on with what could have become a token. */
function endOfFault(text: string, at: number): number {
  textBegun.lastIndex = at;
  let end = at + (textBegun.exec(text)?.[0].length ?? 0);
  if (text[end] === '\\' && end > at) {
    escapeBegun.lastIndex = end;
    end += escapeBegun.exec(text)![0].length;
  }
  return Math.min(text.length, end + (text.codePointAt(end)! > 0xffff ? 2 : 1));
}
