import type {
  AdmissionForm,
  AdmissionOperation,
  AdmissionRequest,
  ApiObject,
  Expressions,
  NamingProfile,
  ResourceClient,
} from '../../../sdk/index.js';
import {followObjects} from '../../../sdk/controllers/index.js';
import {bindingOf, type Binding, type BindingObject} from './binding.js';
import {Policy, type PolicyObject} from './policy.js';
import {PolicyScopes} from '../../families/admission-policies/policy-scopes.js';

const group = 'admissionregistration.orch';
const version = 'v1alpha1';
const policiesPlural = 'validatingadmissionpolicies';
const bindingsPlural = 'validatingadmissionpolicybindings';

/** A policy that may match the requests of an endpoint, with its bindings. */
export interface Candidate {
  readonly policy: Policy;
  readonly bindings: readonly Binding[];
  /** The form in which the policy sees objects; undefined if it depends on the object's name. */
  readonly form: AdmissionForm | undefined;
}

const none: readonly Candidate[] = [];

/** All policies and bindings, by name. Changes are applied as they arrive; which policies may match an endpoint is computed once. */
export class FollowedPolicies {
  /** What expressions refer to. Set before there is a policy. */
  scopes: PolicyScopes | undefined;
  readonly #policies = new Map<string, Policy>();
  readonly #bindings = new Map<string, Binding>();
  readonly #ended = new AbortController();
  #decisions = new WeakMap<AdmissionRequest['forms'], Map<AdmissionOperation, readonly Candidate[]>>();
  #following: Promise<unknown> = Promise.resolve();

  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;
  readonly #expressions: Expressions;
  readonly #failed: (error: unknown) => void;

  constructor(resources: ResourceClient, naming: NamingProfile, expressions: Expressions, failed: (error: unknown) => void) {
    this.#resources = resources;
    this.#naming = naming;
    this.#expressions = expressions;
    this.#failed = failed;
  }

  /** Whether the types are served: `--runtime-config` turns them on. */
  get isServed(): boolean {
    const served = this.#naming.group(group);
    return this.#resources
      .resources()
      .some((type) => type.group === served && type.version === version && type.resource === policiesPlural);
  }

  /** Resolves when all existing objects have been read: no request is served before. */
  async start(): Promise<void> {
    await new Promise<void>((resolve) => {
      let waiting = 2;
      const listed = () => {
        waiting -= 1;
        if (waiting === 0) resolve();
      };
      this.#following = Promise.all([
        this.#follow(policiesPlural, this.#policies, listed, async (object) => {
          this.scopes ??= await PolicyScopes.load(this.#expressions);
          return new Policy(object as unknown as PolicyObject, this.scopes, this.#naming);
        }),
        this.#follow(bindingsPlural, this.#bindings, listed, (object) => bindingOf(object as unknown as BindingObject, this.#naming)),
      ]);
    });
  }

  async stop(): Promise<void> {
    this.#ended.abort();
    await this.#following;
  }

  /** The policies whose rules match such requests and that have a binding, by name. */
  for({forms, operation, subresource, namespace}: AdmissionRequest): readonly Candidate[] {
    if (this.#policies.size === 0 || this.#bindings.size === 0) return none;
    let byOperation = this.#decisions.get(forms);
    if (!byOperation) this.#decisions.set(forms, (byOperation = new Map()));
    let found = byOperation.get(operation);
    if (!found) byOperation.set(operation, (found = this.#find({forms, operation, subresource, namespace})));
    return found;
  }

  #find(request: Pick<AdmissionRequest, 'forms' | 'operation' | 'subresource' | 'namespace'>): readonly Candidate[] {
    const bindings = Map.groupBy(sorted(this.#bindings), ({policyName}) => policyName);
    return sorted(this.#policies).flatMap((policy): Candidate[] => {
      const ofPolicy = bindings.get(policy.name);
      if (!ofPolicy) return [];
      // Rules with names are compared request by request.
      const {looksAtNames} = policy.matcher;
      const form = looksAtNames ? undefined : policy.matcher.findForm(request);
      return form || looksAtNames ? [{policy, bindings: ofPolicy, form}] : [];
    });
  }

  #follow<T>(plural: string, known: Map<string, T>, listed: () => void, make: (object: ApiObject) => T | Promise<T>): Promise<void> {
    const follower = {
      listed: (objects: readonly ApiObject[]) => {
        const names = new Set(objects.map(({metadata}) => metadata.name));
        for (const name of known.keys()) if (!names.has(name)) known.delete(name);
        this.#decisions = new WeakMap();
        listed();
      },
      changed: async (object: ApiObject) => {
        known.set(object.metadata.name!, await make(object));
        this.#decisions = new WeakMap();
      },
      deleted: ({metadata}: ApiObject) => {
        known.delete(metadata.name!);
        this.#decisions = new WeakMap();
      },
      failed: (error: unknown) => this.#failed(error),
    };
    return followObjects(this.#resources, {group, version, resource: plural}, follower, this.#ended.signal);
  }
}

function sorted<T>(known: ReadonlyMap<string, T>): T[] {
  return [...known].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}
