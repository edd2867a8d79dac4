import {roundToMilli} from '../../../sdk/index.js';

/** Rounds amounts up to thousandths, the finest precision stored. Modifies `amounts`. */
export function roundResourceList(amounts: Record<string, string> | undefined | null): void {
  if (!amounts) return;
  for (const name of Object.keys(amounts)) {
    const amount = amounts[name]!;
    const rounded = roundToMilli(amount);
    // `__proto__` is an ordinary name but not a resource: validation rejects it later.
    if (rounded === amount) continue;
    if (name !== '__proto__') amounts[name] = rounded;
    else Object.defineProperty(amounts, name, {value: rounded, enumerable: true, configurable: true, writable: true});
  }
}
