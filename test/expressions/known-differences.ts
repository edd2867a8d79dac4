import type {CaseAnswer, ExpressionCase} from './expression-case.js';

/** A case in which we answer otherwise than a real server. */
export interface CaseDifference {
  readonly release: string;
  readonly one: ExpressionCase;
  readonly real: CaseAnswer;
  readonly own: CaseAnswer;
}

interface KnownDifference {
  readonly reason: string;
  isOf(difference: CaseDifference, texts: {readonly real: string; readonly own: string; readonly rule: string}): boolean;
}

const known: readonly KnownDifference[] = [
  {
    reason:
      'The 1.30 that was asked is a build of a distribution, whose new expressions can use the functions of addresses one release earlier than those of the others.',
    isOf: ({release}, {rule, own}) =>
      release === '1.30' &&
      (/\b(?:ip|cidr|isIP|isCIDR|net)\b/.test(rule) || addressFunction.test(rule)) &&
      own.includes('undeclared reference'),
  },
  {
    reason: 'Messages of protocol buffers have no use in rules: their types are not known.',
    isOf: (_, {rule}) => rule.includes('google.protobuf.'),
  },
  {
    reason: 'The server panics; the rule has a result, or fails for what is wrong with it.',
    isOf: (_, {real}) => real.includes('internal error: interface conversion') || real.includes('internal error: runtime error'),
  },
  {
    reason: 'Of rules that cost the same, which are named as the dearest is left to chance.',
    isOf: ({one}, {real, own}) => one.kind === 'cost' && unordered(real) === unordered(own),
  },
  {
    reason: 'Costs of about 2^64 are rounded: which of two such is greater is not known.',
    isOf: ({real, own}, {real: text}) =>
      text.includes('contributed to estimated rule cost total') &&
      JSON.stringify(real.definition.toSorted(byField)) === JSON.stringify(own.definition.toSorted(byField)),
  },
  {
    reason: 'What is said about a rule is bounded, and shows the beginning of a long rule only.',
    isOf: ({real}, {rule}) => rule.length > 1000 || JSON.stringify(real).length > 30_000,
  },
  {
    reason: 'What an evaluation may cost is measured in time here, and ends before it takes the server 40 ms.',
    isOf: ({one}) => one.kind === 'dear',
  },
];

const addressFunction =
  /\.(?:family|isUnspecified|isLoopback|isLinkLocalMulticast|isLinkLocalUnicast|isGlobalUnicast|containsIP|containsCIDR|masked|prefixLength|isCanonical)\(/;

/** Why a difference stays; undefined if it is open. */
export function reasonFor(difference: CaseDifference): string | undefined {
  const texts = {
    real: JSON.stringify(difference.real),
    own: JSON.stringify(difference.own),
    rule: `${difference.one.rule.rule} ${difference.one.rule.messageExpression ?? ''}`,
  };
  return known.find((one) => one.isOf(difference, texts))?.reason;
}

/** Without the names of the places, which are properties of one form. */
function unordered(text: string): string {
  return text.replaceAll(/properties\[p\d+\]/g, 'properties[p]');
}

function byField(a: {readonly field: string; readonly message: string}, b: {readonly field: string; readonly message: string}): number {
  return a.field.localeCompare(b.field) || a.message.localeCompare(b.message);
}
