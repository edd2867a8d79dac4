import type {AdmissionForm, AdmissionRequest, ApiObject, ResourceClient} from '../../../sdk/index.js';
import {EndpointDecisions} from '../admission-matching/endpoint-decisions.js';
import {FollowedObjects} from '../admission-matching/followed-objects.js';
import type {MatchedRequest} from '../admission-matching/request-matcher.js';
import type {Hook} from './hook.js';

/** A webhook that may have to be called for the requests of an endpoint. */
export interface Candidate {
  readonly hook: Hook;
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
  /** How many webhooks come before those of each configuration; undefined where nobody has asked since the last change. */
  #before: ReadonlyMap<string, number> | undefined;
  /** From files: these come first. */
  #static: readonly Hook[] = [];
  readonly #decisions = new EndpointDecisions<Candidates, Candidates>({
    names: () => this.#configurations.all.names,
    decide: (name, request) => someOf(candidatesOf(this.#configurations.all.get(name) ?? [], request)),
    join: (found, request) => someOf([...candidatesOf(this.#static, request), ...found.flat()]) ?? none,
  });

  constructor(resources: ResourceClient, {plural, compile, failed}: FollowedConfigurations) {
    this.#resources = resources;
    this.#plural = plural;
    const changed = (name: string) => {
      this.#before = undefined;
      this.#decisions.changed(name);
    };
    this.#configurations = new FollowedObjects(resources, {ref: {group, version, resource: plural}, compile, changed, failed});
  }

  /** Puts the webhooks of files into force, in place of those before. */
  useStatic(hooks: readonly Hook[]): void {
    this.#static = hooks;
    this.#before = undefined;
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
    return this.#static.length === 0 && this.#configurations.all.size === 0 ? none : this.#decisions.of(request);
  }

  /** Position of a webhook among all of its type, in call order. */
  positionOf(hook: Hook): number {
    const place = this.#static.indexOf(hook);
    if (place >= 0) return place;
    const {configuration} = hook;
    const before = (this.#before ??= this.#countBefore()).get(configuration) ?? 0;
    return before + Math.max(0, this.#configurations.all.get(configuration)?.indexOf(hook) ?? 0);
  }

  #countBefore(): ReadonlyMap<string, number> {
    const before = new Map<string, number>();
    let count = this.#static.length;
    const {names, values} = this.#configurations.all;
    for (const [at, name] of names.entries()) {
      before.set(name, count);
      count += values[at]!.length;
    }
    return before;
  }
}

function candidatesOf(hooks: readonly Hook[], request: MatchedRequest): Candidate[] {
  return hooks.flatMap((hook): Candidate[] => {
    const form = hook.matcher.findForm(request);
    return form ? [{hook, form}] : [];
  });
}

function someOf(candidates: Candidates): Candidates | undefined {
  return candidates.length === 0 ? undefined : candidates;
}
