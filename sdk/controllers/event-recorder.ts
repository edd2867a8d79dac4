import {randomBytes} from 'node:crypto';
import {hostname} from 'node:os';
import type {Logger} from '../contracts/logger.js';
import type {ResourceClient} from '../contracts/resource-client.js';
import {ifFound, unlessExists} from '../errors/outcomes.js';
import {StatusError} from '../errors/status-error.js';
import type {ApiObject} from '../objects/api-object.js';
import {microTime} from '../values/micro-time.js';
import type {Clock} from '../contracts/clock.js';
import {systemClock} from '../values/system-clock.js';
import {TokenBucket} from './token-bucket.js';
import {WorkQueue, type WorkResult} from './work-queue.js';

/** The contents of an event about an object. */
export interface ObjectEvent {
  readonly type: 'Normal' | 'Warning';
  /** Why, in one word. */
  readonly reason: string;
  /** What was being done, or what failed. */
  readonly action: string;
  /** For people; cut after 1,024 bytes. */
  readonly note: string;
}

export interface EventRecorderOptions {
  readonly resources: Pick<ResourceClient, 'create' | 'patch' | 'clock' | 'scheduler'>;
  readonly logger: Logger;
  /** The reporting controller: a qualified name such as `rooms.example.com/reminder`. */
  readonly controller: string;
  /** Which of several; the name of the host by default. */
  readonly instance?: string;
  /** That of `resources` by default. */
  readonly clock?: Clock;
}

type About = Pick<ApiObject, 'apiVersion' | 'kind' | 'metadata'>;

/** One Event object, and how often it has happened. */
interface Series {
  readonly event: ApiObject;
  count: number;
  lastAt: number;
  isCreated: boolean;
  failures: number;
}

/** Events of an object that differ in nothing but their notes. */
interface Similar {
  lastAt: number;
  readonly byNote: Map<string, Series>;
  combined?: Series;
}

interface Subject {
  readonly bucket: TokenBucket;
  readonly similar: Map<string, Similar>;
}

const events = {group: 'events.orch', version: 'v1', resource: 'events'};
const combinedPrefix = '(combined from similar events): ';

/** As in Kubernetes' clients: similar events within this time are combined, and events of an object are limited by a token bucket. */
const similarMillis = 600_000;
const mostNotes = 10;
const burst = 25;
const perSecond = 1 / 300;

const mostSubjects = 1000;
const mostPending = 1000;
const mostFailures = 12;
const noteBytes = 1024;
const longestName = 253;

/**
 * Writes Events (`events.k8s.io/v1` by its name in Kubernetes) about objects. Repetitions are counted in the `series` of one Event, many similar ones are combined into one, and an
 * object that has too many gets no more. Never throws and never waits: what cannot be written is dropped, and counted in `lost`.
 */
