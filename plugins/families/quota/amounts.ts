import {compareQuantities, subtractQuantities} from '../../../sdk/index.js';

/** Quantities by resource name. */
export type Amounts = Readonly<Record<string, string>>;

/** The increases of amounts; equal or smaller ones are left out. */
export function growth(now: Amounts, before: Amounts): Record<string, string> {
  const grown: Record<string, string> = {};
  for (const [name, amount] of Object.entries(now)) {
    const old = Object.hasOwn(before, name) ? before[name]! : '0';
    if (compareQuantities(amount, old) > 0) grown[name] = subtractQuantities(amount, old);
  }
  return grown;
}

/** Only the amounts with these names. */
export function onlyNamed(amounts: Amounts, names: {has(name: string): boolean}): Record<string, string> {
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => names.has(name)));
}

/** Whether both sides have the same names with equal amounts. */
export function sameAmounts(left: Amounts, right: Amounts): boolean {
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => Object.hasOwn(right, name) && compareQuantities(left[name], right[name]) === 0);
}

/** For messages: `cpu=1,pods=2`, sorted by name. */
export function amountsText(amounts: Amounts): string {
  return Object.keys(amounts)
    .sort()
    .map((name) => `${name}=${amounts[name]}`)
    .join(',');
}
