import {randomBytes} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Argument, RedisConnection, Reply} from './drivers/redis-driver.js';
import {ConnectionLost, isInMotion, isRedirection, ReplyError} from './redis-errors.js';
import type {Script} from './script.js';
import {unknownServer, type ServerFacts} from './server-facts.js';

/** Maximum duration of a slot migration between nodes of a cluster; each migration has its own. */
export const motionMillis = 30_000;
const motionPauseMillis = 10;

/**
 * One live connection with an id that fences its commits, scripts, and a timeout for a silent Redis, because a half-open
 * socket reports no error.
 */
export class Session {
  /** Unique among all connections of all servers. */
  readonly id = randomBytes(9).toString('base64url');
  /** Resolves with the reason once the session can no longer be used. Never rejects. */
  readonly ended: Promise<string>;
  /** Facts about the server, once they have been read. */
  facts: ServerFacts = unknownServer;
  /** Whether the node is importing the slot, so that each command needs ASKING. */
  asks = false;
  /** Whether nothing but the log is awaited on it, so that it may be ended at any time. */
  isTail = false;
  /** Called when Redis has fallen silent, before the session ends. */
  onSilence: ((reason: string) => void) | undefined;
  /** Called when the node redirects to another one (MOVED or ASK), or the slot is migrating. */
  onMotion: ((error: ReplyError) => void) | undefined;
  #alive = true;
  #resolveEnded!: (reason: string) => void;
  #pending = 0;
  #lastSign = 0;
  #watch: NodeJS.Timeout | undefined;
  readonly #connection: RedisConnection;
  readonly #silenceMillis: number;

  /** `silenceMillis`: how long Redis may owe an answer without giving any. */
  constructor(connection: RedisConnection, silenceMillis: number) {
    this.#connection = connection;
    this.#silenceMillis = silenceMillis;
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
    void connection.ended.then((reason) => this.end(reason));
  }

  get alive(): boolean {
    return this.#alive;
  }

  /**
   * As `RedisConnection.send`; while the keys are on two nodes, because their slot is migrating, the command is retried. Rejects with
   * `ReplyError` or `ConnectionLost`.
   */
  async send(command: readonly Argument[], atOnce?: boolean): Promise<Reply> {
    let since: number | undefined;
    for (;;) {
      try {
        return await this.#sendOnce(command, atOnce);
      } catch (error) {
        const isWaiting = isInMotion(error);
        if (isWaiting || isRedirection(error)) this.onMotion?.(error);
        if (!isWaiting) throw error;
        since ??= performance.now();
        if (performance.now() - since > motionMillis) throw error;
        await sleep(motionPauseMillis);
        if (!this.#alive) throw new ConnectionLost('the connection was closed', {cause: error});
      }
    }
  }

  async #sendOnce(command: readonly Argument[], atOnce: boolean | undefined): Promise<Reply> {
    if (this.#pending++ === 0) this.#lastSign = performance.now();
    // The open socket keeps the process alive while an answer is owed; the timer need not.
    this.#watch ??= this.#watchAfter(this.#silenceMillis);
    try {
      // Lets an importing node serve the next command. A failure shows in that command.
      if (this.asks) void this.#connection.send(['ASKING'], atOnce).catch(() => undefined);
      return await this.#connection.send(command, atOnce);
    } catch (error) {
      if (error instanceof ConnectionLost) this.end(error.message);
      throw error;
    } finally {
      this.#lastSign = performance.now();
      this.#pending--;
    }
  }

  /** Runs a script; Redis forgets scripts at a restart, at a failover and after `SCRIPT FLUSH`. */
  async run(script: Script, keys: readonly string[], args: readonly Argument[], atOnce?: boolean): Promise<Reply> {
    const rest = [String(keys.length), ...keys, ...args];
    try {
      return await this.send(['EVALSHA', script.sha1, ...rest], atOnce);
    } catch (error) {
      if (!(error instanceof ReplyError) || error.code !== 'NOSCRIPT') throw error;
      return this.send(['EVAL', script.source, ...rest]);
    }
  }

  /** Ends the connection; commands without an answer reject with `ConnectionLost`. Harmless when repeated. */
  end(reason: string): void {
    this.#stopWatch();
    if (!this.#alive) return;
    this.#alive = false;
    this.#resolveEnded(reason);
    this.#connection.end(reason);
  }

  #check(): void {
    // Here and not in send(): a busy connection would start and stop the timer with every command.
    if (this.#pending === 0) return this.#stopWatch();
    const left = this.#silenceMillis - this.#silentMillis();
    // Not before the timeout: frequent timers of waiting connections would keep waking an idle process.
    this.#watch = this.#watchAfter(left >= 0 ? left + 1 : this.#silenceMillis / 6);
    if (left >= 0) return;
    // When it was this process that stood still, the answer is there and is read before the next turn.
    setImmediate(() => {
      const silent = this.#silentMillis();
      if (this.#pending === 0 || silent <= this.#silenceMillis || !this.#alive) return;
      const reason = `no answer for ${(silent / 1000).toFixed(1)} s`;
      this.onSilence?.(reason);
      this.end(reason);
    });
  }

  #watchAfter(millis: number): NodeJS.Timeout {
    return setTimeout(() => this.#check(), millis).unref();
  }

  #silentMillis(): number {
    return performance.now() - this.#lastSign;
  }

  #stopWatch(): void {
    clearTimeout(this.#watch);
    this.#watch = undefined;
  }
}
