import {
  groupResourceText,
  internalError,
  StatusError,
  badRequest,
  WebhookError,
  type AdmissionController,
  type AdmissionEvents,
  type AdmissionHalf,
  type AdmissionOperation,
  type AdmissionOptions,
  type AdmissionRequest,
  type DecidedBy,
  type NamingProfile,
} from '../../../sdk/index.js';
import {BoundedCache} from '../../api/cache/bounded-cache.js';
import type {RequestTrace} from '../../tracing/request-trace.js';
import {webhookStatus} from '../store-errors.js';
import {AdmissionTimes} from './admission-times.js';
import {isFrozenError} from '../../../sdk/objects/frozen-copy.js';

/** For how many operations on resources the controllers are kept once they are found, twice over. */
const routesKept = 2000;

/** An admission controller with its place in the chain, as provided by the kernel. */
export interface AdmissionPlugin {
  readonly name: string;
  readonly options: AdmissionOptions;
  readonly instance: AdmissionController;
  /** Whether `admit` or `validate` is an async function. */
  readonly isAsync?: boolean;
}

/** A write that may be traced. */
interface TimedRequest extends AdmissionRequest {
  readonly trace?: RequestTrace | undefined;
}

/** A request whose mutating half may run twice. */
interface RoundedRequest extends TimedRequest {
  /** Starts the second round if a controller asked for it. */
  beginNextRound(): boolean;
}

/** A request that can make an immutable copy of itself. */
interface FreezableRequest extends TimedRequest {
  frozen(): AdmissionRequest;
}

export interface AdmissionChainOptions {
  readonly events?: Pick<AdmissionEvents, 'listener'>;
  /**
   * Whether `validate` methods get frozen objects, so that a controller that modifies one fails and is named. Costs a copy of the object
   * for each write.
   */
  readonly strict?: boolean;
}

interface Link {
  readonly name: string;
  readonly instance: AdmissionController;
  readonly operations: ReadonlySet<AdmissionOperation>;
  readonly resources: ReadonlySet<string> | undefined;
  /** Whether dry runs are rejected. */
  hasSideEffects: boolean;
  /** Whether it has not declared its side effects: it is assumed to have some once it returns a promise. */
  readonly isSilent: boolean;
}

/** The controllers of an operation on a resource. */
interface Route {
  readonly links: readonly Link[];
  /** Those that have the last look at a new object. */
  readonly concluding: readonly Link[];
}

/**
 * All enabled admission controllers in their order. First every `admit`, later (when the object is final) every `validate`. An exception
 * other than a StatusError fails the request with a 500: admission fails closed.
 */
export class AdmissionChain {
  #installed: readonly Link[] | undefined;
  readonly #naming: NamingProfile;
  readonly #events: Pick<AdmissionEvents, 'listener'>;
  readonly #strict: boolean;
  /** By operation and resource. Types come and go. */
  readonly #routes = new BoundedCache((route) => this.#routeOf(route), routesKept);

  constructor(naming: NamingProfile, {events = {listener: undefined}, strict = false}: AdmissionChainOptions = {}) {
    this.#naming = naming;
    this.#events = events;
    this.#strict = strict;
  }

