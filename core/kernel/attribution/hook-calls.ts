import type {ErrorOrigin} from '../../../sdk/errors/error-origin.js';
import type {Logger} from '../../../sdk/contracts/logger.js';
import {every} from '../../../sdk/values/every.js';
import {TransientMap} from '../../../sdk/values/transient-map.js';

/** A call that has returned a promise and not settled. */
export interface PendingCall {
  readonly hook: ErrorOrigin;
  /** Number of the last look before it began. */
  readonly since: number;
}

/** Late calls of one hook. */
interface Late {
  calls: number;
  /** Looks that the longest has lasted for. */
  looks: number;
}

/** Calls are not looked at more often. */
const leastMillis = 50;
/** Minimum interval between log lines about one slow hook. */
const repeatMillis = 10_000;

/**
 * Logs slow methods of plugins, by name: after they have returned, and also while they hang. All calls are checked together at an interval, and only while there are
 * any, so that no call reads the clock.
 */
export class HookCalls {
  readonly #logger: Logger;
  readonly #slowMillis: number;
  readonly #everyMillis: number;
  readonly #pending = new TransientMap<PendingCall, true>();
  /** Hanging hooks that have been logged: the checks of the longest call then. */
  readonly #hanging = new Map<ErrorOrigin, number>();
  readonly #slow = new WeakMap<ErrorOrigin, {until: number; more: number}>();
  #looks = 0;
  #stopLooking: (() => void) | undefined;

  /** A timed call has returned, perhaps a promise. */
  readonly returned: (hook: ErrorOrigin, millis: number) => void;

  /** @param slowMillis calls that take longer are logged; 0 for none */
  constructor(logger: Logger, slowMillis: number, returned: (hook: ErrorOrigin, millis: number) => void = () => undefined) {
    this.returned = returned;
    this.#logger = logger;
    this.#slowMillis = slowMillis;
    this.#everyMillis = Math.max(slowMillis, leastMillis);
  }

  /** A call has returned a promise. */
  begin(hook: ErrorOrigin): PendingCall | undefined {
    if (this.#slowMillis === 0) return undefined;
    const call = {hook, since: this.#looks};
    this.#pending.set(call, true);
    this.#stopLooking ??= every(this.#everyMillis, () => this.#look());
    return call;
  }

  /** The promise is settled. */
  end(call: PendingCall): void {
    this.#pending.delete(call);
  }

  /** Records the duration of a call. */
  took(origin: ErrorOrigin, milliseconds: number): void {
    if (this.#slowMillis === 0 || milliseconds <= this.#slowMillis) return;
    const now = performance.now();
    const logged = this.#slow.get(origin);
    if (logged && now < logged.until) {
      logged.more += 1;
      return;
    }
    this.#slow.set(origin, {until: now + repeatMillis, more: 0});
    const {plugin, hook} = origin;
    const more = logged && logged.more > 0 ? {before: logged.more} : {};
    this.#logger.warn({plugin, hook, milliseconds: Math.round(milliseconds), ...more}, 'a plugin was slow');
  }

  stop(): void {
    this.#stopLooking?.();
    this.#stopLooking = undefined;
    this.#pending.clear();
  }

  #look(): void {
    this.#looks += 1;
    const late = this.#late();
    for (const [origin, {calls, looks}] of late) {
      // After twice the time each: a hook that hangs for long is not news.
      if (looks < 2 * (this.#hanging.get(origin) ?? 0)) continue;
      this.#hanging.set(origin, looks);
      const {plugin, hook} = origin;
      this.#logger.warn({plugin, hook, calls, milliseconds: Math.round(looks * this.#everyMillis)}, 'a plugin has not answered yet');
    }
    for (const origin of this.#hanging.keys()) {
      if (late.has(origin)) continue;
      this.#hanging.delete(origin);
      const {plugin, hook} = origin;
      this.#logger.info({plugin, hook}, 'a plugin answers again');
    }
    if (this.#pending.size > 0) return;
    this.#stopLooking?.();
    this.#stopLooking = undefined;
  }

  /** The calls that have lasted for a whole interval, by their hooks. Those that began within the last one may be young. */
  #late(): Map<ErrorOrigin, Late> {
    const late = new Map<ErrorOrigin, Late>();
    for (const {hook, since} of this.#pending.keys()) {
      const looks = this.#looks - since - 1;
      if (looks < 1) continue;
      const known = late.get(hook);
      if (!known) late.set(hook, {calls: 1, looks});
      else {
        known.calls += 1;
        known.looks = Math.max(known.looks, looks);
      }
    }
    return late;
  }
}
