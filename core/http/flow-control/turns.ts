import {MinimumHeap} from './minimum-heap.js';

/**
 * Milliseconds of one turn of the event loop in which requests are started while others wait. Connections are read between turns, so a request that has just
 * arrived waits about this long, and for the request started last. Most requests take about as long.
 */
const turnMillis = 0.08;
/** The same while only one flow is active: a turn costs some microseconds, and only the first request of another flow could wait longer. */
const longTurnMillis = 0.4;
/** Minimum that a request counts in its turn, in milliseconds: requests that waited for the same write of the store all enter before the first has done any work. */
const leastMillis = 0.03;
/** Milliseconds after a request of another flow before a flow counts as alone again. */
const sharedMillis = 1_000;

/**
 * After a part of the work that took longer than this, in milliseconds, the next long part rests. The requests that waited behind the first start meanwhile, and often wait
 * for the store: without the rest the next long part would begin before the store answers, and delay them a second time.
 */
const longMillis = 5;
/** The rest: a share of what the part took, within bounds in milliseconds. */
const restShare = 0.1;
const leastRestMillis = 1;
const mostRestMillis = 5;

/** A priority level among those that take turns. */
export class TurnLevel {
  /** Virtual time: seats received, divided by the weight. The level with the least is served next. */
  used = 0;
  /** `used` of the flow served last, before it was served: a flow that begins to wait now starts there. */
  current = 0;
  readonly waiting = new MinimumHeap<TurnFlow>((a, b) => a.used - b.used || a.since - b.since);

  /** @param weight relative to that of other levels */
  constructor(public weight: number) {}
}

/** The waiting requests of one flow, by `since`. */
export class TurnFlow {
  /** Virtual time: seats received. The flow of a level with the least is served next. */
  used = 0;
  /** Order in which flows began to wait; breaks ties. */
  since = 0;
  first: TurnEntry | undefined;
  last: TurnEntry | undefined;

  constructor(readonly level: TurnLevel) {}
}

interface TurnEntry {
  readonly seats: number;
  readonly since: number;
  readonly isLong: boolean;
  readonly begin: () => void;
  next: TurnEntry | undefined;
}

/**
 * Decides which request runs next. The event loop does one thing at a time, so seats alone do not divide it fairly: requests that arrive in one turn would be
 * served in the order of their connections, and a client with twenty connections would be served twenty times before the others. Instead each turn starts as many
 * requests as fit into `turnMillis`, new and waiting ones together. The rest wait and are started, at least one per turn, by start-time fair queuing: levels by
 * their weights, the flows of a level equally, and a request counts as its seats.
 *
 * While nothing waits, a request starts at once.
 */
export class Turns {
  readonly #levels = new Set<TurnLevel>();
  #waiting = 0;
  #moments = 0;
  /** `used` of the level served last, before it was served. */
  #current = 0;
  /** The turn of the event loop in which a request last started, and when the first one of that turn did. */
  #turn = -1;
  #begunAt = 0;
  /** Requests started since then. */
  #begun = 0;
  /** The flow that entered last, and until when turns are short because another one entered before. */
  #lastFlow: TurnFlow | undefined;
  #sharedUntil = -Infinity;
  /** Start of a long part of work that may still run, and until when no other one starts. */
  #longSince: number | undefined;
  #restUntil = -Infinity;
  /** Whether `#begin` or `#next` is about to run. */
  #scheduled = false;

  readonly #clock: () => number;
  readonly #turnNumber: () => number;

  /**
   * @param clock monotonic, in milliseconds
   * @param turnNumber a number that differs in each turn of the event loop
   */
  constructor(clock: () => number = () => performance.now(), turnNumber: () => number = loopCount) {
    this.#clock = clock;
    this.#turnNumber = turnNumber;
  }

