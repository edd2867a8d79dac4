import type {Logger} from '../../sdk/contracts/logger.js';
import {originOf} from '../../sdk/errors/error-origin.js';
import type {Contribution} from './contributions.js';
import {errorDetail} from './error-detail.js';
import {KernelError, problem, type KernelProblem} from './kernel-error.js';

/** How long a contribution may take, in milliseconds. */
export interface LifecycleTimeouts {
  /** 30 seconds by default: what a plugin reads may be large, and the machine busy. */
  readonly startMillis?: number;
  /** 10 seconds by default. */
  readonly stopMillis?: number;
  /** For importing a plugin's code; 10 seconds by default. */
  readonly importMillis?: number | undefined;
}

interface Startable {
  start?(signal: AbortSignal): unknown;
  bootstrap?(signal: AbortSignal): unknown;
  stop?(): unknown;
}

interface Started {
  readonly contribution: Contribution;
  readonly controller: AbortController;
}

const timedOut = Symbol('timed out');

/**
 * Starts contributions one by one and stops them in reverse order. The signal passed to `start` fires when the start
 * is cancelled (time limit, abort) and, after a successful start, just before `stop`.
 */
export class Lifecycle {
  readonly #startMillis: number;
  readonly #stopMillis: number;
  readonly #started: Started[] = [];
  readonly #seen = new Set<object>();
  readonly #closing = new AbortController();
  #pending: Promise<KernelProblem | undefined> | undefined;
  #stopping: Promise<void> | undefined;
  readonly #logger: Logger;

  constructor(logger: Logger, timeouts: LifecycleTimeouts = {}) {
    this.#logger = logger;
    this.#startMillis = timeouts.startMillis ?? 30_000;
    this.#stopMillis = timeouts.stopMillis ?? 10_000;
  }

