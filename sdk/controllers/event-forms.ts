import {randomBytes} from 'node:crypto';
import {hostname} from 'node:os';
import type {ResourceRef} from '../contracts/resource-client.js';
import type {ApiObject} from '../objects/api-object.js';
import {secondTime} from '../values/second-time.js';
import {microTime} from '../values/micro-time.js';

/** The contents of an event about an object. */
export interface ObjectEvent {
  readonly type: 'Normal' | 'Warning';
  /** Why, in one word. */
  readonly reason: string;
  /** What was being done, or what failed; the reason by default. Core events have none. */
  readonly action?: string;
  /** For people; cut after 1,024 bytes. */
  readonly note: string;
  /** Of core Events: the part of the object that it is about, as in `spec.containers{main}`. */
  readonly fieldPath?: string | undefined;
  /** Of core Events: the host that reports it. */
  readonly host?: string | undefined;
}

/** The object that an event is about. */
export type EventSubject = Pick<ApiObject, 'apiVersion' | 'kind' | 'metadata'>;

/** How often something has happened, and when for the last time, in milliseconds since 1970. */
export interface Occurrences {
  readonly count: number;
  readonly lastAt: number;
  /** Of the last time. */
  readonly note: string;
}

/** How Events are written: as objects of which type, and how repetitions are counted in them. */
export interface EventForm {
  readonly ref: ResourceRef;
  /** Events of an object that differ only in their notes, beyond which they are combined into one. */
  readonly mostNotes: number;
  /** A new Event without its count. @param now in milliseconds since 1970 @param isCombined whether it stands for several that differ in their notes */
  make(subject: EventSubject, event: ObjectEvent, now: number, isCombined: boolean): ApiObject;
  /** The members that count; empty for what needs no counting. */
  counted(occurrences: Occurrences): object;
}

const noteBytes = 1024;
const longestName = 253;

/** Events of `events.k8s.io/v1` (by its name in Kubernetes). */
export function currentEvents(controller: string, instance: string | undefined): EventForm {
  return {
    ref: {group: 'events.orch', version: 'v1', resource: 'events'},
    mostNotes: 10,
    make: (subject, {type, reason, action = reason, note}, now) => ({
      metadata: eventMetadata(subject, randomBytes(8).toString('hex')),
      eventTime: microTime(now),
      reportingController: controller,
      reportingInstance: (instance ?? hostname()).slice(0, 128),
      type,
      reason,
      action,
      note: cut(note),
      regarding: referenceTo(subject),
    }),
    counted: ({count, lastAt}) => (count > 1 ? {series: {count, lastObservedTime: microTime(lastAt)}} : {}),
  };
}

/** Events of the core group, as the controllers of Kubernetes write them: with `count` and `source.component`. */
export function coreEvents(component: string): EventForm {
  let last = 0n;
  return {
    ref: {group: '', version: 'v1', resource: 'events'},
    mostNotes: 9,
    make: (subject, {type, reason, note, fieldPath, host}, now, isCombined) => {
      // As client-go names them: by the time in nanoseconds, of which each is given once.
      const nanos = BigInt(Math.trunc(now)) * 1_000_000n;
      last = nanos > last ? nanos : last + 1n;
      return {
        metadata: eventMetadata(subject, last.toString(16)),
        involvedObject: {...referenceTo(subject), ...(fieldPath === undefined ? {} : {fieldPath})},
        type,
        reason,
        message: cut(note),
        source: {component, ...(host === undefined ? {} : {host})},
        // client-go leaves them out there.
        ...(isCombined ? {} : {reportingComponent: component, ...(host === undefined ? {} : {reportingInstance: host})}),
        firstTimestamp: secondTime(now),
      };
    },
    counted: ({count, lastAt, note}) => ({count, lastTimestamp: secondTime(lastAt), message: cut(note)}),
  };
}

function eventMetadata({metadata: {name = '', namespace}}: EventSubject, suffix: string): ApiObject['metadata'] {
  const beginning = name.slice(0, longestName - suffix.length - 1).replace(/[^a-z0-9]+$/, '');
  return {name: `${beginning}.${suffix}`, namespace: namespace || 'default'};
}

function referenceTo({apiVersion, kind, metadata}: EventSubject): object {
  const {namespace, name = '', uid, resourceVersion} = metadata;
  return {
    apiVersion,
    kind,
    name,
    ...(namespace ? {namespace} : {}),
    ...(uid ? {uid} : {}),
    ...(resourceVersion ? {resourceVersion} : {}),
  };
}

/** The longest beginning that is short enough, in whole characters. */
function cut(note: string): string {
  if (Buffer.byteLength(note) <= noteBytes) return note;
  return new TextDecoder().decode(Buffer.from(note).subarray(0, noteBytes), {stream: true});
}