  /** Number of waiting requests. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Asks to start or continue a request: at once if undefined is returned, otherwise when the promise resolves.
   *
   * @param seats weight of the request
   * @param since its arrival, or when it began to wait: the earliest of a flow goes first
   * @param now time of the clock
   */
  enter(flow: TurnFlow, seats: number, since: number, now: number): Promise<void> | undefined {
    if (flow !== this.#lastFlow) {
      if (this.#lastFlow) this.#sharedUntil = now + sharedMillis;
      this.#lastFlow = flow;
    }
    if (this.#waiting === 0) {
      const turn = this.#turnNumber();
      if (turn !== this.#turn) {
        this.#turn = turn;
        this.#begunAt = now;
        this.#begun = 1;
        return undefined;
      }
      if (this.#hasTime(now)) {
        this.#begun += 1;
        return undefined;
      }
    }
    return this.#wait(flow, seats, since, false);
  }

  /** Whether more requests may start in this turn. */
  #hasTime(now: number): boolean {
    return Math.max(now - this.#begunAt, this.#begun * leastMillis) < (now < this.#sharedUntil ? turnMillis : longTurnMillis);
  }

  /** The same for a long part of work: it starts in a turn of the event loop without another one. */
  wait(flow: TurnFlow, seats: number, since: number): Promise<void> {
    return this.#wait(flow, seats, since, true);
  }

  #wait(flow: TurnFlow, seats: number, since: number, isLong: boolean): Promise<void> {
    return new Promise((resolve) => this.#push(flow, {seats, since, isLong, begin: resolve, next: undefined}));
  }

  #push(flow: TurnFlow, entry: TurnEntry): void {
    this.#waiting += 1;
    if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(this.#begin);
    }
    if (!insert(flow, entry)) return;
    const {level} = flow;
    if (level.waiting.size === 0) {
      level.used = Math.max(level.used, this.#current);
      this.#levels.add(level);
    }
    flow.used = Math.max(flow.used, level.current);
    flow.since = ++this.#moments;
    level.waiting.push(flow);
  }

  /** The level that is served next. */
  get #first(): TurnLevel {
    let level: TurnLevel | undefined;
    for (const candidate of this.#levels) if (!level || candidate.used < level.used) level = candidate;
    return level!;
  }

  #shift(): TurnEntry {
    const level = this.#first;
    const flow = level.waiting.first!;
    const entry = flow.first!;
    this.#current = level.used;
    level.used += entry.seats / level.weight;
    level.current = flow.used;
    flow.used += entry.seats;
    flow.first = entry.next;
    // An entry in the old generation would keep all its successors alive until the next full collection.
    entry.next = undefined;
    if (flow.first) {
      level.waiting.sink();
    } else {
      flow.last = undefined;
      level.waiting.shift();
      if (level.waiting.size === 0) this.#levels.delete(level);
    }
    this.#waiting -= 1;
    return entry;
  }

  /** Runs after connections have been read. Starts one request in any case: otherwise new requests could starve those that wait. */
  readonly #begin = (): void => {
    const turn = this.#turnNumber();
    if (turn !== this.#turn) {
      this.#turn = turn;
      this.#begunAt = this.#clock();
      this.#begun = 0;
    }
    const restMillis = this.#restMillis();
    if (restMillis > 0) setTimeout(this.#begin, restMillis);
    else this.#beginOne();
  };

  /** How long the next request must rest after a long part of work; 0 if it may start. */
  #restMillis(): number {
    const since = this.#longSince;
    if (since !== undefined) {
      this.#longSince = undefined;
      const millis = this.#clock() - since;
      if (millis > longMillis) this.#restUntil = this.#clock() + Math.min(Math.max(millis * restShare, leastRestMillis), mostRestMillis);
    }
    return this.#first.waiting.first!.first!.isLong ? Math.max(0, this.#restUntil - this.#clock()) : 0;
  }

  #beginOne(): void {
    this.#begun += 1;
    const entry = this.#shift();
    if (entry.isLong) this.#longSince = this.#clock();
    entry.begin();
    // After everything that the request does synchronously: promises first, then ticks.
    queueMicrotask(this.#afterwards);
  }

  readonly #next = (): void => {
    if (this.#waiting === 0) this.#scheduled = false;
    else if (this.#hasTime(this.#clock()) && this.#longSince === undefined) this.#beginOne();
    else setImmediate(this.#begin);
  };

  readonly #afterwards = (): void => process.nextTick(this.#next);
}

/** Returns whether it is the only entry of the flow. */
function insert(flow: TurnFlow, entry: TurnEntry): boolean {
  const {first, last} = flow;
  if (!first || !last) {
    flow.first = flow.last = entry;
    return true;
  }
  if (last.since <= entry.since) {
    flow.last = last.next = entry;
    return false;
  }
  if (entry.since < first.since) {
    entry.next = first;
    flow.first = entry;
    return false;
  }
  // Few entries are earlier: a flow cannot have more than its seats.
  let before = first;
  while (before.next!.since <= entry.since) before = before.next!;
  entry.next = before.next;
  before.next = entry;
  return false;
}

/** The number of the event loop's turn. */
function loopCount(): number {
  return performance.nodeTiming.uvMetricsInfo.loopCount;
}
