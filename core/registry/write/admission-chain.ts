import {
  groupResourceText,
  internalError,
  StatusError,
  badRequest,
  type AdmissionController,
  type AdmissionOperation,
  type AdmissionOptions,
  type AdmissionRequest,
  type NamingProfile,
} from '../../../sdk/index.js';

/** An admission controller with its place in the chain, as the kernel delivers it. */
export interface AdmissionPlugin {
  readonly name: string;
  readonly options: AdmissionOptions;
  readonly instance: AdmissionController;
}

/** A request whose mutating half may run twice. */
interface RoundedRequest extends AdmissionRequest {
  /** Begins the second round if somebody asked for it. */
  beginNextRound(): boolean;
}

interface Link {
  readonly name: string;
  readonly instance: AdmissionController;
  readonly operations: ReadonlySet<AdmissionOperation>;
  readonly resources: ReadonlySet<string> | undefined;
  readonly hasSideEffects: boolean;
}

/**
 * All enabled admission controllers in their order. First every `admit`, later (when the object is final) every `validate`.
 * An exception that is no StatusError refuses the request with a 500: admission fails closed.
 */
export class AdmissionChain {
  readonly #links: readonly Link[];
  /** Links by operation and resource, found once. */
  readonly #routes = new Map<string, readonly Link[]>();

  /** @param plugins in the order in which they run */
  constructor(plugins: readonly AdmissionPlugin[], naming: NamingProfile) {
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
   * Runs the mutating half; once more if a controller asks for that. Answers whether any controller ran that may have changed the object.
   */
  async admit(request: RoundedRequest): Promise<boolean> {
    let mayHaveChanged = await this.#admitOnce(request);
    if (request.beginNextRound()) mayHaveChanged = (await this.#admitOnce(request)) || mayHaveChanged;
    return mayHaveChanged;
  }

  /** Runs the validating half; the first refusal in chain order is answered. */
  async validate(request: AdmissionRequest): Promise<void> {
    for (const link of this.#route(request)) {
      if (request.dryRun && link.hasSideEffects) throw sideEffects(link.name);
      if (!link.instance.validate) continue;
      try {
        const result = link.instance.validate(request);
        if (result !== undefined) await result;
      } catch (error) {
        throw refusal(error, link.name, request);
      }
    }
  }

  async #admitOnce(request: AdmissionRequest): Promise<boolean> {
    let mayHaveChanged = false;
    for (const link of this.#route(request)) {
      if (request.dryRun && link.hasSideEffects) throw sideEffects(link.name);
      if (!link.instance.admit) continue;
      try {
        const result = link.instance.admit(request);
        const outcome = result instanceof Promise ? await result : result;
        if (outcome !== false) mayHaveChanged = true;
      } catch (error) {
        throw refusal(error, link.name, request);
      }
    }
    return mayHaveChanged;
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

function refusal(error: unknown, name: string, request: AdmissionRequest): StatusError {
  if (StatusError.is(error)) return error;
  return internalError(`admission controller ${JSON.stringify(name)} failed on ${groupResourceText(request.resource)}`, {cause: error});
}
