import {MinimumHeap} from './minimum-heap.js';

/**
 * How long requests are begun within one turn of the event loop, in milliseconds, when others wait. Connections are looked at between turns: a request that
 * has just arrived waits about that long, and for what was begun last, before it takes part. Most requests take about as long as that.
 */
const turnMillis = 0.08;
/** The same while one flow has the server for itself: each turn costs some microseconds, and there is nobody else to look for but the first request of another. */
const longTurnMillis = 0.4;
/**
 * What a request counts for in its turn at least, in milliseconds. Those that have waited for the same thing, a write of the store, all ask before the first one of them
 * has done anything.
 */
const leastMillis = 0.03;
/** How long a flow does not count as alone after another one has asked, in milliseconds. */
const sharedMillis = 1_000;

/**
 * After a part of the work that has taken more than so many milliseconds the next long part waits for a while: what has stood behind the first is begun meanwhile, and often
 * asks somebody else, such as the store. Without the rest the next would begin before the answer is there, and whoever waits for it would wait for both.
 */
const longMillis = 5;
/** How long that is: a share of what the part has taken, and milliseconds. */
const restShare = 0.1;
const leastRestMillis = 1;
const mostRestMillis = 5;

/** A priority level among those that take turns. */
export class TurnLevel {
  /** How much it has been given, in seats by weight; counts against that of other levels. */
  used = 0;
  /** What the flow that was served last had been given before: who begins to wait now begins there. */
  current = 0;
  readonly waiting = new MinimumHeap<TurnFlow>((a, b) => a.used - b.used || a.since - b.since);

  /** @param weight its share against those of other levels */
  constructor(public weight: number) {}
}

/** The requests of one flow that wait for their turn, in the order of the times that they have named: of their arrival, or since when they wait. */
export class TurnFlow {
  /** How much it has been given, in seats; counts against that of other flows of the level. */
  used = 0;
  /** When it last began to wait, counted in such moments. */
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
 * Decides whose request is worked on next. The event loop works on one thing at a time, so seats alone do not share it out: requests that arrive in one turn would be
 * served in the order of their connections, and who has twenty of them would be served twenty times before the others. Instead as many are begun in
 * a turn as fit into `turnMillis`, those that begin while connections are read and those that have waited together; others wait, and are begun, one in each
 * turn at least, by start-time fair queuing: levels by their weights, and the flows of a level equally, each
 * request counting as many times as it takes seats. Who has asked for less than its share is next.
 *
 * While nothing waits a request begins at once.
 */
export class Turns {
  readonly #levels = new Set<TurnLevel>();
  #waiting = 0;
  #moments = 0;
  /** What the level that was served last had been given before. */
  #current = 0;
  /** The turn of the event loop in which a request began last, and when that turn's first one did. */
  #turn = -1;
  #begunAt = 0;
  /** How many requests have begun since then. */
  #begun = 0;
  /** Which flow has asked last, and until when turns are short because another one had asked before. */
  #lastFlow: TurnFlow | undefined;
  #sharedUntil = -Infinity;
  /** When a long part of work began that may still go on; and until when no other one begins. */
  #longSince: number | undefined;
  #restUntil = -Infinity;
  /** Whether those who wait are about to be looked at. */
  #scheduled = false;

  readonly #clock: () => number;
  readonly #turnNumber: () => number;

  /**
   * @param clock milliseconds that do not go back
   * @param turnNumber a number that is another one in each turn of the event loop
   */
  constructor(clock: () => number = () => performance.now(), turnNumber: () => number = loopCount) {
    this.#clock = clock;
    this.#turnNumber = turnNumber;
  }

  /** How many requests wait for their turn. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * A request is about to begin, or to go on: at once when nothing is answered, otherwise when the promise is resolved.
   *
   * @param seats how much it counts
   * @param since of those of a flow, the one with the earliest goes first: when the request arrived, or when it began to wait
   * @param now what the clock says
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

  /** Whether more may begin in this turn. */
  #hasTime(now: number): boolean {
    return Math.max(now - this.#begunAt, this.#begun * leastMillis) < (now < this.#sharedUntil ? turnMillis : longTurnMillis);
  }

  /** The same for what takes long: it begins in a turn of the event loop in which nothing else has taken long. */
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

  /** Of what waits, the level of what goes first. */
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
    // What has become old would keep all that came after it alive until the next full collection.
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

  /** Behind the connections that had something to read. One goes on in any case, or nobody would while each turn has new ones. */
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

  /** How long what goes first has to wait after a long part of other work; 0 if it may begin. */
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
    // Behind all that this request does at once: promises first, then ticks.
    queueMicrotask(this.#afterwards);
  }

  readonly #next = (): void => {
    if (this.#waiting === 0) this.#scheduled = false;
    else if (this.#hasTime(this.#clock()) && this.#longSince === undefined) this.#beginOne();
    else setImmediate(this.#begin);
  };

  readonly #afterwards = (): void => process.nextTick(this.#next);
}

/** Answers whether it is the flow's only one. */
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
  // Those with earlier times stand in front, and are few: a flow cannot have more than its seats.
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
