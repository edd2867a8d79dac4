import type {Status} from '../objects/status.js';
import type {UserInfo} from './user.js';

/** How much of a request is recorded: nothing, what it is about, its body too, and that of its answer too. */
export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';

/** When an event is recorded. `ResponseStarted` only of requests that last, such as watches, and of those that are refused before anybody knows whose they are. */
export type AuditStage = 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete' | 'Panic';

/** What a request is about. */
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
  /** The same for all stages of a request; the answer has it as `Audit-Id`. */
  readonly auditID: string;
  readonly stage: AuditStage;
  readonly requestURI: string;
  readonly verb: string;
  /** Undefined where the caller is not known. */
  readonly user: UserInfo | undefined;
  readonly impersonatedUser: UserInfo | undefined;
  /** Whom the request came through, the connection's own address last. Empty where a plugin of the server made it. */
  readonly sourceIPs: readonly string[];
  readonly userAgent: string;
  readonly objectRef: AuditObjectReference | undefined;
  /** Has all that it says of a failure, otherwise only a code. */
  readonly responseStatus: Partial<Status> | undefined;
  /** RFC 3339 with microseconds. */
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations: Readonly<Record<string, string>> | undefined;
  /** The whole event, bodies included, as one line of JSON in UTF-8 without its end. Made when it is first asked for. */
  readonly json: Buffer;
  /** The event without bodies, annotated as truncated. */
  withoutBodies(): AuditEvent;
}

/**
 * Where audit events go. Contributed by a plugin as a class decorated with `@auditSink`; every sink gets every event that the policy
 * (`--audit-policy-file`) asks for, in the order in which things happened.
 *
 * Events come as soon as plugins start: what needs `start` must keep them until then.
 */
export interface AuditSink {
  /** False says that no events are wanted, because nothing is configured. Looked at once, after construction. */
  readonly enabled?: boolean;
  /** Whether a request fails with 500 whose `RequestReceived` cannot be recorded. */
  readonly strict?: boolean;
  /** Events that `write` took and that were lost later. Grows only. */
  readonly lost?: number;
  /**
   * Records an event. The request waits for the promise, if there is one, 30 seconds at most.
   *
   * @throws Error, or rejects, when the event is lost
   */
  write(event: AuditEvent): void | Promise<void>;
  /** Called when the last request has been answered: records what waits. Has 10 seconds. */
  close?(): void | Promise<void>;
}
