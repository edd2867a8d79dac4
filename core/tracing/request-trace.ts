import type {SpanAttributes} from '../../sdk/index.js';
import {newSpanId, type SpanContext} from './trace-context.js';

/** Shorter parts of a step are kept only for export, in milliseconds. */
const leastPartMillis = 1;
/** Maximum parts that one request keeps. */
const maximumParts = 128;

/** A part of the work for a request. Times are those of `performance.now()`. */
export interface TracedPart {
  name: string;
  readonly began: number;
  ended: number;
  readonly parent: TracedPart | undefined;
  failed: boolean;
  attributes: SpanAttributes | undefined;
  /** Id of its span, once it has been needed. */
  id: string | undefined;
}

const none: readonly TracedPart[] = [];

/**
 * The work for one request, with times: successive steps, and parts within them (admission controllers, webhook calls). The log of slow requests and
 * exported traces both use it. A step ends where the next one begins, so each costs at most one reading of the clock; steps that are too short to
 * report are not kept.
 */
export class RequestTrace {
  /** Undefined if the trace is not exported. */
  context: SpanContext | undefined;
  /** Parts left out because there were too many. */
  leftOut = 0;
  readonly #leastMillis: number;
  #parts: TracedPart[] | undefined;
  /** When the current step began. */
  #since: number;
  /** The current step, once a part needs it. */
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

  /** Steps and parts in the order in which they ended. */
  get parts(): readonly TracedPart[] {
    return this.#parts ?? none;
  }

  /** Names the work since the last step. @param now if the clock has been read already */
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

  /** Begins a part of the current step, until `leave`. Such parts do not overlap. */
  enter(name: string, now: number): TracedPart | undefined {
    return this.context ? (this.#inner = part(name, now, this.#current())) : undefined;
  }

  /** @param entered the result of `enter` */
  leave(entered: TracedPart | undefined, name: string, began: number, now: number, failed: boolean): void {
    if (entered) {
      this.#inner = undefined;
      this.end(entered, now, failed);
    } else if (now - began >= leastPartMillis) {
      const brief = part(name, began, this.#current());
      this.end(brief, now, failed);
    }
  }

  /** Begins a part of the current one. Such parts may overlap. */
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

  /** Id of the current span. */
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
