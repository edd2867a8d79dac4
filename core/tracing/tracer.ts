import {AsyncLocalStorage} from 'node:async_hooks';
import type {SpanAttributes, Tracing} from '../../sdk/index.js';
import type {RequestTrace, TracedPart} from './request-trace.js';
import {formatTraceparent, newSpanId, newTraceId, parseTraceparent, type ParentContext} from './trace-context.js';

/** A finished request whose trace is exported. */
export interface FinishedTrace {
  readonly trace: RequestTrace;
  /** Of the request as a whole. */
  readonly name: string;
  readonly attributes: SpanAttributes;
  /** As `performance.now()`. */
  readonly ended: number;
  readonly failed: boolean;
}

/** Receives traces to export; must not throw or wait. */
export interface TraceSink {
  add(finished: FinishedTrace): void;
}

export interface TracerOptions {
  /** From 0 to 1. */
  readonly samplingRate: number;
  readonly sink: TraceSink;
  /** From 0 to 1 exclusive. */
  readonly random?: () => number;
}

/** The request that code runs for, and the part of it. */
interface Place {
  readonly trace: RequestTrace;
  readonly part: TracedPart | undefined;
}

/**
 * Decides which requests are traced, as kube-apiserver does: a random share of them. A client's `traceparent` is only followed if the caller is in a privileged group,
 * because otherwise anyone could make the server export everything; for other callers it becomes a link.
 */
export class Tracer implements Tracing {
  readonly #places = new AsyncLocalStorage<Place>();
  readonly #rate: number;
  readonly #sink: TraceSink;
  readonly #random: () => number;

  constructor({samplingRate, sink, random = Math.random}: TracerOptions) {
    this.#rate = samplingRate;
    this.#sink = sink;
    this.#random = random;
  }

  /**
   * Decides for a request after authentication.
   *
   * @param header its `traceparent`
   * @param isTrusted whether to follow that header
   */
  decide(trace: RequestTrace, header: string | undefined, isTrusted: boolean): void {
    const parent = header === undefined ? undefined : parseTraceparent(header);
    if (parent && isTrusted) {
      if (parent.sampled) trace.context = {traceId: parent.traceId, spanId: newSpanId(), parentId: parent.spanId, link: undefined};
    } else if (this.#chooses()) trace.context = newContext(parent);
  }

  /** Whether to export the trace of a request without `traceparent`; random, so it is asked once per request. */
  #chooses(): boolean {
    return this.#rate > 0 && this.#random() < this.#rate;
  }

  /** Runs work for a request, so that `traceparent` and `span` find its trace. */
  within<T>(trace: RequestTrace, work: () => T): T {
    return this.#places.run({trace, part: undefined}, work);
  }

  finish(finished: FinishedTrace): void {
    if (finished.trace.isExported) this.#sink.add(finished);
  }

  get traceparent(): string | undefined {
    const place = this.#places.getStore();
    const traceId = place?.trace.context?.traceId;
    return traceId === undefined ? undefined : formatTraceparent(traceId, place!.trace.idOf(place!.part));
  }

  async span<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T> {
    const place = this.#places.getStore();
    if (!place?.trace.isExported) return work();
    const {trace} = place;
    const part = trace.begin(name, place.part, attributes);
    let failed = true;
    try {
      const outcome = await this.#places.run({trace, part}, work);
      failed = false;
      return outcome;
    } finally {
      trace.end(part, performance.now(), failed);
    }
  }
}

function newContext(link: ParentContext | undefined) {
  return {traceId: newTraceId(), spanId: newSpanId(), parentId: undefined, link};
}
