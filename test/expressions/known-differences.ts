import {isDeepStrictEqual} from 'node:util';
import {messageLimits} from '../../sdk/errors/message-limits.js';
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
    isOf: ({real}, {rule}) =>
      rule.length > 1000 ||
      JSON.stringify(real).length > 30_000 ||
      real.definition.some(({message}) => message.length > messageLimits.fault),
  },
  {
    reason: 'Keys of labels are judged in the words of releases before 1.35 in expressions: there they are qualified names.',
    isOf: (_, {rule, real, own}) =>
      rule.includes('format.qualifiedName()') && real.replaceAll('a valid label key', 'a qualified name') === own,
  },
  {
    reason: 'An object with a field of each kind is equal to itself; where it is compared with what it was the server says that it is not.',
    isOf: ({one, real, own}) =>
      one.rule.rule === 'oldSelf.orValue(self) == self' &&
      (one.values ?? []).every(
        ({value, old}, at) => isDeepStrictEqual(value, old) || isDeepStrictEqual(real.values?.[at], own.values?.[at]),
      ),
  },
  {
    reason: 'Escapes that stand for no character are refused in the words of later releases, also one that 1.30 takes.',
    isOf: ({release, one, own}) =>
      release === '1.30' &&
      /^'\\[uU]/.test(one.rule.rule) &&
      own.definition.some(({message}) => message.includes('invalid unicode code point')),
  },
  {
    reason: 'The name of what a macro collects in is known to be taken, but not in all words in which 1.30 says so.',
    isOf: ({release, one, real, own}) =>
      release === '1.30' && one.rule.rule.includes('__result__') && real.definition.length === own.definition.length,
  },
  {
    reason: 'What a message costs that formats the outcome of something of any type is estimated as in later releases.',
    isOf: ({release, one, real, own}) =>
      release === '1.30' &&
      (one.rule.messageExpression ?? '').includes('.format([') &&
      isDeepStrictEqual(
        real.definition.filter(({field}) => !field.endsWith('.messageExpression')),
        own.definition,
      ),
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
