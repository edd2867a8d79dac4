import {parseQuantity} from '../../../../sdk/index.js';

/** A quantity of a device, in billionths; 0 for one that cannot be read. */
export function amountOf(text: unknown): bigint {
  return (typeof text === 'string' || typeof text === 'number' ? parseQuantity(String(text))?.amount : undefined) ?? 0n;
}
