import {formatQuantity, quantityAmount} from '../../../sdk/index.js';

const nanoPerMilli = 1_000_000n;

/** Thousandths of a quantity, rounded away from zero. */
export function milliOf(quantity: unknown): bigint {
  const amount = quantityAmount(quantity);
  const whole = amount / nanoPerMilli;
  const rest = amount % nanoPerMilli;
  return rest === 0n ? whole : whole + (amount < 0n ? -1n : 1n);
}

/** A quantity of so many thousandths. Memory is written with binary suffixes. */
export function quantityOf(milli: bigint, resource = ''): string {
  return formatQuantity({amount: milli * nanoPerMilli, family: resource === 'memory' ? 'binary' : 'decimal'});
}
