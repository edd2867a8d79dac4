import type {AuditEvent} from '../../../sdk/index.js';
import * as bounds from './bounds.js';

/** Bytes of an event without its texts, about. */
const emptyEvent = 500;

/** What is kept of an event: no bodies, and texts are cut. */
export interface TailEvent {
  /** Counts up by one from event to event, from 1 at the start of the process. */
  readonly number: number;
  readonly time: string;
  readonly level: string;
  readonly stage: string;
  readonly id: string;
  readonly verb: string;
  readonly uri: string;
  readonly user: string | undefined;
  readonly impersonatedUser: string | undefined;
  readonly sourceIPs: readonly string[];
  readonly userAgent: string;
  readonly object: AuditEvent['objectRef'];
  /** Status of the answer; undefined while there is none. */
  readonly code: number | undefined;
  readonly reason: string | undefined;
  readonly message: string | undefined;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A part of the tail. */
export interface TailPart {
  /** Of the newest event; 0 if there was none. */
  readonly last: number;
  /** Events between the ones asked for and the first one here: they are kept no more, or are too many for one answer. */
  readonly missed: number;
  /** Oldest first. */
  readonly items: readonly TailEvent[];
}

interface Kept {
  readonly event: TailEvent;
  readonly bytes: number;
}

/** The newest events of the audit log, in memory. */
export class AuditTail {
  readonly #kept: Kept[] = [];
  #bytes = 0;
  #last = 0;

  get bytes(): number {
    return this.#bytes;
  }

  add(event: AuditEvent): void {
    const kept = tailEvent(event, ++this.#last);
    const bytes = sizeOf(kept);
    this.#kept.push({event: kept, bytes});
    this.#bytes += bytes;
    while (this.#kept.length > bounds.auditEvents || this.#bytes > bounds.auditBytes) this.#bytes -= this.#kept.shift()!.bytes;
  }

  /** The newest events after a number. */
  after(number: number): TailPart {
    const first = this.#last - this.#kept.length + 1;
    const wanted = Math.max(number + 1, first, this.#last - bounds.auditListed + 1);
    const items = this.#kept.slice(wanted - first).map(({event}) => event);
    return {last: this.#last, missed: Math.max(0, Math.min(wanted, this.#last + 1) - number - 1), items};
  }
}

function tailEvent(event: AuditEvent, number: number): TailEvent {
  const {level, auditID, stage, requestURI, verb, user, impersonatedUser, sourceIPs, userAgent, objectRef, responseStatus} = event;
  return {
    number,
    time: event.stageTimestamp,
    level,
    stage,
    id: cut(auditID),
    verb,
    uri: cut(requestURI),
    user: cutMaybe(user?.username),
    impersonatedUser: cutMaybe(impersonatedUser?.username),
    sourceIPs: sourceIPs.slice(-bounds.auditEntries).map(cut),
    userAgent: cut(userAgent),
    object: objectRef && (Object.fromEntries(Object.entries(objectRef).map(([key, text]) => [key, cut(String(text))])) as typeof objectRef),
    code: responseStatus?.code,
    reason: cutMaybe(responseStatus?.reason),
    message: cutMaybe(responseStatus?.message),
    annotations: Object.fromEntries(
      Object.entries(event.annotations ?? {})
        .slice(0, bounds.auditEntries)
        .map(([key, text]) => [cut(key), cut(text)]),
    ),
  };
}

function sizeOf({
  id,
  uri,
  user = '',
  impersonatedUser = '',
  sourceIPs,
  userAgent,
  object = {},
  message = '',
  annotations,
}: TailEvent): number {
  const texts = [id, uri, user, impersonatedUser, userAgent, message, ...sourceIPs, ...Object.values(object as object).map(String)];
  const ofAnnotations = Object.entries(annotations).flat();
  return emptyEvent + [...texts, ...ofAnnotations].reduce((sum, text) => sum + text.length * 2, 0);
}

function cut(text: string): string {
  return text.length > bounds.auditText ? `${text.slice(0, bounds.auditText)}…` : text;
}

function cutMaybe(text: string | undefined): string | undefined {
  return text === undefined ? undefined : cut(text);
}
