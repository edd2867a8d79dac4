import type {Status} from '../objects/status.js';
import type {UserInfo} from './user.js';

/** How much of a request is recorded: nothing, its metadata, also its body, or also the body of its response. */
export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';

/**
 * When an event is recorded. `ResponseStarted` only for long-running requests, such as watches, and for requests rejected before their
 * caller is known.
 */
export type AuditStage = 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete' | 'Panic';

/** The object that a request is about. */
export interface AuditObjectReference {
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly apiGroup?: string;
  readonly apiVersion?: string;
  readonly resourceVersion?: string;
  readonly subresource?: string;
}

/** One stage of one request (`Event` of `audit.orch/v1`). */
export interface AuditEvent {
  readonly level: AuditLevel;
  /** The same for all stages of a request; the response contains it as `Audit-Id`. */
  readonly auditID: string;
  readonly stage: AuditStage;
  readonly requestURI: string;
  readonly verb: string;
  /** Undefined if the caller is not known. */
  readonly user: UserInfo | undefined;
  readonly impersonatedUser: UserInfo | undefined;
  /** The addresses that the request came through, the connection's own address last. Empty for requests of plugins inside the server. */
  readonly sourceIPs: readonly string[];
  readonly userAgent: string;
  readonly objectRef: AuditObjectReference | undefined;
  /** Complete for a failure, otherwise only a code. */
  readonly responseStatus: Partial<Status> | undefined;
  /** RFC 3339 with microseconds. */
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations: Readonly<Record<string, string>> | undefined;
  /** The whole event, including bodies, as one line of JSON in UTF-8 without the line end. Created on first use. */
  readonly json: Buffer;
  /** The event without bodies, annotated as truncated. */
  withoutBodies(): AuditEvent;
}

/**
 * A destination of audit events. Contributed by a plugin as a class decorated with `@auditSink`; every sink gets every event that the
 * policy (`--audit-policy-file`) requires, in the order of occurrence.
 *
 * Events arrive as soon as plugins start: a sink that needs `start` must keep them until then.
 */
export interface AuditSink {
  /** False if the sink wants no events, because nothing is configured. Read once, after construction. */
  readonly enabled?: boolean;
  /** Whether a request fails with 500 if its `RequestReceived` cannot be recorded. */
  readonly strict?: boolean;
  /** Number of events that `write` accepted and that were lost later. Never decreases. */
  readonly lost?: number;
  /**
   * Records an event. The request waits for the promise, if there is one, for at most 30 seconds.
   *
   * @throws Error, or rejects, if the event is lost
   */
  write(event: AuditEvent): void | Promise<void>;
  /** Called after the last response: records remaining events. Limited to 10 seconds. */
  close?(): void | Promise<void>;
}
