/** What is noted of a span; texts are cut at 256 characters. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/**
 * Takes part in traces of requests. Whether a request is traced is decided when it comes; for the others, and on servers that export no traces, nothing is measured.
 */
export interface Tracing {
  /** The header `traceparent` for a call that is made for the request under way; undefined if that is not traced. */
  readonly traceparent: string | undefined;
  /**
   * Does work that is shown as a span of the request under way. What the work itself does, and calls, is part of it.
   *
   * @param name of a set that is known beforehand: what differs from call to call belongs into the attributes
   */
  span<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T>;
}
