import type {AdmissionForm, AdmissionRequest, ApiObject, ResourceClient} from '../../../sdk/index.js';
import {EndpointDecisions} from '../admission-matching/endpoint-decisions.js';
import {FollowedObjects} from '../admission-matching/followed-objects.js';
import type {MatchedRequest} from '../admission-matching/request-matcher.js';
import type {Hook} from './hook.js';

/** A webhook that may have to be called for the requests of an endpoint. */
export interface Candidate {
  readonly hook: Hook;
  /** Position among all webhooks of its type, in call order. */
  readonly index: number;
  /** The form in which the webhook receives the object. */
  readonly form: AdmissionForm;
}

type Candidates = readonly Candidate[];
const none: Candidates = [];
const group = 'admissionregistration.orch';
const version = 'v1';

export interface FollowedConfigurations {
  readonly plural: string;
  /** Creates the webhooks of a configuration. */
  compile(configuration: ApiObject): readonly Hook[];
  failed(error: unknown): void;
}

/** The webhooks of all configurations of a type in call order: those of files first, then by the configuration's name, then in their order there. */
export class FollowedHooks {
  readonly #resources: ResourceClient;
  readonly #plural: string;
  readonly #configurations: FollowedObjects<readonly Hook[]>;
  #all: readonly Hook[] = [];
  /** From files: these come first. */
  #static: readonly Hook[] = [];
  readonly #decisions = new EndpointDecisions((request) => this.#find(request));

  constructor(resources: ResourceClient, {plural, compile, failed}: FollowedConfigurations) {
    this.#resources = resources;
    this.#plural = plural;
    const changed = () => this.#changed();
    this.#configurations = new FollowedObjects(resources, {ref: {group, version, resource: plural}, compile, changed, failed});
  }

  /** Puts the webhooks of files into force, in place of those before. */
  useStatic(hooks: readonly Hook[]): void {
    this.#static = hooks;
    this.#changed();
  }

  #changed(): void {
    this.#all = [...this.#static, ...this.#configurations.all.flat()];
    this.#decisions.clear();
  }

  /** Resolves when the existing configurations have been loaded; no request is served before that. */
  async start(): Promise<void> {
    // If `--runtime-config` has disabled the type, there can be no configurations.
    const isServed = this.#resources
      .resources()
      .some((type) => type.resource === this.#plural && type.version === version && type.group.startsWith('admissionregistration.'));
    if (isServed) await this.#configurations.start();
  }

  stop(): Promise<void> {
    return this.#configurations.stop();
  }

  /** The webhooks whose rules match a request. */
  for(request: AdmissionRequest): Candidates {
    return this.#all.length === 0 ? none : this.#decisions.of(request);
  }

  #find(request: MatchedRequest): Candidates {
    const found = this.#all.flatMap((hook, index): Candidate[] => {
      const form = hook.matcher.findForm(request);
      return form ? [{hook, index, form}] : [];
    });
    return found.length === 0 ? none : found;
  }
}
