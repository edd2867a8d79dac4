import {
  isJsonObject,
  jsonText,
  type AuditObjectReference,
  type AuditStage,
  type JsonValue,
  type Status,
  type UserInfo,
} from '../../../sdk/index.js';
import {longestBody, onOneLine, withoutManagedFields} from './audit-body.js';
import {RecordedEvent, type AuditFacts, type AuditMoment, type AuditNames} from './audit-event.js';
import type {AuditDecision} from './audit-policy.js';

/** Facts about a request that are not known when its record begins. */
export interface AuditedCircumstances {
  /** Annotations for events of the record's level. */
  annotations(level: 'Metadata' | 'Request'): Readonly<Record<string, string>> | undefined;
}

/** The destination of events. */
export interface EventStore {
  readonly names: AuditNames;
  /** Returns whether the request may continue. @param isDecisive whether that depends on the event */
  store(event: RecordedEvent, isDecisive: boolean): boolean | Promise<boolean>;
}

/** The record of one request: collects the content of its events and passes them on at each stage. */
export class AuditRecord {
  /** Set if the request impersonates another user. */
  impersonatedUser: UserInfo | undefined;
  /** Set if the request is rejected before its caller is known: only its response is recorded, as `ResponseStarted`. */
  early: {readonly message?: string} | undefined;
  readonly #log: EventStore;
  readonly #decision: AuditDecision;
  readonly #facts: AuditFacts;
  readonly #circumstances: AuditedCircumstances;
  #target: AuditObjectReference | undefined;
  #status: Partial<Status> | undefined;
  #requestObject: Buffer | undefined;
  #shown: (() => readonly Buffer[]) | undefined;
  #panic: string | undefined;
  #isLeftOut = false;
  #hasStarted = false;
  #isComplete = false;

  constructor(
    log: EventStore,
    decision: AuditDecision,
    facts: AuditFacts,
    target: AuditObjectReference | undefined,
    circumstances: AuditedCircumstances,
  ) {
    this.#log = log;
    this.#decision = decision;
    this.#facts = facts;
    this.#target = target;
    this.#circumstances = circumstances;
  }

  get keepsRequests(): boolean {
    return this.#decision.level !== 'Metadata';
  }

  get keepsResponses(): boolean {
    return this.#decision.level === 'RequestResponse';
  }

  /** The stage `RequestReceived`. Returns whether the request may continue. */
  received(): boolean | Promise<boolean> {
    return this.#omits('RequestReceived') || this.#log.store(this.#event('RequestReceived', undefined), true);
  }

  /**
   * The request's body, decoded and as received.
   *
   * @param bytes undefined if it was not sent as JSON
   * @param isWhole whether it is the object itself, rather than a patch of it
   */
  request(value: JsonValue | undefined, bytes: Buffer | undefined, isWhole: boolean): void {
    if (this.#requestObject) return;
    if (isWhole) this.#name(value);
    if (!this.keepsRequests || value === undefined) return;
    this.#requestObject = this.#bounded([bytes ? onOneLine(bytes) : Buffer.from(jsonText(value))]);
  }

  /** The Status sent as the response. */
  status({status, message, reason, details, code}: Status): void {
    this.#status = {
      ...(status === undefined ? {} : {status}),
      ...(message === undefined || message === '' ? {} : {message}),
      ...(reason === undefined ? {} : {reason}),
      ...(details === undefined ? {} : {details}),
      code,
    };
  }

  /** The response as JSON, for responses sent in another form. */
  shownAs(parts: () => readonly Buffer[]): void {
    this.#shown = parts;
  }

  /** An unexpected error ends the request. */
  panicked(error: unknown): void {
    this.#panic = `panic: ${error instanceof Error ? error.message : String(error)}`;
  }

