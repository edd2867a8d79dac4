import {durationMillis, parseQuantity} from '../../../../sdk/index.js';
import {fraction} from '../behaviour/behaviour.js';

/** An amount in billionths, or a share of what is asked for. */
type Amount = {readonly nano: bigint} | {readonly percent: number};

interface Point {
  /** Milliseconds since the beginning from which on it holds. */
  readonly at: number;
  readonly amount: Amount;
  /** What is added in part, another part in each interval. */
  readonly spread: Amount | undefined;
}

/** How much of a resource is used as time goes by. */
export interface UsageFormula {
  /** Whether it is what all pods of a workload use together. */
  readonly isShared: boolean;
  readonly points: readonly Point[];
  /** After so many milliseconds it begins again; Infinity if it does not. */
  readonly period: number;
}

/** What a formula is computed for. */
export interface UsageMoment {
  /** Milliseconds since its beginning. */
  readonly since: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** What percentages are of, in billionths. */
  readonly whole: bigint;
  /** What varies depends on that and the time alone. */
  readonly seed: string;
}

const mostPoints = 1000;
const longestText = 65_536;
/** What varies is another amount after so long. */
const intervalMillis = 15_000;

/**
 * Reads a formula: `200m`; `200m+100m`, of which the second is added in part; `50%` of what is asked for; a series `0s=100m,5m=2,20m=100m`, of which each value holds from
 * its time on, and which begins again after `every=30m`; with `shared` before it, what all pods of a workload use together.
 *
 * @returns undefined for a text that is none
 */
export function parseUsage(text: string): UsageFormula | undefined {
  if (text.length > longestText) return undefined;
  const trimmed = text.trim();
  const isShared = trimmed.startsWith('shared ');
  const parts = (isShared ? trimmed.slice('shared '.length) : trimmed).split(',', mostPoints + 2).map((part) => part.trim());
  const last = parts.at(-1) ?? '';
  const period = last.startsWith('every=') ? durationMillis(last.slice('every='.length)) : Infinity;
  if (period === undefined || period <= 0) return undefined;
  const texts = period === Infinity ? parts : parts.slice(0, -1);
  const points = texts.map((part) => pointOf(part, texts.length === 1));
  if (points.length === 0 || points.length > mostPoints || points.includes(undefined)) return undefined;
  const known = points as Point[];
  const isOrdered = known.every(({at}, index) => index === 0 || at > known[index - 1]!.at);
  return isOrdered ? {isShared, points: known, period} : undefined;
}

/** What is used at a moment, in billionths. */
export function usageAt({points, period}: UsageFormula, {since, now, whole, seed}: UsageMoment): bigint {
  const time = period === Infinity ? since : since % period;
  const point = points.findLast(({at}) => at <= time);
  if (!point) return 0n;
  const nanoOf = (amount: Amount) => ('nano' in amount ? amount.nano : (whole * BigInt(Math.round(amount.percent * 100))) / 10_000n);
  const base = nanoOf(point.amount);
  if (!point.spread) return base;
  const part = BigInt(Math.round(fraction(`${seed} ${Math.floor(now / intervalMillis)}`) * 10_000));
  return base + (nanoOf(point.spread) * part) / 10_000n;
}

function pointOf(text: string, isAlone: boolean): Point | undefined {
  const sign = text.indexOf('=');
  if (sign < 0 && !isAlone) return undefined;
  const at = sign < 0 ? 0 : durationMillis(text.slice(0, sign).trim());
  const [first = '', second] = text.slice(sign + 1).split('+', 2);
  const amount = amountOf(first.trim());
  const spread = second === undefined ? undefined : amountOf(second.trim());
  return at === undefined || !amount || (second !== undefined && !spread) ? undefined : {at, amount, spread};
}

function amountOf(text: string): Amount | undefined {
  const percent = /^(\d{1,5}(?:\.\d{1,2})?)%$/.exec(text)?.[1];
  if (percent !== undefined) return {percent: Number(percent)};
  const nano = parseQuantity(text)?.amount;
  return nano === undefined || nano < 0n ? undefined : {nano};
}
