import type {ErrorOrigin} from '../../../sdk/errors/error-origin.js';
import type {Logger} from '../../../sdk/contracts/logger.js';

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
/** A hook that is slow again and again is told so often. */
const repeatMillis = 10_000;

/**
 * Tells of methods of plugins that take long, by name: of what was slow once it has returned, and of what does not answer while it hangs. Calls are looked at together, at
 * an interval, and only while there are any: nothing reads the clock for one.
 */
export class HookCalls {
  readonly #logger: Logger;
  readonly #slowMillis: number;
  readonly #everyMillis: number;
  readonly #pending = new Set<PendingCall>();
  /** What was told of hooks that hang: the looks of the longest call then. */
  readonly #told = new Map<ErrorOrigin, number>();
  readonly #slow = new WeakMap<ErrorOrigin, {until: number; more: number}>();
  #looks = 0;
  #timer: NodeJS.Timeout | undefined;

  /** A timed call has returned, perhaps a promise. */
  readonly returned: (hook: ErrorOrigin, millis: number) => void;

  /** @param slowMillis calls that take longer are told; 0 for none */
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
    this.#pending.add(call);
    this.#timer ??= setInterval(() => this.#look(), this.#everyMillis).unref();
    return call;
  }

  /** The promise is settled. */
  end(call: PendingCall): void {
    this.#pending.delete(call);
  }

  /** A call has taken so long. */
  took(origin: ErrorOrigin, milliseconds: number): void {
    if (this.#slowMillis === 0 || milliseconds <= this.#slowMillis) return;
    const now = performance.now();
    const told = this.#slow.get(origin);
    if (told && now < told.until) {
      told.more += 1;
      return;
    }
    this.#slow.set(origin, {until: now + repeatMillis, more: 0});
    const {plugin, hook} = origin;
    const more = told && told.more > 0 ? {before: told.more} : {};
    this.#logger.warn({plugin, hook, milliseconds: Math.round(milliseconds), ...more}, 'a plugin was slow');
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#pending.clear();
  }

  #look(): void {
    this.#looks += 1;
    const late = this.#late();
    for (const [origin, {calls, looks}] of late) {
      // After twice the time each: a hook that hangs for long is not news.
      if (looks < 2 * (this.#told.get(origin) ?? 0)) continue;
      this.#told.set(origin, looks);
      const {plugin, hook} = origin;
      this.#logger.warn({plugin, hook, calls, milliseconds: Math.round(looks * this.#everyMillis)}, 'a plugin has not answered yet');
    }
    for (const origin of this.#told.keys()) {
      if (late.has(origin)) continue;
      this.#told.delete(origin);
      const {plugin, hook} = origin;
      this.#logger.info({plugin, hook}, 'a plugin answers again');
    }
    if (this.#pending.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** The calls that have lasted for a whole interval, by their hooks. Those that began within the last one may be young. */
  #late(): Map<ErrorOrigin, Late> {
    const late = new Map<ErrorOrigin, Late>();
    for (const {hook, since} of this.#pending) {
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
