import type {Logger} from '../contracts/logger.js';
import type {ResourceClient} from '../contracts/resource-client.js';
import {ifFound, unlessExists} from '../errors/outcomes.js';
import {StatusError} from '../errors/status-error.js';
import type {ApiObject} from '../objects/api-object.js';
import type {Clock} from '../contracts/clock.js';
import {systemClock} from '../values/system-clock.js';
import {coreEvents, currentEvents, type EventForm, type EventSubject, type ObjectEvent} from './event-forms.js';
import {TokenBucket} from './token-bucket.js';
import {WorkQueue, type WorkResult} from './work-queue.js';

export interface EventRecorderOptions {
  readonly resources: Pick<ResourceClient, 'create' | 'patch' | 'clock' | 'scheduler'>;
  readonly logger: Logger;
  /** The reporting controller: a qualified name such as `rooms.example.com/reminder`. */
  readonly controller: string;
  /** Which of several; the name of the host by default. Core events do not say. */
  readonly instance?: string;
  /**
   * `core`: writes Events of the core group with a `count`, as the controllers of Kubernetes do, and `controller` is their `source.component`. By default of `events.k8s.io/v1`.
   */
  readonly form?: 'core';
  /** That of `resources` by default. */
  readonly clock?: Clock;
}

/** One Event object, and how often it has happened. */
interface Series {
  readonly event: ApiObject;
  count: number;
  lastAt: number;
  /** That of the last time. */
  note: string;
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

const combinedPrefix = '(combined from similar events): ';

/** As in Kubernetes' clients: similar events within this time are combined, and events of an object are limited by a token bucket. */
const similarMillis = 600_000;
const burst = 25;
const perSecond = 1 / 300;

const mostSubjects = 1000;
/** Events that wait to be written: about a kilobyte each. */
const mostPending = 10_000;
const mostFailures = 12;

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
  readonly #form: EventForm;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    const {controller, instance, form} = options;
    this.#form = form === 'core' ? coreEvents(controller) : currentEvents(controller, instance);
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
  record(object: EventSubject, event: ObjectEvent): void {
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
  #seriesOf(object: EventSubject, event: ObjectEvent): Series | undefined {
    const now = this.#clock.now();
    const {namespace = '', name = '', uid = ''} = object.metadata;
    const subject = this.#subject([object.apiVersion, object.kind, namespace, name, uid].join('\n'));
    if (subject.bucket.take() > 0) {
      this.lost += 1;
      return undefined;
    }
    for (const [key, {lastAt}] of subject.similar) if (now - lastAt > similarMillis) subject.similar.delete(key);
    const key = [event.type, event.reason, event.action ?? '', event.fieldPath ?? ''].join('\n');
    let similar = subject.similar.get(key);
    if (!similar) subject.similar.set(key, (similar = {lastAt: now, byNote: new Map()}));
    similar.lastAt = now;
    const known = similar.byNote.get(event.note);
    if (known) return again(known, now, event.note);
    if (similar.byNote.size < this.#form.mostNotes) {
      const made = this.#make(object, event, now, false);
      similar.byNote.set(event.note, made);
      return made;
    }
    const note = `${combinedPrefix}${event.note}`;
    if (similar.combined) return again(similar.combined, now, note);
    return (similar.combined = this.#make(object, {...event, note}, now, true));
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

  #make(object: EventSubject, event: ObjectEvent, now: number, isCombined: boolean): Series {
    return {event: this.#form.make(object, event, now, isCombined), count: 1, lastAt: now, note: event.note, isCreated: false, failures: 0};
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
    const {event} = of;
    const {name = '', namespace = ''} = event.metadata;
    const counted = this.#form.counted(of);
    // Events are removed after a while.
    if (of.isCreated && (await ifFound(resources.patch(this.#form.ref, namespace, name, counted)))) return;
    // It exists if an earlier attempt got through.
    await unlessExists(resources.create(this.#form.ref, namespace, {...event, ...counted}));
    of.isCreated = true;
  }
}

function again(series: Series, now: number, note: string): Series {
  series.count += 1;
  series.lastAt = now;
  series.note = note;
  return series;
}
