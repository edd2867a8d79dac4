import {randomBytes} from 'node:crypto';

/** A span of a trace (W3C Trace Context). Ids are lower-case hexadecimal. */
export interface SpanContext {
  /** 16 bytes. */
  readonly traceId: string;
  /** 8 bytes: the span of this request. */
  readonly spanId: string;
  /** The span that caused the request, if it is part of this trace. */
  readonly parentId: string | undefined;
  /** A related span in another trace. */
  readonly link: ParentContext | undefined;
}

/** The contents of a header `traceparent`. */
export interface ParentContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}

const pattern = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const noTrace = '0'.repeat(32);
const noSpan = '0'.repeat(16);
/** More than any version of the header needs. */
const longestHeader = 256;

/** Parses a header `traceparent`; undefined if it is invalid and so ignored (W3C Trace Context, 3.2). */
export function parseTraceparent(header: string): ParentContext | undefined {
  if (header.length > longestHeader) return undefined;
  const [, version, traceId, spanId, flags, more] = pattern.exec(header) ?? [];
  if (!version || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (traceId === noTrace || spanId === noSpan) return undefined;
  return {traceId: traceId!, spanId: spanId!, sampled: (Number.parseInt(flags!, 16) & 1) === 1};
}

export function formatTraceparent(traceId: string, spanId: string): string {
  return `00-${traceId}-${spanId}-01`;
}

export function newTraceId(): string {
  return randomBytes(16).toString('hex');
}

export function newSpanId(): string {
  return randomBytes(8).toString('hex');
}