export class EventRecorder {
  /** Events that were not written: too many about one object, too many at once, or refused. */
  lost = 0;
  /** By object, the one that was used last at the end. */
  readonly #subjects = new Map<string, Subject>();
  readonly #pending = new Map<string, Series>();
  readonly #queue: WorkQueue;
  readonly #options: EventRecorderOptions;
  readonly #clock: Clock;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#clock = options.clock ?? options.resources.clock ?? systemClock;
    this.#queue = new WorkQueue((name) => this.#write(name), {
      clock: this.#clock,
      scheduler: options.resources.scheduler,
      concurrency: 2,
      retries: {initialMillis: 200, maximumMillis: 10_000},
      onError: (name, err) => options.logger.debug({event: name, err}, 'an event could not be written; retrying'),
    });
  }

  /** @param object with `apiVersion`, `kind` and metadata, as clients return it */
  record(object: About, event: ObjectEvent): void {
    const series = this.#seriesOf(object, event);
    if (!series) return;
    const {name} = series.event.metadata;
    if (!this.#pending.has(name!) && this.#pending.size >= mostPending) {
      this.lost += 1;
      return;
    }
    this.#pending.set(name!, series);
    this.#queue.add(name!);
  }

  /** Drops events that are not written yet. Resolves when no write is in progress. */
  async close(): Promise<void> {
    await this.#queue.close();
    this.#pending.clear();
    this.#subjects.clear();
  }

  /** The Event that counts this one, with its count. */
  #seriesOf(object: About, event: ObjectEvent): Series | undefined {
    const now = this.#clock.now();
    const {namespace = '', name = '', uid = ''} = object.metadata;
    const subject = this.#subject([object.apiVersion, object.kind, namespace, name, uid].join('\n'));
    if (subject.bucket.take() > 0) {
      this.lost += 1;
      return undefined;
    }
    for (const [key, {lastAt}] of subject.similar) if (now - lastAt > similarMillis) subject.similar.delete(key);
    const key = [event.type, event.reason, event.action].join('\n');
    let similar = subject.similar.get(key);
    if (!similar) subject.similar.set(key, (similar = {lastAt: now, byNote: new Map()}));
    similar.lastAt = now;
    const known = similar.byNote.get(event.note);
    if (known) return again(known, now);
    if (similar.byNote.size < mostNotes) {
      const made = this.#make(object, event, now);
      similar.byNote.set(event.note, made);
      return made;
    }
    if (similar.combined) return again(similar.combined, now);
    return (similar.combined = this.#make(object, {...event, note: `${combinedPrefix}${event.note}`}, now));
  }

  #subject(key: string): Subject {
    const known = this.#subjects.get(key);
    const now = () => this.#clock.now();
    const subject = known ?? {bucket: new TokenBucket(perSecond, burst, now), similar: new Map<string, Similar>()};
    this.#subjects.delete(key);
    this.#subjects.set(key, subject);
    if (this.#subjects.size > mostSubjects) this.#subjects.delete(this.#subjects.keys().next().value!);
    return subject;
  }

  #make(object: About, {type, reason, action, note}: ObjectEvent, now: number): Series {
    const {apiVersion, kind, metadata} = object;
    const {namespace, name = '', uid, resourceVersion} = metadata;
    const regarding = {
      apiVersion,
      kind,
      name,
      ...(namespace ? {namespace} : {}),
      ...(uid ? {uid} : {}),
      ...(resourceVersion ? {resourceVersion} : {}),
    };
    const suffix = `.${randomBytes(8).toString('hex')}`;
    const beginning = name.slice(0, longestName - suffix.length).replace(/[^a-z0-9]+$/, '');
    const event = {
      metadata: {name: `${beginning}${suffix}`, namespace: namespace || 'default'},
      eventTime: microTime(now),
      reportingController: this.#options.controller,
      reportingInstance: (this.#options.instance ?? hostname()).slice(0, 128),
      type,
      reason,
      action,
      note: cut(note),
      regarding,
    };
    return {event, count: 1, lastAt: now, isCreated: false, failures: 0};
  }

  async #write(name: string): Promise<WorkResult> {
    const series = this.#pending.get(name);
    if (!series) return {done: true};
    const {event, count} = series;
    try {
      await this.#send(series);
      series.failures = 0;
      // Later occurrences have been queued again.
      if (series.count === count) this.#pending.delete(name);
    } catch (error) {
      series.failures += 1;
      const isFinal = StatusError.is(error) && error.code < 500 && ![409, 429].includes(error.code);
      if (!isFinal && series.failures < mostFailures) throw error;
      this.lost += 1;
      this.#pending.delete(name);
      this.#options.logger.debug({event: name, reason: event['reason'], err: error}, 'an event is lost');
    }
    return {done: true};
  }

  async #send(of: Series): Promise<void> {
    const {resources} = this.#options;
    const {event, count, lastAt} = of;
    const {name = '', namespace = ''} = event.metadata;
    const series = count > 1 ? {series: {count, lastObservedTime: microTime(lastAt)}} : {};
    // Events are removed after a while.
    if (of.isCreated && (await ifFound(resources.patch(events, namespace, name, series)))) return;
    // It exists if an earlier attempt got through.
    await unlessExists(resources.create(events, namespace, {...event, ...series}));
    of.isCreated = true;
  }
}

function again(series: Series, now: number): Series {
  series.count += 1;
  series.lastAt = now;
  return series;
}

/** The longest beginning that is short enough, in whole characters. */
function cut(note: string): string {
  if (Buffer.byteLength(note) <= noteBytes) return note;
  return new TextDecoder().decode(Buffer.from(note).subarray(0, noteBytes), {stream: true});
}
