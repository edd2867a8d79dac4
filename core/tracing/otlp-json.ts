import type {SpanAttributes} from '../../sdk/index.js';
import type {TracedPart} from './request-trace.js';
import {newSpanId} from './trace-context.js';
import type {FinishedTrace} from './tracer.js';

/** Longest text of an attribute. */
const longestText = 256;
/** `SPAN_KIND_SERVER`, `SPAN_KIND_INTERNAL` and `STATUS_CODE_ERROR` of OTLP. */
const serverKind = 2;
const internalKind = 1;
const errorStatus = {code: 2};

/** A span in the JSON form of OTLP. */
interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly object[];
  readonly links?: readonly object[];
  readonly status?: object;
}

/** Number of spans of a trace. */
export function spanCount({trace}: FinishedTrace): number {
  return trace.parts.length + 1;
}

/**
 * The body of an export (OTLP 1.0, `ExportTraceServiceRequest` as JSON).
 *
 * @param resource attributes of the server, common to all spans
 */
export function exportBody(traces: readonly FinishedTrace[], resource: SpanAttributes, version: string): string {
  const spans = traces.flatMap((finished) => spansOf(finished));
  return JSON.stringify({
    resourceSpans: [{resource: {attributes: attributesOf(resource)}, scopeSpans: [{scope: {name: 'orch', version}, spans}]}],
  });
}

function spansOf({trace, name, attributes, ended, failed}: FinishedTrace): OtlpSpan[] {
  const {traceId, spanId, parentId, link} = trace.context!;
  const leftOut: SpanAttributes = trace.leftOut > 0 ? {'orch.spans_left_out': trace.leftOut} : {};
  const root: OtlpSpan = {
    traceId,
    spanId,
    ...(parentId === undefined ? {} : {parentSpanId: parentId}),
    name,
    kind: serverKind,
    ...times(trace.began, ended),
    attributes: attributesOf({...attributes, ...leftOut}),
    ...(link ? {links: [{traceId: link.traceId, spanId: link.spanId}]} : {}),
    ...(failed ? {status: errorStatus} : {}),
  };
  return [root, ...trace.parts.map((part) => spanOf(part, traceId, spanId))];
}

function spanOf(part: TracedPart, traceId: string, rootId: string): OtlpSpan {
  return {
    traceId,
    spanId: idOf(part),
    parentSpanId: part.parent ? idOf(part.parent) : rootId,
    name: part.name,
    kind: internalKind,
    ...times(part.began, part.ended),
    attributes: attributesOf(part.attributes ?? {}),
    ...(part.failed ? {status: errorStatus} : {}),
  };
}

function idOf(part: TracedPart): string {
  return (part.id ??= newSpanId());
}

function times(began: number, ended: number) {
  return {startTimeUnixNano: nanoseconds(began), endTimeUnixNano: nanoseconds(ended)};
}

/** A time of `performance.now()` in nanoseconds since 1970, as a decimal string, as JSON has 64-bit integers. */
function nanoseconds(time: number): string {
  return (BigInt(Math.round((performance.timeOrigin + time) * 1000)) * 1000n).toString();
}

function attributesOf(attributes: SpanAttributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({key, value: valueOf(value)}));
}

function valueOf(value: string | number | boolean): object {
  if (typeof value === 'boolean') return {boolValue: value};
  if (typeof value === 'string') return {stringValue: value.length > longestText ? value.slice(0, longestText) : value};
  return Number.isSafeInteger(value) ? {intValue: String(value)} : {doubleValue: value};
}