  /** Until then nothing can be written. @param plugins in the order in which they run */
  install(plugins: readonly AdmissionPlugin[]): void {
    const naming = this.#naming;
    this.#installed = plugins.map(({name, options, instance, isAsync = false}) => ({
      name,
      instance,
      operations: new Set(options.operations),
      resources: options.resources && new Set(options.resources.map((resource) => mapResource(resource, naming))),
      hasSideEffects: options.sideEffects === 'some' || (options.sideEffects === undefined && isAsync),
      isSilent: options.sideEffects === undefined,
    }));
  }

  get #links(): readonly Link[] {
    if (!this.#installed) throw internalError('objects can be written from start on, not in constructors');
    return this.#installed;
  }

  /** Names in the order in which they run. */
  get order(): readonly string[] {
    return this.#links.map((link) => link.name);
  }

  /**
   * Runs the mutating controllers, and again if one of them asks for it. Returns whether a controller ran that may have changed the object.
   * Throws StatusErrors only.
   */
  async admit(request: RoundedRequest): Promise<boolean> {
    const times = this.#times('admit', request);
    let mayHaveChanged = false;
    let name = '';
    try {
      do {
        for (const link of this.#route(request).links) {
          if (request.dryRun && link.hasSideEffects) throw sideEffects(link);
          if (!link.instance.admit) continue;
          ({name} = link);
          times?.begin(name);
          const result = link.instance.admit(request);
          if ((result instanceof Promise ? await this.#wait(result, link, request) : result) !== false) mayHaveChanged = true;
          times?.end(false);
        }
      } while (request.beginNextRound());
    } catch (error) {
      times?.fail(StatusError.is(error) ? error.message : undefined);
      throw refusal(error, name, request);
    }
    times?.endStep(false);
    return mayHaveChanged;
  }

  /** Runs the validating controllers; the first rejection in chain order is the answer. Throws StatusErrors only. */
  async validate(request: FreezableRequest): Promise<void> {
    const times = this.#times('validate', request);
    let shown: AdmissionRequest | undefined = this.#strict ? undefined : request;
    let name = '';
    try {
      for (const link of this.#route(request).links) {
        if (request.dryRun && link.hasSideEffects) throw sideEffects(link);
        if (!link.instance.validate) continue;
        ({name} = link);
        shown ??= request.frozen();
        times?.begin(name);
        const result = link.instance.validate(shown);
        if (result instanceof Promise) await this.#wait(result, link, request);
        times?.end(false);
      }
    } catch (error) {
      times?.fail(StatusError.is(error) ? error.message : undefined);
      throw isFrozenError(error) ? meddling(error, name, request) : refusal(error, name, request);
    }
    times?.endStep(false);
  }

  /** Waits for a controller. One without declared side effects may have any, so dry runs are rejected from now on. */
  async #wait<T>(result: Promise<T>, link: Link, {dryRun}: AdmissionRequest): Promise<T> {
    const value = await result;
    if (!link.isSilent) return value;
    link.hasSideEffects = true;
    if (dryRun) throw sideEffects(link);
    return value;
  }

  /** The final check of a new object. Returns the other object that the decision depends on, if any. Throws StatusErrors only. */
  conclude(request: FreezableRequest): DecidedBy | undefined | Promise<DecidedBy | undefined> {
    const {concluding} = this.#route(request);
    return concluding.length === 0 ? undefined : this.#concludeBy(concluding, request);
  }

  async #concludeBy(links: readonly Link[], request: FreezableRequest): Promise<DecidedBy | undefined> {
    let decidedBy: DecidedBy | undefined;
    for (const {name, instance} of links) {
      try {
        const result = instance.conclude!(this.#strict ? request.frozen() : request);
        decidedBy ??= result instanceof Promise ? await result : result;
      } catch (error) {
        throw refusal(error, name, request);
      }
    }
    return decidedBy;
  }

  /** Undefined if durations are neither traced, measured nor reported. */
  #times(type: AdmissionHalf, request: TimedRequest): AdmissionTimes | undefined {
    const {listener} = this.#events;
    const {trace, noteVerdict} = request;
    return listener || trace || noteVerdict ? new AdmissionTimes(listener, trace, type, request) : undefined;
  }

  #route({operation, resource: {group, resource}, subresource}: AdmissionRequest): Route {
    return this.#routes.get(`${operation} ${group} ${resource} ${subresource}`);
  }

  #routeOf(route: string): Route {
    const [operation, group = '', resource = '', subresource] = route.split(' ');
    const text = groupResourceText({group, resource: subresource ? `${resource}/${subresource}` : resource});
    const links = this.#links.filter(
      (link) => link.operations.has(operation as AdmissionOperation) && (!link.resources || link.resources.has(text)),
    );
    return {links, concluding: links.filter(({instance}) => instance.conclude)};
  }
}

function mapResource(resource: string, naming: NamingProfile): string {
  const dot = resource.indexOf('.');
  return dot < 0 ? resource : `${resource.slice(0, dot)}.${naming.group(resource.slice(dot + 1))}`;
}

function sideEffects({name, isSilent}: Link): StatusError {
  const what = isSilent ? 'may have side effects (it does not say `sideEffects`)' : 'has side effects';
  return badRequest(`admission controller ${JSON.stringify(name)} ${what} and does not support dry run`);
}

/** The error for a controller that modifies a frozen object. */
function meddling(error: TypeError, name: string, request: AdmissionRequest): StatusError {
  const text = `admission controller ${JSON.stringify(name)} changes ${groupResourceText(request.resource)} in validate, which only admit may`;
  return internalError(`${text}: ${error.message}`, {cause: error});
}

function refusal(error: unknown, name: string, request: AdmissionRequest): StatusError {
  if (StatusError.is(error)) return error;
  const place = `admission controller ${JSON.stringify(name)} failed on ${groupResourceText(request.resource)}`;
  return WebhookError.is(error) ? webhookStatus(error, place) : internalError(place, {cause: error});
}
