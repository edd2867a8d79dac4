import {
  groupResourceText,
  internalError,
  StatusError,
  badRequest,
  type AdmissionController,
  type AdmissionEvents,
  type AdmissionHalf,
  type AdmissionOperation,
  type AdmissionOptions,
  type AdmissionRequest,
  type NamingProfile,
} from '../../../sdk/index.js';
import {isFrozenError} from './frozen-copy.js';

/** An admission controller with its place in the chain, as provided by the kernel. */
export interface AdmissionPlugin {
  readonly name: string;
  readonly options: AdmissionOptions;
  readonly instance: AdmissionController;
}

/** A request whose mutating half may run twice. */
interface RoundedRequest extends AdmissionRequest {
  /** Starts the second round if a controller asked for it. */
  beginNextRound(): boolean;
}

/** A request that can make an immutable copy of itself. */
interface FreezableRequest extends AdmissionRequest {
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
  readonly hasSideEffects: boolean;
}

/**
 * All enabled admission controllers in their order. First every `admit`, later (when the object is final) every `validate`. An exception
 * other than a StatusError fails the request with a 500: admission fails closed.
 */
export class AdmissionChain {
  readonly #links: readonly Link[];
  readonly #events: Pick<AdmissionEvents, 'listener'>;
  readonly #strict: boolean;
  /** Links by operation and resource, found once. */
  readonly #routes = new Map<string, readonly Link[]>();

  /** @param plugins in the order in which they run */
  constructor(
    plugins: readonly AdmissionPlugin[],
    naming: NamingProfile,
    {events = {listener: undefined}, strict = false}: AdmissionChainOptions = {},
  ) {
    this.#events = events;
    this.#strict = strict;
    this.#links = plugins.map(({name, options, instance}) => ({
      name,
      instance,
      operations: new Set(options.operations),
      resources: options.resources && new Set(options.resources.map((resource) => mapResource(resource, naming))),
      hasSideEffects: options.sideEffects === 'some',
    }));
  }

  /** Names in the order in which they run. */
  get order(): readonly string[] {
    return this.#links.map((link) => link.name);
  }

  /**
   * Runs the mutating controllers, and once more if one of them asks for it. Returns whether any controller ran that may have changed the
   * object.
   */
  async admit(request: RoundedRequest): Promise<boolean> {
    return this.#step('admit', request, async () => {
      let mayHaveChanged = await this.#admitOnce(request);
      if (request.beginNextRound()) mayHaveChanged = (await this.#admitOnce(request)) || mayHaveChanged;
      return mayHaveChanged;
    });
  }

  /** Runs the validating controllers; the first rejection in chain order is the answer. */
  async validate(request: FreezableRequest): Promise<void> {
    return this.#step('validate', request, async () => {
      let shown: AdmissionRequest | undefined = this.#strict ? undefined : request;
      for (const link of this.#route(request)) {
        if (request.dryRun && link.hasSideEffects) throw sideEffects(link.name);
        if (!link.instance.validate) continue;
        const result = this.#call(link, 'validate', (shown ??= request.frozen()));
        if (result !== undefined) await result;
      }
    });
  }

  async #admitOnce(request: AdmissionRequest): Promise<boolean> {
    let mayHaveChanged = false;
    for (const link of this.#route(request)) {
      if (request.dryRun && link.hasSideEffects) throw sideEffects(link.name);
      if (!link.instance.admit) continue;
      const result = this.#call(link, 'admit', request);
      if ((result instanceof Promise ? await result : result) !== false) mayHaveChanged = true;
    }
    return mayHaveChanged;
  }

  /** Calls a controller. Throws, or rejects with, a StatusError */
  #call(link: Link, type: AdmissionHalf, request: AdmissionRequest): void | false | Promise<void | false> {
    const done = this.#measured(type, request, link.name);
    const failed = (error: unknown): never => {
      done?.(true);
      throw type === 'validate' && isFrozenError(error) ? meddling(error, link.name, request) : refusal(error, link.name, request);
    };
    try {
      const result = link.instance[type]!(request);
      if (!(result instanceof Promise)) {
        done?.(false);
        return result;
      }
      return result.then((outcome) => (done?.(false), outcome), failed);
    } catch (error) {
      return failed(error);
    }
  }

  async #step<T>(type: AdmissionHalf, request: AdmissionRequest, work: () => Promise<T>): Promise<T> {
    const done = this.#measured(type, request);
    if (!done) return work();
    try {
      const outcome = await work();
      done(false);
      return outcome;
    } catch (error) {
      done(true);
      throw error;
    }
  }

  /** Reports how long a controller took, or without a name how long all of them took; undefined if nobody listens. */
  #measured(type: AdmissionHalf, {operation}: AdmissionRequest, name?: string): ((rejected: boolean) => void) | undefined {
    const {listener} = this.#events;
    if (!listener) return undefined;
    const began = performance.now();
    return (rejected) => {
      const timing = {type, operation, rejected, seconds: (performance.now() - began) / 1000};
      if (name === undefined) listener.stepDone?.(timing);
      else listener.controllerDone?.({...timing, name});
    };
  }

  #route(request: AdmissionRequest): readonly Link[] {
    return this.#find(request.operation, request.resource.group, request.resource.resource, request.subresource);
  }

  #find(operation: AdmissionOperation, group: string, resource: string, subresource: string): readonly Link[] {
    const key = `${operation} ${group}/${resource}/${subresource}`;
    let links = this.#routes.get(key);
    if (!links) {
      const text = groupResourceText({group, resource: subresource ? `${resource}/${subresource}` : resource});
      links = this.#links.filter((link) => link.operations.has(operation) && (!link.resources || link.resources.has(text)));
      this.#routes.set(key, links);
    }
    return links;
  }
}

function mapResource(resource: string, naming: NamingProfile): string {
  const dot = resource.indexOf('.');
  return dot < 0 ? resource : `${resource.slice(0, dot)}.${naming.group(resource.slice(dot + 1))}`;
}

function sideEffects(name: string): StatusError {
  return badRequest(`admission controller ${JSON.stringify(name)} has side effects and does not support dry run`);
}

/** The error for a controller that modifies a frozen object. */
function meddling(error: TypeError, name: string, request: AdmissionRequest): StatusError {
  const text = `admission controller ${JSON.stringify(name)} changes ${groupResourceText(request.resource)} in validate, which only admit may`;
  return internalError(`${text}: ${error.message}`, {cause: error});
}

function refusal(error: unknown, name: string, request: AdmissionRequest): StatusError {
  if (StatusError.is(error)) return error;
  return internalError(`admission controller ${JSON.stringify(name)} failed on ${groupResourceText(request.resource)}`, {cause: error});
}
