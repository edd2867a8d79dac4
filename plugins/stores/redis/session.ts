import {randomBytes} from 'node:crypto';
import type {Argument, RedisConnection, Reply} from './drivers/redis-driver.js';
import {ConnectionLost, ReplyError} from './redis-errors.js';
import type {Script} from './script.js';
import {unknownServer, type ServerFacts} from './server-facts.js';

/**
 * One live connection with what the store adds to it: an id that fences its commits, scripts, and an end when Redis
 * falls silent, because a half-open socket reports nothing by itself.
 */
export class Session {
  /** Unique among all connections of all servers. */
  readonly id = randomBytes(9).toString('base64url');
  /** Resolves with the reason once the session can no longer be used. Never rejects. */
  readonly ended: Promise<string>;
  /** What the server on the other end says of itself, once it was asked. */
  facts: ServerFacts = unknownServer;
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

  /** As `RedisConnection.send`. Rejects with `ReplyError` or `ConnectionLost`. */
  async send(command: readonly Argument[], atOnce?: boolean): Promise<Reply> {
    if (this.#pending++ === 0) this.#lastSign = performance.now();
    // The open socket keeps the process alive while an answer is owed; the timer need not.
    this.#watch ??= this.#watchAfter(this.#silenceMillis);
    try {
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
  async run(script: Script, keys: readonly string[], args: readonly Argument[]): Promise<Reply> {
    const rest = [String(keys.length), ...keys, ...args];
    try {
      return await this.send(['EVALSHA', script.sha1, ...rest]);
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
    // Not before it can be over: the timer of a connection that waits for long would be what wakes an idle process most.
    this.#watch = this.#watchAfter(left >= 0 ? left + 1 : this.#silenceMillis / 6);
    if (left >= 0) return;
    // When it was this process that stood still, the answer is there and is read before the next turn.
    setImmediate(() => {
      const silent = this.#silentMillis();
      if (this.#pending > 0 && silent > this.#silenceMillis) this.end(`no answer for ${(silent / 1000).toFixed(1)} s`);
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
