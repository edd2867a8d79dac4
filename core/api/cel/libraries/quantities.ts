import {parseQuantity} from '../../../../sdk/index.js';
import {boolType, doubleType, intType, stringType, structOf} from '../types/cel-type.js';
import {Fault} from '../values/fault.js';
import {OpaqueValue} from '../values/opaque.js';
import {form, functionsOf, method, type Library} from './overload.js';

const nano = 1_000_000_000n;
const highest = 2n ** 63n - 1n;
export const quantityType = structOf('kubernetes.Quantity');
/** Kubernetes' words for what is no quantity. */
const malformed = new Fault("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
const unsuffixed = new Fault("unable to parse quantity's suffix");

/** A quantity, in billionths. */
export class QuantityValue extends OpaqueValue {
  constructor(readonly amount: bigint) {
    super();
  }

  override get type() {
    return quantityType;
  }

  override equals(other: QuantityValue): boolean {
    return this.amount === other.amount;
  }
}

const two = [quantityType, quantityType] as const;

/** Kubernetes' quantities: `quantity`, `isQuantity`, comparisons, sums and conversions. */
export const quantityLibrary: Library = {
  feature: 'quantity',
  functions: functionsOf({
    quantity: [form([stringType], quantityType, quantityOf)],
    isQuantity: [form([stringType], boolType, (text: string) => parseQuantity(text) !== undefined)],
    // Not a method, unlike the others.
    sign: [form([quantityType], intType, ({amount}: QuantityValue) => sign(amount))],
    isGreaterThan: [method(two, boolType, (a: QuantityValue, b: QuantityValue) => a.amount > b.amount)],
    isLessThan: [method(two, boolType, (a: QuantityValue, b: QuantityValue) => a.amount < b.amount)],
    compareTo: [method(two, intType, (a: QuantityValue, b: QuantityValue) => sign(a.amount - b.amount))],
    asApproximateFloat: [method([quantityType], doubleType, ({amount}: QuantityValue) => Number(amount) / Number(nano))],
    asInteger: [method([quantityType], intType, asInteger)],
    isInteger: [method([quantityType], boolType, ({amount}: QuantityValue) => isInteger(amount))],
    add: [
      method(two, quantityType, (a: QuantityValue, b: QuantityValue) => new QuantityValue(a.amount + b.amount)),
      method([quantityType, intType], quantityType, (a: QuantityValue, b: bigint) => new QuantityValue(a.amount + b * nano)),
    ],
    sub: [
      method(two, quantityType, (a: QuantityValue, b: QuantityValue) => new QuantityValue(a.amount - b.amount)),
      method([quantityType, intType], quantityType, (a: QuantityValue, b: bigint) => new QuantityValue(a.amount - b * nano)),
    ],
  }),
};

export function quantityOf(text: string): QuantityValue | Fault {
  const quantity = parseQuantity(text);
  if (quantity) return new QuantityValue(quantity.amount);
  return /^[+-]?(?:\d+\.?\d*|\.\d+)[eEinumkKMGTP]*[-+]?\d*$/.test(text) && text.length < 1000 ? unsuffixed : malformed;
}

function sign(amount: bigint): bigint {
  return amount < 0n ? -1n : amount > 0n ? 1n : 0n;
}

/** A quantity that is as great as one can be stands for what is greater too, and is no integer. */
function isInteger(amount: bigint): boolean {
  return amount % nano === 0n && amount < highest * nano && amount > -highest * nano;
}

function asInteger({amount}: QuantityValue): bigint | Fault {
  return isInteger(amount) ? amount / nano : new Fault('cannot convert value to integer');
}
