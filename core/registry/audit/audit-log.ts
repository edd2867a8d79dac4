import {LossLog, type AuditEvent, type AuditLevel, type AuditSink, type Logger, type NamingProfile} from '../../../sdk/index.js';
import type {AuditFacts, AuditNames} from './audit-event.js';
import type {AuditAttributes, AuditPolicy} from './audit-policy.js';
import {AuditRecord, objectReference, type AuditedCircumstances, type EventStore} from './audit-record.js';

/** Maximum milliseconds that a request waits for a sink. */
const longestWaitMillis = 30_000;
/** Milliseconds that sinks have for remaining events when the server stops. */
const closeMillis = 10_000;
/** Maximum events of one sink that requests may wait for. */
const maximumPending = 10_000;

/** A sink with its name, as provided by the kernel. */
export interface NamedSink {
  readonly name: string;
  readonly instance: AuditSink;
}

export interface AuditLogOptions {
  readonly policy: AuditPolicy;
  readonly naming: NamingProfile;
  readonly logger: Logger;
}

/** Counts of recorded and lost events. */
export interface AuditFigures {
  readonly events: number;
  /** Requests by the level that the policy chose. */
  readonly levels: ReadonlyMap<AuditLevel, number>;
  /** Requests rejected because a strict sink could not record them. */
  readonly refused: number;
  /** Lost events by sink. */
  readonly lost: ReadonlyMap<string, number>;
}

/** Records requests: applies the policy once to each, and passes events to all sinks. */
export class AuditLog implements EventStore {
  readonly names: AuditNames;
  readonly #policy: AuditPolicy;
  #sinks: readonly Outlet[] = [];
  #listener: ((event: AuditEvent) => void) | undefined;
  readonly #logger: Logger;
  readonly #levels = new Map<AuditLevel, number>();
  #events = 0;
  #refused = 0;

  constructor({policy, naming, logger}: AuditLogOptions) {
    this.#policy = policy;
    this.#logger = logger;
    this.names = {
      apiVersion: `${naming.group('audit.orch')}/v1`,
      truncated: naming.key('audit.orch/truncated'),
    };
  }

  /** Begins to record. @param listener gets every event, as the sinks do */
  install(sinks: readonly NamedSink[], listener?: (event: AuditEvent) => void): void {
    this.#listener = listener;
    this.#sinks = sinks.map((sink) => new Outlet(sink, this.#logger));
  }

  /** Whether there is a sink. */
  get isRecording(): boolean {
    return this.#sinks.length > 0;
  }

  get figures(): AuditFigures {
    const lost = new Map(this.#sinks.map((sink) => [sink.name, sink.lost]));
    return {events: this.#events, levels: this.#levels, refused: this.#refused, lost};
  }

  /**
   * The record of a request; undefined if the policy requires none. @param facts created only if there is a record @param version API
   * version, for the object reference
   */
  begin(
    attributes: AuditAttributes,
    facts: () => Omit<AuditFacts, 'user' | 'verb'>,
    version: string,
    circumstances: AuditedCircumstances,
  ): AuditRecord | undefined {
    const decision = this.#policy.decide(attributes);
    const level = decision?.level ?? 'None';
    this.#levels.set(level, (this.#levels.get(level) ?? 0) + 1);
    if (!decision) return undefined;
    const {user, verb, isResourceRequest, group, resource, subresource, namespace, name} = attributes;
    const target = isResourceRequest
      ? objectReference({resource, namespace, name, apiGroup: group, apiVersion: version, subresource})
      : undefined;
    return new AuditRecord(this, decision, {...facts(), user, verb}, target, circumstances);
  }

  /**
   * Passes an event to all sinks.
   *
   * @param isDecisive whether strict sinks decide about the request
   * @returns whether the request may continue; a promise if it waits for a sink
   */
  store(event: AuditEvent, isDecisive: boolean): boolean | Promise<boolean> {
    this.#events += 1;
    this.#listener?.(event);
    let mayGoOn = true;
    let waiting: Promise<boolean>[] | undefined;
    for (const sink of this.#sinks) {
      const stored = sink.write(event);
      if (stored instanceof Promise) (waiting ??= []).push(sink.isStrict && isDecisive ? stored : stored.then(() => true));
      else if (!stored && sink.isStrict && isDecisive) mayGoOn = false;
    }
    if (!waiting) return this.#allowed(mayGoOn);
    return Promise.all(waiting).then((all) => this.#allowed(mayGoOn && all.every(Boolean)));
  }

  #allowed(mayGoOn: boolean): boolean {
    if (!mayGoOn) this.#refused += 1;
    return mayGoOn;
  }

  /** Lets all sinks record remaining events, within 10 seconds. */
  async close(): Promise<void> {
    await Promise.all(this.#sinks.map((sink) => sink.close()));
  }
}

/** Closes sinks that get no events because there is no policy, within 10 seconds. */
export async function closeUnused(sinks: readonly NamedSink[], logger: Logger): Promise<void> {
  await Promise.all(sinks.map((sink) => new Outlet(sink, logger).close()));
}

/** One sink with its pending and lost events. */
class Outlet {
  readonly isStrict: boolean;
  readonly name: string;
  readonly #sink: AuditSink;
  readonly #logger: Logger;
  readonly #losses: LossLog;
  #pending = 0;
  /** A request has waited in vain, and nothing has been recorded since. */
  #isStuck = false;

  constructor({name, instance}: NamedSink, logger: Logger) {
    this.name = name;
    this.#sink = instance;
    this.#logger = logger;
    const messages = {lost: 'audit events are lost', again: 'audit events are recorded again'};
    this.#losses = new LossLog({logger, fields: {sink: name}, ...messages});
    this.isStrict = instance.strict === true;
  }

  get lost(): number {
    return this.#losses.total + (this.#sink.lost ?? 0);
  }

  /** Returns whether the sink has the event, immediately or later. */
  write(event: AuditEvent): boolean | Promise<boolean> {
    if (this.#pending >= maximumPending) return this.#failed(new Error(`${maximumPending} events wait to be recorded`));
    try {
      const written = this.#sink.write(event);
      if (!written) return this.#worked();
      this.#pending += 1;
      const outcome = written.then(
        () => this.#settled(() => this.#worked()),
        (error: unknown) => this.#settled(() => this.#failed(error)),
      );
      return this.#isStuck ? !this.isStrict : this.#wait(outcome);
    } catch (error) {
      return this.#failed(error);
    }
  }

  async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`it took more than ${closeMillis / 1000} s`)), closeMillis);
    });
    try {
      await Promise.race([Promise.resolve(this.#sink.close?.()), late]);
    } catch (error) {
      this.#logger.error({sink: this.name, err: error}, 'an audit sink could not record everything before the server stopped');
    } finally {
      clearTimeout(timer);
      this.#losses.close();
    }
    if (this.lost > 0) this.#logger.warn({sink: this.name, lost: this.lost}, 'audit events were lost while the server ran');
  }

  #wait(outcome: Promise<boolean>): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#isStuck = true;
        resolve(!this.isStrict);
      }, longestWaitMillis);
      void outcome.then((stored) => {
        clearTimeout(timer);
        resolve(stored);
      });
    });
  }

  #settled(then: () => boolean): boolean {
    this.#pending -= 1;
    this.#isStuck = false;
    return then();
  }

  #worked(): true {
    this.#losses.worked();
    return true;
  }

  #failed(error: unknown): false {
    this.#losses.lost(error);
    return false;
  }
}
