import type {SpanAttributes} from '../../sdk/index.js';
import {newSpanId, type SpanContext} from './trace-context.js';

/** Below this, parts of a step are only kept if they are exported, in milliseconds. */
const leastPartMillis = 1;
/** Greatest number of parts that one request keeps. */
const maximumParts = 128;

/** A part of the work for a request. Times are those of `performance.now()`. */
export interface TracedPart {
  name: string;
  readonly began: number;
  ended: number;
  readonly parent: TracedPart | undefined;
  failed: boolean;
  attributes: SpanAttributes | undefined;
  /** Id of its span, once somebody has asked for it. */
  id: string | undefined;
}

const none: readonly TracedPart[] = [];

/**
 * What was done for one request, and when: steps that follow each other, and parts within them (admission controllers, calls of webhooks). The log of slow requests and
 * exported traces are made from the same steps. A step ends where the next one begins, so that each costs one reading of the clock at most; one that is too short to be
 * told leaves nothing behind.
 */
export class RequestTrace {
  /** The trace it belongs to; undefined if it is not exported. */
  context: SpanContext | undefined;
  /** How many parts were left out because there were too many. */
  leftOut = 0;
  readonly #leastMillis: number;
  #parts: TracedPart[] | undefined;
  /** When the current step began. */
  #since: number;
  /** The current step, once something needs it. */
  #step: TracedPart | undefined;
  /** The admission controller that is running. */
  #inner: TracedPart | undefined;

  /** @param leastMillis shorter steps are left out; 0 if the trace may be exported */
  constructor(
    readonly began: number,
    leastMillis: number,
  ) {
    this.#since = began;
    this.#leastMillis = leastMillis;
  }

  get isExported(): boolean {
    return this.context !== undefined;
  }

  /** Steps and parts that have ended, in order of their ends. */
  get parts(): readonly TracedPart[] {
    return this.#parts ?? none;
  }

  /** The work since the last step was this one. @param now if the clock has been read already */
  step(name: string, now = performance.now()): void {
    if (this.#step || now - this.#since >= this.#leastMillis) {
      const step = this.#current();
      step.name = name;
      step.ended = now;
      this.#keep(step);
      this.#step = undefined;
    }
    this.#since = now;
  }

  /** A part of the current step begins; to be ended with `leave`. Parts that are entered do not overlap. */
  enter(name: string, now: number): TracedPart | undefined {
    return this.context ? (this.#inner = part(name, now, this.#current())) : undefined;
  }

  /** @param entered what `enter` has returned */
  leave(entered: TracedPart | undefined, name: string, began: number, now: number, failed: boolean): void {
    if (entered) {
      this.#inner = undefined;
      this.end(entered, now, failed);
    } else if (now - began >= leastPartMillis) {
      const brief = part(name, began, this.#current());
      this.end(brief, now, failed);
    }
  }

  /** A part of the current one begins; such parts may overlap. */
  begin(name: string, parent: TracedPart | undefined, attributes: SpanAttributes | undefined): TracedPart {
    const begun = part(name, performance.now(), parent ?? this.#inner ?? this.#current());
    begun.attributes = attributes;
    return begun;
  }

  end(ended: TracedPart, now: number, failed: boolean): void {
    ended.ended = now;
    ended.failed = failed;
    this.#keep(ended);
  }

  /** Id of the span in which something happens now. */
  idOf(inner: TracedPart | undefined): string {
    const current = inner ?? this.#inner ?? this.#current();
    return (current.id ??= newSpanId());
  }

  #current(): TracedPart {
    return (this.#step ??= part('', this.#since, undefined));
  }

  #keep(ended: TracedPart): void {
    const parts = (this.#parts ??= []);
    if (parts.length < maximumParts) parts.push(ended);
    else this.leftOut += 1;
  }
}

function part(name: string, began: number, parent: TracedPart | undefined): TracedPart {
  return {name, began, ended: began, parent, failed: false, attributes: undefined, id: undefined};
}
