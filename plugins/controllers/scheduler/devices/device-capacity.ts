import {formatQuantity, normalQuantity} from '../../../../sdk/index.js';
import type {Device} from '../../../../sdk/types/unchecked/resource/v1.js';
import {amountOf} from './device-amounts.js';

type Capacity = NonNullable<Device['capacity']>[string];
type Policy = NonNullable<Capacity['requestPolicy']>;

/** Amounts of the capacities of a device, in billionths. */
export type Amounts = ReadonlyMap<string, bigint>;

const wholeUnits = 1_000_000_000n;

/**
 * What a request takes of each capacity of a device, in the form in which allocations say it; undefined if the device does not have so much, or not in such portions.
 *
 * @param requests amounts by capacity; of the others it takes what is the default there, or all
 * @param used what is taken of it already
 */
export function consumedCapacity(
  {capacity = {}}: Device,
  requests: Readonly<Record<string, unknown>>,
  used: Amounts,
): Record<string, string> | undefined {
  if (Object.keys(requests).some((name) => !Object.hasOwn(capacity, name))) return undefined;
  const taken: Record<string, string> = {};
  for (const [name, own] of Object.entries(capacity)) {
    const text = portionOf(Object.hasOwn(requests, name) ? requests[name] : undefined, own);
    const amount = amountOf(text);
    if (violates(amount, own.requestPolicy) || (used.get(name) ?? 0n) + amount > amountOf(own.value)) return undefined;
    taken[name] = normalQuantity(text) ?? text;
  }
  return taken;
}

/** Sums of amounts as allocations say them. @param sign -1n takes them away */
export function addAmounts(to: Map<string, bigint>, amounts: Readonly<Record<string, unknown>>, sign = 1n): void {
  for (const [name, text] of Object.entries(amounts)) to.set(name, (to.get(name) ?? 0n) + sign * amountOf(text));
}

/** What is taken for a request: rounded up to what the device gives. */
function portionOf(request: unknown, {value, requestPolicy}: Capacity): string {
  if (request === undefined) return String(requestPolicy?.default ?? value ?? '0');
  const {validRange, validValues} = requestPolicy ?? {};
  const amount = amountOf(request);
  if (validRange?.min !== undefined) {
    const least = amountOf(validRange.min);
    if (amount < least) return String(validRange.min);
    const step = whole(amountOf(validRange.step));
    if (step === 0n) return String(request);
    const beyond = whole(amount) - whole(least);
    const steps = (beyond + step - 1n) / step;
    return formatQuantity({amount: (whole(least) + steps * step) * wholeUnits, family: 'binary'});
  }
  return String(validValues?.find((each) => amount <= amountOf(each)) ?? request);
}

function violates(amount: bigint, policy: Policy | undefined): boolean {
  if (!policy || (policy.default !== undefined && amount === amountOf(policy.default))) return false;
  const {validRange, validValues} = policy;
  if (validRange) {
    if (validRange.max !== undefined && amount > amountOf(validRange.max)) return true;
    const step = whole(amountOf(validRange.step));
    return step !== 0n && (whole(amount) - whole(amountOf(validRange.min))) % step !== 0n;
  }
  return (validValues ?? []).length > 0 && !validValues!.some((each) => amountOf(each) === amount);
}

/** In whole units, rounded up. */
function whole(amount: bigint): bigint {
  return (amount + wholeUnits - 1n) / wholeUnits;
}
