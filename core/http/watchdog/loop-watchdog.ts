import process from 'node:process';
import type {ErrorOrigin} from '../../../sdk/errors/error-origin.js';
import {every, type CooperativeScheduler, type Logger, type Task} from '../../../sdk/index.js';
import {untilBeat} from '../../../sdk/values/every.js';
import type {Exchange} from '../request/exchange.js';

/** Beats without a request after which the timer slows down, and its interval then. */
const beatsUntilRest = 40;
const restMillis = 5000;

/** Longest path that is logged. */
const longestPath = 200;

/** Slow turns of the event loop. Times are milliseconds. */
export interface LoopFigures {
  /** Turns that took longer than the threshold, and their total time. */
  readonly slowTurns: number;
  readonly slowMillis: number;
  readonly longestMillis: number;
}

/**
 * Logs slow turns of the event loop with the request that caused them, because every other request waits for them.
 *
 * A late timer shows that a turn was long. To name the cause, requests (`working`) and tasks (the scheduler) mark where their work begins, and timed calls of plugins
 * how long they took: the cause is the mark with the longest time until the next one. A mark costs less than a tenth of a microsecond. Work that continues after a wait
 * without a mark is not named.
 *
 * Without requests the timer fires every five seconds, so that an idle server rests. A slow turn that ends before it fires is not logged then; if the thread
 * used the processor for longer than the threshold, the timer speeds up again.
 */
export class LoopWatchdog {
  readonly #shortBeatMillis: number;
  readonly #longBeatMillis: number;
  #beatMillis: number;
  /** Consecutive beats without a request. */
  #idleBeats = 0;
  /** Stops the timer; undefined while it is stopped. */
  #stopBeat: (() => void) | undefined;
  /** When the timer is due. */
  #dueAt = 0;
  #cpuAt = process.threadCpuUsage();
  /** The last mark, and when. */
  #current: Exchange | Task | undefined;
  #since = 0;
  /** Since the last beat: the longest time between two marks, whose work it was, and the number of marks. */
  #longest = 0;
  #cause: Exchange | Task | undefined;
  #beginnings = 0;
  /** The longest call of a plugin's method. */
  #longestCall = noCall;
  #figures = {slowTurns: 0, slowMillis: 0, longestMillis: 0};

  readonly #thresholdMillis: number;
  readonly #logger: Logger;

  readonly #scheduler: CooperativeScheduler;

  constructor(thresholdMillis: number, scheduler: CooperativeScheduler, logger: Logger) {
    this.#scheduler = scheduler;
    this.#thresholdMillis = thresholdMillis;
    this.#logger = logger;
    this.#shortBeatMillis = Math.max(5, Math.min(50, thresholdMillis / 4));
    this.#longBeatMillis = Math.max(this.#shortBeatMillis, restMillis);
    this.#beatMillis = this.#shortBeatMillis;
  }

  get figures(): LoopFigures {
    return {...this.#figures};
  }

  start(): void {
    this.#scheduler.observe({began: (task, now) => this.#mark(task, now), called: (call, millis) => this.#called(call, millis)});
    this.#beatEvery(this.#shortBeatMillis, performance.now());
  }

  stop(): void {
    this.#scheduler.observe(undefined);
    this.#stopBeat?.();
    this.#stopBeat = undefined;
    this.#current = undefined;
    this.#cause = undefined;
  }

  /** Marks that work for a request starts or continues. Returns the time. @param now if the clock has been read already */
  working(exchange: Exchange, now = performance.now()): number {
    if (this.#stopBeat && this.#beatMillis !== this.#shortBeatMillis) this.#beatEvery(this.#shortBeatMillis, now);
    this.#mark(exchange, now);
    this.#beginnings += 1;
    return now;
  }

  #mark(work: Exchange | Task, now: number): void {
    this.#close(now);
    this.#current = work;
    this.#since = now;
  }

  #called(call: ErrorOrigin, millis: number): void {
    if (millis > this.#longestCall.millis) this.#longestCall = {call, millis};
  }

  #close(now: number): void {
    const taken = now - this.#since;
    if (taken <= this.#longest) return;
    this.#longest = taken;
    this.#cause = this.#current;
  }

  #beat(): void {
    const now = performance.now();
    const late = now - this.#dueAt;
    if (late >= this.#thresholdMillis) {
      this.#close(now);
      this.#report(late);
    }
    if (this.#beatMillis !== this.#shortBeatMillis) return this.#restOn(now);
    this.#idleBeats = this.#beginnings === 0 ? this.#idleBeats + 1 : 0;
    if (this.#idleBeats === beatsUntilRest) this.#beatEvery(this.#longBeatMillis, now);
    else this.#reset(now);
  }

  /** Stays slow unless the thread was busy: without requests there may still be work, such as that of controllers. */
  #restOn(now: number): void {
    // By processor time: on a busy machine the loop of an idle server is slow as well.
    const used = process.threadCpuUsage();
    const micros = used.user + used.system - this.#cpuAt.user - this.#cpuAt.system;
    if (micros / 1000 > this.#thresholdMillis) this.#beatEvery(this.#shortBeatMillis, now);
    else this.#reset(now, used);
  }

  #beatEvery(milliseconds: number, now: number): void {
    this.#stopBeat?.();
    this.#beatMillis = milliseconds;
    this.#idleBeats = 0;
    this.#reset(now);
    this.#stopBeat = every(milliseconds, () => this.#beat());
  }

  #reset(now: number, used = process.threadCpuUsage()): void {
    this.#dueAt = now + untilBeat(this.#beatMillis);
    this.#cpuAt = used;
    this.#current = undefined;
    this.#since = now;
    this.#longest = 0;
    this.#cause = undefined;
    this.#longestCall = noCall;
    this.#beginnings = 0;
  }

  /** The plugin that took most of the turn in one call. */
  #plugin(late: number): object {
    const {call, millis} = this.#longestCall;
    return call && millis >= late / 2 ? {plugin: call.plugin, hook: call.hook} : {};
  }

  #report(late: number): void {
    // Of this thread: other threads, such as those that compress, delay no request.
    const {user, system} = process.threadCpuUsage(this.#cpuAt);
    const milliseconds = Math.round(late);
    const cpuMilliseconds = Math.round((user + system) / 1000);
    if (cpuMilliseconds < this.#thresholdMillis) {
      this.#logger.info({milliseconds, cpuMilliseconds}, 'the process did not get the processor when it wanted it');
      return;
    }
    const figures = this.#figures;
    figures.slowTurns += 1;
    figures.slowMillis += milliseconds;
    figures.longestMillis = Math.max(figures.longestMillis, milliseconds);
    this.#logger.warn(
      {milliseconds, cpuMilliseconds, steps: this.#beginnings, ...named(this.#cause), ...this.#plugin(late)},
      'a turn of the event loop took long',
    );
  }
}

const noCall: {readonly call: ErrorOrigin | undefined; readonly millis: number} = {call: undefined, millis: 0};

function named(cause: Exchange | Task | undefined): object {
  if (!cause) return {};
  if ('yieldIfDue' in cause) {
    const {kind, name, plugin} = cause;
    return {kind, work: name, ...(plugin === undefined ? {} : {plugin})};
  }
  const {id, method, path, user} = cause;
  return {id, method, path: path.slice(0, longestPath), ...(user ? {user: user.username} : {})};
}
