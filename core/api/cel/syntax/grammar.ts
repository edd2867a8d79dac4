import type {TokenKind} from './tokens.js';

/** A part of a rule of the grammar. A loop or choice is decided by the next token where that is enough (`LL1`), else by looking further ahead. */
export type Element =
  | {readonly is: 'tokens'; readonly kinds: readonly TokenKind[]}
  | {readonly is: 'rule'; readonly name: string; readonly precedence: number}
  | {readonly is: 'sequence'; readonly parts: readonly Element[]}
  | {readonly is: 'choice' | 'maybe' | 'any' | 'some'; readonly alternatives: readonly Element[]; readonly isLL1: boolean}
  | {readonly is: 'precedence'; readonly level: number};

const tokens = (...kinds: readonly TokenKind[]): Element => ({is: 'tokens', kinds});
const rule = (name: string, precedence = 0): Element => ({is: 'rule', name, precedence});
const sequence = (...parts: readonly Element[]): Element => ({is: 'sequence', parts});
const block =
  (is: 'choice' | 'maybe' | 'any' | 'some', isLL1: boolean) =>
  (...alternatives: readonly Element[]): Element => ({is, alternatives, isLL1});
const choice = block('choice', false);
const choiceLL1 = block('choice', true);
const maybe = block('maybe', true);
const maybeAhead = block('maybe', false);
const any = block('any', true);
const anyAhead = block('any', false);
const precedence = (level: number): Element => ({is: 'precedence', level});

const commaSeparated = (item: Element, isLast: boolean): Element =>
  sequence(item, (isLast ? any : anyAhead)(sequence(tokens("','"), item)));

/**
 * The rules of CEL's grammar as cel-go has them, with the left recursion taken out. The rules are data for the messages about what is no
 * expression; what is one is read by `parser.ts`.
 *
 * @param withBackquotes whether names in backquotes are part of it
 */
export function grammarOf(withBackquotes: boolean): Readonly<Record<string, Element>> {
  const field = withBackquotes ? rule('escapeIdent') : tokens('IDENTIFIER');
  const mark = maybe(tokens("'?'"));
  const dot = maybe(tokens("'.'"));
  const args = sequence(tokens("'('"), maybe(rule('exprList')), tokens("')'"));
  return {
    start: sequence(rule('expr'), tokens('EOF')),
    expr: sequence(rule('conditionalOr'), maybe(sequence(tokens("'?'"), rule('conditionalOr'), tokens("':'"), rule('expr')))),
    conditionalOr: sequence(rule('conditionalAnd'), any(sequence(tokens("'||'"), rule('conditionalAnd')))),
    conditionalAnd: sequence(rule('relation'), any(sequence(tokens("'&&'"), rule('relation')))),
    relation: sequence(
      rule('calc'),
      anyAhead(sequence(precedence(1), tokens("'=='", "'!='", "'in'", "'<'", "'<='", "'>='", "'>'"), rule('relation', 2))),
    ),
    calc: sequence(
      rule('unary'),
      anyAhead(
        sequence(precedence(2), tokens("'*'", "'/'", "'%'"), rule('calc', 3)),
        sequence(precedence(1), tokens("'-'", "'+'"), rule('calc', 2)),
      ),
    ),
    unary: choice(
      rule('member'),
      sequence(block('some', true)(tokens("'!'")), rule('member')),
      sequence(block('some', false)(tokens("'-'")), rule('member')),
    ),
    member: sequence(
      rule('primary'),
      anyAhead(
        sequence(precedence(3), tokens("'.'"), mark, field),
        sequence(precedence(2), tokens("'.'"), tokens('IDENTIFIER'), args),
        sequence(precedence(1), tokens("'['"), mark, rule('expr'), tokens("']'")),
      ),
    ),
    primary: choice(
      ...(withBackquotes
        ? [sequence(dot, tokens('IDENTIFIER')), sequence(dot, tokens('IDENTIFIER'), args)]
        : [sequence(dot, tokens('IDENTIFIER'), maybeAhead(args))]),
      sequence(tokens("'('"), rule('expr'), tokens("')'")),
      sequence(tokens("'['"), maybe(rule('listInit')), maybe(tokens("','")), tokens("']'")),
      sequence(tokens("'{'"), maybe(rule('mapInitializerList')), maybe(tokens("','")), tokens("'}'")),
      sequence(
        ...[dot, tokens('IDENTIFIER'), any(sequence(tokens("'.'"), tokens('IDENTIFIER')))],
        ...[tokens("'{'"), maybe(rule('fieldInitializerList')), maybe(tokens("','")), tokens("'}'")],
      ),
      rule('literal'),
    ),
    exprList: commaSeparated(rule('expr'), true),
    listInit: commaSeparated(rule('optExpr'), false),
    fieldInitializerList: commaSeparated(sequence(rule('optField'), tokens("':'"), rule('expr')), false),
    optField: sequence(mark, field),
    mapInitializerList: commaSeparated(sequence(rule('optExpr'), tokens("':'"), rule('expr')), false),
    ...(withBackquotes && {escapeIdent: choiceLL1(tokens('IDENTIFIER'), tokens('ESC_IDENTIFIER'))}),
    optExpr: sequence(mark, rule('expr')),
    literal: choice(
      sequence(maybe(tokens("'-'")), tokens('NUM_INT')),
      tokens('NUM_UINT'),
      sequence(maybe(tokens("'-'")), tokens('NUM_FLOAT')),
      ...(['STRING', 'BYTES', "'true'", "'false'", "'null'"] as const).map((kind) => tokens(kind)),
    ),
  };
}