  /**
   * Starts contributions in the given order. If one fails, everything that this lifecycle has started, in this call or
   * earlier ones, is stopped. An instance that is already started is skipped.
   *
   * @throws KernelError with the failure, and with those of stopping
   */
  async start(contributions: readonly Contribution[], signal?: AbortSignal): Promise<void> {
    const giveUp = signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]);
    for (const contribution of contributions) {
      if (this.#seen.has(contribution.instance)) continue;
      this.#seen.add(contribution.instance);
      this.#pending = this.#startOne(contribution, giveUp);
      const failure = await this.#pending;
      if (failure === undefined) continue;
      const problems = [failure];
      await this.stop().catch((error: unknown) => {
        if (!KernelError.is(error)) throw error;
        problems.push(...error.problems);
      });
      throw new KernelError(problems);
    }
  }

  /**
   * Lets all started contributions create the objects that they need again, in the order of the start.
   *
   * @throws KernelError with every failure, after trying all
   */
  async bootstrap(): Promise<void> {
    const problems: KernelProblem[] = [];
    for (const {contribution, controller} of [...this.#started]) {
      const instance = contribution.instance as Startable;
      if (typeof instance.bootstrap !== 'function' || controller.signal.aborted) continue;
      const place = {plugin: contribution.plugin};
      const name = contributionName(contribution);
      try {
        const outcome = await within(this.#startMillis, async () => instance.bootstrap!(controller.signal), controller.signal);
        if (outcome === timedOut) problems.push(problem('START_TIMEOUT', {contribution: name, seconds: seconds(this.#startMillis)}, place));
      } catch (cause) {
        problems.push(startFailure(contribution, cause));
      }
    }
    KernelError.throwIfAny(problems);
  }

  /**
   * Stops what was started, in reverse order, and continues on failures. A start in progress is cancelled. Repeated calls
   * share one stop.
   *
   * @throws KernelError with every failure
   */
  stop(): Promise<void> {
    return (this.#stopping ??= this.#stopAll());
  }

  async #startOne(contribution: Contribution, signal: AbortSignal): Promise<KernelProblem | undefined> {
    const name = contributionName(contribution);
    const place = {plugin: contribution.plugin};
    const aborted = () =>
      problem('START_ABORTED', {contribution: name, detail: errorDetail(signal.reason)}, {...place, cause: signal.reason});
    if (isAborted(signal)) return aborted();
    const instance = contribution.instance as Startable;
    const controller = new AbortController();
    if (typeof instance.start !== 'function') {
      this.#started.push({contribution, controller});
      return undefined;
    }

    const begun = performance.now();
    const giveUp = () => controller.abort(signal.reason);
    signal.addEventListener('abort', giveUp, {once: true});
    try {
      const outcome = await within(this.#startMillis, async () => instance.start!(controller.signal), controller.signal);
      if (outcome === timedOut) {
        if (isAborted(signal)) return aborted();
        const failure = problem('START_TIMEOUT', {contribution: name, seconds: seconds(this.#startMillis)}, place);
        controller.abort(new Error(failure.message));
        return failure;
      }
    } catch (cause) {
      controller.abort(cause);
      if (isAborted(signal)) return aborted();
      return startFailure(contribution, cause);
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
    this.#started.push({contribution, controller});
    this.#logger.debug({plugin: contribution.plugin, contribution: name, millis: Math.round(performance.now() - begun)}, 'started');
    return undefined;
  }

  async #stopAll(): Promise<void> {
    this.#closing.abort(new Error('the kernel is being stopped'));
    await this.#pending;
    const problems: KernelProblem[] = [];
    for (let entry = this.#started.pop(); entry !== undefined; entry = this.#started.pop()) {
      const {contribution, controller} = entry;
      const name = contributionName(contribution);
      const place = {plugin: contribution.plugin};
      controller.abort(new Error(`${name} is being stopped`));
      const instance = contribution.instance as Startable;
      if (typeof instance.stop !== 'function') continue;
      try {
        const outcome = await within(this.#stopMillis, async () => instance.stop!());
        if (outcome === timedOut) problems.push(problem('STOP_TIMEOUT', {contribution: name, seconds: seconds(this.#stopMillis)}, place));
        else this.#logger.debug({plugin: contribution.plugin, contribution: name}, 'stopped');
      } catch (cause) {
        problems.push(problem('STOP_FAILED', {contribution: name, detail: errorDetail(cause)}, {...place, cause}));
      }
    }
    KernelError.throwIfAny(problems);
  }
}

/** Waits for the action, but no longer than the limit or until the signal fires. Its later outcome is ignored. */
async function within(millis: number, action: () => Promise<unknown>, signal?: AbortSignal): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<typeof timedOut>((resolve) => {
    timer = setTimeout(() => resolve(timedOut), millis);
    signal?.addEventListener('abort', () => resolve(timedOut), {once: true});
  });
  const running = action();
  // It may still fail after the wait has ended.
  running.catch(() => undefined);
  try {
    return await Promise.race([running, limit]);
  } finally {
    clearTimeout(timer);
  }
}

// A call, so that the compiler does not take the first answer for the last.
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** The failure of a start. It is attributed to another plugin if that one caused it, such as a policy that refuses a write. */
function startFailure(contribution: Contribution, cause: unknown): KernelProblem {
  const name = contributionName(contribution);
  const detail = errorDetail(cause);
  const origin = originOf(cause);
  if (!origin || origin.plugin === contribution.plugin)
    return problem('START_FAILED', {contribution: name, detail}, {plugin: contribution.plugin, cause});
  const {plugin, hook} = origin;
  return problem('START_BROKEN', {contribution: name, other: contribution.plugin, hook, detail: rootDetail(cause)}, {plugin, cause});
}

/** The innermost message: outer errors only say that something failed. */
function rootDetail(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  return errorDetail(inner);
}

function contributionName({kind, name}: Contribution): string {
  return `the ${kind} ${name}`;
}

function seconds(millis: number): string {
  return String(millis / 1000);
}