  /** The response of a long-running request has started: the stage `ResponseStarted`. */
  started(code: number): void | Promise<void> {
    if (this.#hasStarted || this.#isComplete) return undefined;
    this.#hasStarted = true;
    this.#status ??= {code};
    if (this.#omits('ResponseStarted')) return undefined;
    return ignore(this.#log.store(this.#event('ResponseStarted', undefined, this.#status), false));
  }

  /**
   * The response is ready, or the request has ended without one: the stage `ResponseComplete`, or `Panic`. Only the first call counts.
   *
   * @param body as JSON; undefined for other forms
   * @returns a promise if the response waits until it has been recorded
   */
  answered(code: number, body: readonly Buffer[] | undefined): void | Promise<void> {
    if (this.#isComplete) return undefined;
    if (this.early) {
      if (this.#status && this.early.message !== undefined) this.#status = {...this.#status, message: this.early.message};
      const waiting = this.started(code);
      this.#isComplete = true;
      return waiting;
    }
    this.#isComplete = true;
    if (this.#panic !== undefined) {
      if (this.#omits('Panic')) return undefined;
      const status = {status: 'Failure' as const, message: this.#panic, reason: 'InternalError' as const, code: 500};
      return ignore(this.#log.store(this.#event('Panic', undefined, status), false));
    }
    if (this.#omits('ResponseComplete')) return undefined;
    const parts = this.keepsResponses ? (body ?? this.#shown?.()) : undefined;
    return ignore(this.#log.store(this.#event('ResponseComplete', parts, this.#status ?? {code}), false));
  }

  /** The connection has ended. A request without a response counts as started and aborted. */
  finished(code: number, isLongRunning: boolean): void {
    if (this.#isComplete) return;
    if (isLongRunning && !this.#hasStarted) {
      this.#status ??= {status: 'Success', message: 'Connection closed early', code};
      void this.started(code);
    }
    void this.answered(code, undefined);
  }

  /** Fills in what the path does not contain. */
  #name(value: JsonValue | undefined): void {
    const metadata = isJsonObject(value) ? value['metadata'] : undefined;
    if (!isJsonObject(metadata) || !this.#target) return;
    const from = (member: string) => {
      const given = metadata[member];
      return typeof given === 'string' && given !== '' ? given : undefined;
    };
    const target = this.#target;
    this.#target = objectReference({
      ...target,
      namespace: target.namespace ?? from('namespace'),
      name: target.name ?? from('name'),
      uid: from('uid'),
      resourceVersion: from('resourceVersion'),
    });
  }

  #omits(stage: AuditStage): boolean {
    return this.#decision.omitStages.has(stage);
  }

  /** A body from its parts, for events; undefined if it is too long. */
  #bounded(parts: readonly Buffer[]): Buffer | undefined {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    if (length > longestBody) {
      this.#isLeftOut = true;
      return undefined;
    }
    const bytes = onOneLine(parts.length === 1 ? parts[0]! : Buffer.concat(parts, length));
    return this.#decision.omitManagedFields ? withoutManagedFields(bytes) : bytes;
  }

  #event(stage: AuditStage, response: readonly Buffer[] | undefined, responseStatus?: Partial<Status>): RecordedEvent {
    const {level} = this.#decision;
    const responseObject = response && this.#bounded(response);
    const moment: AuditMoment = {
      level,
      stage,
      impersonatedUser: this.impersonatedUser,
      objectRef: this.#target,
      responseStatus,
      requestObject: this.#requestObject,
      responseObject,
      annotations: this.#circumstances.annotations(this.keepsRequests ? 'Request' : 'Metadata'),
      truncated: this.#isLeftOut,
    };
    return new RecordedEvent(this.#facts, moment, this.#log.names);
  }
}

function ignore(stored: boolean | Promise<boolean>): void | Promise<void> {
  return typeof stored === 'boolean' ? undefined : stored.then(() => undefined);
}

type Optional<T> = {readonly [K in keyof T]?: T[K] | undefined};

/** A reference with members in Kubernetes' order, without empty ones. */
export function objectReference(given: Optional<AuditObjectReference>): AuditObjectReference {
  const {resource, namespace, name, uid, apiGroup, apiVersion, resourceVersion, subresource} = given;
  return {
    ...(resource ? {resource} : {}),
    ...(namespace ? {namespace} : {}),
    ...(name ? {name} : {}),
    ...(uid ? {uid} : {}),
    ...(apiGroup ? {apiGroup} : {}),
    ...(apiVersion ? {apiVersion} : {}),
    ...(resourceVersion ? {resourceVersion} : {}),
    ...(subresource ? {subresource} : {}),
  };
}
