import {every, StatusError} from '../../../sdk/index.js';
import type {Exchange} from '../request/exchange.js';
import type {MemoryBudget} from '../limits/memory-budget.js';
import type {HttpLimits} from '../limits/http-limits.js';
import type {ClientConnection} from './client-connection.js';

/** Interval between checks, in milliseconds, and how many times longer it is while nobody is connected, so that an idle server rests. */
const lookMillis = 1000;
const restStretch = 5;
/** Milliseconds without reading after which a client is cut if memory is short. */
const shortMillis = 1000;
/** Milliseconds before the rate of a body is checked. */
const bodyGraceMillis = 5000;

export type SlowClientLimits = Pick<HttpLimits, 'headersTimeout' | 'stallTimeout' | 'minBodyRate'>;

/** The one look at all connections, whatever their protocol: for clients that do not read their responses, send their bodies too slowly, or do what a connection looks for itself. */
export class SlowClients {
  #stopLooking: () => void = () => undefined;
  #isResting = false;

  readonly #connections: () => Iterable<ClientConnection>;
  readonly #limits: SlowClientLimits;
  readonly #answers: MemoryBudget;

  constructor(connections: () => Iterable<ClientConnection>, limits: SlowClientLimits, answers: MemoryBudget) {
    this.#connections = connections;
    this.#limits = limits;
    this.#answers = answers;
  }

  start(): void {
    const {headersTimeout, stallTimeout} = this.#limits;
    const millis = Math.min(lookMillis, stallTimeout / 2, headersTimeout / 2);
    this.#stopLooking = every(this.#isResting ? millis * restStretch : millis, () => this.#look());
  }

  stop(): void {
    this.#stopLooking();
  }

  #look(): void {
    const now = performance.now();
    const stallMillis = this.#answers.isFull ? Math.min(shortMillis, this.#limits.stallTimeout) : this.#limits.stallTimeout;
    let isAlone = true;
    for (const connection of this.#connections()) {
      isAlone = false;
      if (!connection.isIdle)
        for (const exchange of connection.unfinished) {
          exchange.sampleAnswer();
          this.#lookAtBody(exchange, now);
        }
      connection.look(now, stallMillis);
    }
    if (isAlone === this.#isResting) return;
    this.#isResting = isAlone;
    this.stop();
    this.start();
  }

  #lookAtBody({body}: Exchange, now: number): void {
    if (!body) return;
    const millis = now - body.since;
    if (millis < bodyGraceMillis || (body.received / millis) * 1000 >= this.#limits.minBodyRate) return;
    body.refuse(new StatusError(408, 'Timeout', `the request's body comes with less than ${this.#limits.minBodyRate} bytes a second`));
  }
}
