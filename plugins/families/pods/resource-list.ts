import {roundToMilli} from '../../../sdk/index.js';

/** Rounds amounts up to thousandths: no finer ones are kept. Changes `amounts`. */
export function roundResourceList(amounts: Record<string, string> | undefined | null): void {
  if (!amounts) return;
  for (const [name, amount] of Object.entries(amounts)) {
    const rounded = roundToMilli(amount);
    // `__proto__` is a name like any other, and no resource: it is refused later.
    if (rounded !== amount) Object.defineProperty(amounts, name, {value: rounded, enumerable: true, configurable: true, writable: true});
  }
}
