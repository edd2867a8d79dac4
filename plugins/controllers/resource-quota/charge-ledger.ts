import {quantityAmount} from '../../../sdk/index.js';
import type {Amounts} from '../../families/quota/amounts.js';

interface Charge {
  readonly time: number;
  amount: bigint;
}

/** Allows for clock differences between servers and for creation times in whole seconds; less if charges live shorter. */
const toleranceMillis = 2000;
const largestTolerance = 0.4;
/** How much earlier than a charge its object may be seen: they arrive on different watches. */
const earlyMillis = 1000;

/**
 * The charges of one quota for objects that may not exist yet. A recount that ignored them would give the same capacity away twice.
 *
 * It sees each state of the quota in order, so it knows every charge, whichever server made it. An object that appears settles as much as
 * it uses: the charge was made after its time of creation and before it appeared. Charges that nothing settles belong to writes that have
 * failed; they expire.
 */
export class ChargeLedger {
  readonly #charges = new Map<string, Charge[]>();
  readonly #settled = new Map<string, number>();
  /** Objects that appeared before their charge was seen. */
  readonly #early = new Map<string, Charge[]>();
  #used: Amounts | undefined;
  #since = 0;
  #hasExpired = false;

  readonly #lifeMillis: number;
  readonly #toleranceMillis: number;

  /** @param lifeMillis how long a charge may stay unsettled */
  constructor(lifeMillis: number) {
    this.#lifeMillis = lifeMillis;
    this.#toleranceMillis = Math.min(toleranceMillis, lifeMillis * largestTolerance);
  }

  /** Processes the next state of the quota. @param used undefined until the first count */
  observe(used: Amounts | undefined, now: number): void {
    const before = this.#used;
    if (used && !before) this.#since = secondOf(now);
    // Everything in the first count exists.
    if (used && before) {
      for (const [name, amount] of Object.entries(used)) {
        const rise = quantityAmount(amount) - quantityAmount(before[name]);
        if (Object.hasOwn(before, name) && rise > 0n) this.#push(name, {time: now, amount: rise});
      }
    }
    this.#used = used;
  }

  /** States of the quota were missed: everything in use may be pending. */
  distrust(now: number): void {
    this.#charges.clear();
    this.#settled.clear();
    this.#early.clear();
    this.#since = secondOf(now);
    for (const [name, amount] of Object.entries(this.#used ?? {})) this.#push(name, {time: now, amount: quantityAmount(amount)});
  }

  /**
   * An object has appeared or is gone: its charge is no longer pending. Returns whether that was new.
   *
   * @param created milliseconds since 1970
   */
  settle(uid: string, created: number, usage: Amounts, now: number): boolean {
    this.#expire(now);
    if (!this.#used || created < this.#since || created < now - this.#lifeMillis + this.#toleranceMillis) return false;
    if (this.#settled.has(uid)) return false;
    this.#settled.set(uid, now);
    for (const [name, amount] of Object.entries(usage)) {
      const rest = Object.hasOwn(this.#used, name) ? take(this.#charges, name, quantityAmount(amount)) : 0n;
      if (rest > 0n) push(this.#early, name, {time: now, amount: rest});
    }
    return true;
  }

  /** How much may be pending, in billionths. */
  pending(now: number): ReadonlyMap<string, bigint> {
    this.#expire(now);
    return new Map([...this.#charges].map(([name, charges]) => [name, charges.reduce((sum, {amount}) => sum + amount, 0n)]));
  }

  /**
   * When the first unsettled charge expires: immediately if one has expired and `takeExpired` has not reported it yet. Undefined if there
   * is none.
   */
  firstExpiry(now: number): number | undefined {
    this.#expire(now);
    if (this.#hasExpired) return now;
    const times = [...this.#charges.values()].map(([oldest]) => oldest!.time);
    return times.length === 0 ? undefined : Math.min(...times) + this.#lifeMillis;
  }

  /** Whether a charge has expired since the last call. */
  takeExpired(now: number): boolean {
    this.#expire(now);
    const had = this.#hasExpired;
    this.#hasExpired = false;
    return had;
  }

  #push(name: string, {time, amount}: Charge): void {
    expire(this.#early, time - earlyMillis);
    push(this.#charges, name, {time, amount: take(this.#early, name, amount)});
  }

  #expire(now: number): void {
    if (expire(this.#charges, now - this.#lifeMillis)) this.#hasExpired = true;
    // In the order of their times.
    for (const [uid, time] of this.#settled) {
      if (time + this.#lifeMillis > now) break;
      this.#settled.delete(uid);
    }
  }
}

function push(charges: Map<string, Charge[]>, name: string, charge: Charge): void {
  if (charge.amount <= 0n) return;
  const known = charges.get(name);
  if (known) known.push(charge);
  else charges.set(name, [charge]);
}

/** Takes the oldest first and returns the missing amount. It does not matter which charge belonged to which object: only the sum counts. */
function take(charges: Map<string, Charge[]>, name: string, amount: bigint): bigint {
  const known = charges.get(name);
  let rest = amount;
  while (known && known.length > 0 && rest > 0n) {
    const [oldest] = known as [Charge];
    const taken = oldest.amount < rest ? oldest.amount : rest;
    rest -= taken;
    oldest.amount -= taken;
    if (oldest.amount === 0n) known.shift();
  }
  if (known?.length === 0) charges.delete(name);
  return rest;
}

/** Drops entries up to a time. Returns whether there were any. */
function expire(charges: Map<string, Charge[]>, time: number): boolean {
  let found = false;
  for (const [name, known] of charges) {
    while (known.length > 0 && known[0]!.time <= time) {
      known.shift();
      found = true;
    }
    if (known.length === 0) charges.delete(name);
  }
  return found;
}

function secondOf(millis: number): number {
  return Math.floor(millis / 1000) * 1000;
}
