import {Backoff, StoreError} from '../../../sdk/index.js';
import type {Outage} from './outage.js';
import {ConnectionLost, isElsewhere, problemText, reasonOf, toStoreError} from './redis-errors.js';
import type {Session} from './session.js';

export interface LinkOptions {
  /** What the connection is for, for the log. */
  readonly purpose: string;
  /** Host and port, for messages. */
  readonly server: string;
  /** Opens a session and prepares it for use; rejects with the reason. Calls never overlap. */
  connect(): Promise<Session>;
  /** How long a request may wait for a connection; once it has been away for longer, requests are refused at once. */
  readonly patienceMillis: number;
  /** Whether the keys are being moved between nodes; see `Connector.isInMotion`. */
  isInMotion(): boolean;
  /** Shared with the other links of the shard. */
  readonly outage: Outage;
}

/** How often a request past its deadline checks whether its slot is still migrating. */
const motionLookMillis = 100;

/** A connection that is re-established whenever it ends, until the link is closed. */
export class Link {
  #session: Session | undefined;
  #downSince = performance.now();
  #problem: unknown = new ConnectionLost('not connected yet');
  readonly #waiting = new Set<{resolve(session: Session): void; reject(error: Error): void}>();
  readonly #closing = new AbortController();
  readonly #first = Promise.withResolvers<void>();
  readonly #loop: Promise<void>;
  readonly #options: LinkOptions;

  constructor(options: LinkOptions) {
    this.#options = options;
    // There may be no caller waiting.
    this.#first.promise.catch(() => undefined);
    this.#loop = this.#run();
  }

  get closed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** How the first attempt to connect ended: rejects with the reason as a `StoreError` when it failed. */
  get first(): Promise<void> {
    return this.#first.promise;
  }

  /** Until when (of `performance.now()`) a request that comes now may wait. */
  deadline(): number {
    return performance.now() + this.#options.patienceMillis;
  }

  /**
   * The live session: synchronously if there is one, otherwise as soon as there is. Rejects with `Unavailable` at the deadline,
   * or earlier if Redis has been unreachable for long, and with `Closed`. With the deadline Infinity it waits forever.
   */
  acquire(deadline: number): Session | Promise<Session> {
    if (this.#session?.alive) return this.#session;
    if (this.closed) return Promise.reject(closedError());
    if (this.#session !== undefined) this.#lost(this.#session, 'the connection was closed');
    if (deadline === Infinity) return this.#wait(undefined);
    const millis = Math.min(deadline, this.#downSince + this.#options.patienceMillis) - performance.now();
    return millis > 0 || this.#options.isInMotion() ? this.#wait(millis) : Promise.reject(this.unavailable());
  }

  /**
   * Runs something that may be repeated: again on a new connection when the old one breaks. Rejects with a `StoreError`,
   * `Unavailable` when that does not succeed in time.
   */
  async retrying<T>(work: (session: Session) => Promise<T>, deadline = this.deadline()): Promise<T> {
    for (;;) {
      const session = await this.acquire(deadline);
      try {
        return await work(session);
      } catch (error) {
        const repeatable = error instanceof ConnectionLost || isElsewhere(error);
        if (!repeatable || this.isOver(deadline)) throw toStoreError(error, this.#options.server);
        session.end(reasonOf(error));
      }
    }
  }

  /** Whether a request is past its deadline. It may wait longer while its slot is migrating, which is no failure. */
  isOver(deadline: number): boolean {
    return performance.now() >= deadline && !this.#options.isInMotion();
  }

  /** The error for a request that cannot be served now. */
  unavailable(): StoreError {
    return new StoreError('Unavailable', problemText(this.#problem, this.#options.server), {cause: this.#problem});
  }

  /** Ends the current session, if any; the next one is prepared from scratch. */
  reconnect(reason: string): void {
    this.#session?.end(reason);
  }

  /** Ends the link; waiting callers are rejected with `Closed`. Resolves when all its work has ended. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#session?.end('the store was closed');
    for (const waiter of this.#waiting) waiter.reject(closedError());
    await this.#loop;
  }

  async #wait(millis: number | undefined): Promise<Session> {
    const {promise, resolve, reject} = Promise.withResolvers<Session>();
    const waiter = {resolve, reject};
    this.#waiting.add(waiter);
    const giveUp = (): void => {
      if (!this.#options.isInMotion()) reject(this.unavailable());
      else timer = setTimeout(giveUp, motionLookMillis);
    };
    let timer = millis === undefined ? undefined : setTimeout(() => setImmediate(giveUp), Math.max(0, millis));
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(waiter);
    }
  }

  async #run(): Promise<void> {
    const {purpose, server, outage} = this.#options;
    const backoff = new Backoff({initialMillis: 20, maximumMillis: 1000});
    while (!this.closed) {
      let limitMillis: number | undefined;
      try {
        const session = await this.#options.connect();
        if (this.closed) return session.end('the store was closed');
        const since = performance.now();
        this.#session = session;
        this.#first.resolve();
        for (const waiter of this.#waiting) waiter.resolve(session);
        outage.connected(this);
        this.#lost(session, await session.ended);
        if (performance.now() - since > 1000) backoff.reset();
        // Redis is there, so requests that wait for the connection can still be served in time.
        limitMillis = 100;
      } catch (error) {
        this.#problem = error;
        this.#first.reject(toStoreError(error, server));
        if (!this.closed) outage.failed(this, purpose, error);
      }
      await outage.pause(backoff.next(limitMillis), this.#closing.signal);
    }
  }

  #lost(session: Session, reason: string): void {
    if (this.#session !== session) return;
    this.#session = undefined;
    this.#problem = new ConnectionLost(reason);
    this.#downSince = performance.now();
  }
}

export function closedError(): StoreError {
  return new StoreError('Closed', 'the store is closed');
}
