import type {Environment} from '@marcbachmann/cel-js';
import {parseQuantity} from '../../../../sdk/index.js';

const sync = {async: false};
const nano = 1_000_000_000n;
const highest = 2n ** 63n - 1n;

/** A quantity, in billionths. */
class QuantityValue {
  constructor(readonly amount: bigint) {}
}

/** Kubernetes' quantities: `quantity`, `isQuantity`, comparisons, sums and conversions. */
export function addQuantityFunctions(environment: Environment): void {
  environment.registerType('kubernetes.Quantity', QuantityValue);
  const type = 'kubernetes.Quantity';
  environment
    .registerFunction(`quantity(string): ${type}`, quantityOf, sync)
    .registerFunction('isQuantity(string): bool', (text: string) => parseQuantity(text) !== undefined, sync)
    .registerFunction(`${type}.sign(): int`, ({amount}: QuantityValue) => sign(amount), sync)
    .registerFunction(`${type}.isInteger(): bool`, ({amount}: QuantityValue) => isInteger(amount), sync)
    .registerFunction(`${type}.asInteger(): int`, asInteger, sync)
    .registerFunction(`${type}.asApproximateFloat(): double`, ({amount}: QuantityValue) => Number(amount) / Number(nano), sync)
    .registerFunction(`${type}.isGreaterThan(${type}): bool`, (a: QuantityValue, b: QuantityValue) => a.amount > b.amount, sync)
    .registerFunction(`${type}.isLessThan(${type}): bool`, (a: QuantityValue, b: QuantityValue) => a.amount < b.amount, sync)
    .registerFunction(`${type}.compareTo(${type}): int`, (a: QuantityValue, b: QuantityValue) => sign(a.amount - b.amount), sync)
    .registerFunction(`${type}.add(${type}): ${type}`, (a: QuantityValue, b: QuantityValue) => new QuantityValue(a.amount + b.amount), sync)
    .registerFunction(`${type}.add(int): ${type}`, (a: QuantityValue, b: bigint) => new QuantityValue(a.amount + b * nano), sync)
    .registerFunction(`${type}.sub(${type}): ${type}`, (a: QuantityValue, b: QuantityValue) => new QuantityValue(a.amount - b.amount), sync)
    .registerFunction(`${type}.sub(int): ${type}`, (a: QuantityValue, b: bigint) => new QuantityValue(a.amount - b * nano), sync)
    .registerOperator(`${type} == ${type}`, (a: QuantityValue, b: QuantityValue) => a.amount === b.amount);
}

/** @throws Error if the text is none */
export function quantityOf(text: string): QuantityValue {
  const quantity = parseQuantity(text);
  if (!quantity) throw new Error(`${JSON.stringify(text.slice(0, 100))} is no quantity`);
  return new QuantityValue(quantity.amount);
}

function sign(amount: bigint): bigint {
  return amount < 0n ? -1n : amount > 0n ? 1n : 0n;
}

function isInteger(amount: bigint): boolean {
  return amount % nano === 0n && amount <= highest * nano && amount >= -highest * nano;
}

function asInteger({amount}: QuantityValue): bigint {
  if (!isInteger(amount)) throw new Error('cannot convert value to integer');
  return amount / nano;
}
