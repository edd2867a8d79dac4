import type {AdmissionForm, AdmissionOperation, AdmissionRequest, ApiObject, ResourceClient} from '../../../sdk/index.js';
import {followObjects} from '../../../sdk/controllers/index.js';
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

export interface FollowedType {
  readonly plural: string;
  /** Creates the webhooks of a configuration. */
  compile(configuration: ApiObject): readonly Hook[];
  failed(error: unknown): void;
}

/**
 * The webhooks of all configurations of a type in call order: by the configuration's name, then in their order there. A change is processed
 * when it arrives, and compiled once. The candidates for an endpoint are determined once.
 */
export class FollowedHooks {
  readonly #byConfiguration = new Map<string, readonly Hook[]>();
  readonly #ended = new AbortController();
  #all: readonly Hook[] = [];
  #decisions = new WeakMap<AdmissionRequest['forms'], Map<AdmissionOperation, Candidates>>();
  #following: Promise<void> = Promise.resolve();

  readonly #resources: ResourceClient;
  readonly #type: FollowedType;

  constructor(resources: ResourceClient, type: FollowedType) {
    this.#resources = resources;
    this.#type = type;
  }

  /** Resolves when the existing configurations have been loaded; no request is served before that. */
  async start(): Promise<void> {
    const ref = {group: 'admissionregistration.orch', version: 'v1', resource: this.#type.plural};
    // If `--runtime-config` has disabled the type, there can be no configurations.
    const isServed = this.#resources
      .resources()
      .some(({resource, version, group}) => resource === ref.resource && version === 'v1' && group.startsWith('admissionregistration.'));
    if (!isServed) return;
    await new Promise<void>((resolve) => {
      const follower = {
        listed: (objects: readonly ApiObject[]) => {
          this.#keepOnly(new Set(objects.map(({metadata}) => metadata.name!)));
          resolve();
        },
        changed: (object: ApiObject) => this.#set(object),
        deleted: ({metadata}: ApiObject) =>
          this.#keepOnly(new Set([...this.#byConfiguration.keys()].filter((name) => name !== metadata.name))),
        failed: (error: unknown) => this.#type.failed(error),
      };
      this.#following = followObjects(this.#resources, ref, follower, this.#ended.signal);
    });
  }

  async stop(): Promise<void> {
    this.#ended.abort();
    await this.#following;
  }

  /** The webhooks whose rules match a request. */
  for(request: AdmissionRequest): Candidates {
    if (this.#all.length === 0) return none;
    const {forms, operation} = request;
    let byOperation = this.#decisions.get(forms);
    if (!byOperation) this.#decisions.set(forms, (byOperation = new Map()));
    let found = byOperation.get(operation);
    if (!found) byOperation.set(operation, (found = this.#find(request)));
    return found;
  }

  #find(request: AdmissionRequest): Candidates {
    const found = this.#all.flatMap((hook, index): Candidate[] => {
      const form = hook.matcher.findForm(request);
      return form ? [{hook, index, form}] : [];
    });
    return found.length === 0 ? none : found;
  }

  #set(object: ApiObject): void {
    this.#byConfiguration.set(object.metadata.name!, this.#type.compile(object));
    this.#changed();
  }

  #keepOnly(names: ReadonlySet<string>): void {
    for (const name of this.#byConfiguration.keys()) if (!names.has(name)) this.#byConfiguration.delete(name);
    this.#changed();
  }

  #changed(): void {
    this.#all = [...this.#byConfiguration].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, hooks]) => hooks);
    this.#decisions = new WeakMap();
  }
}
