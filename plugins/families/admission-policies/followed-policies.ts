import type {
  AdmissionForm,
  AdmissionRequest,
  ApiObject,
  Expressions,
  NamingProfile,
  ResourceClient,
  ResourceRef,
} from '../../../sdk/index.js';
import type {Variable} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {EndpointDecisions} from '../admission-matching/endpoint-decisions.js';
import {FollowedObjects} from '../admission-matching/followed-objects.js';
import type {MatchedRequest} from '../admission-matching/request-matcher.js';
import {PolicyScopes} from './policy-scopes.js';
import type {AdmissionPolicy} from './admission-policy.js';
import type {PolicyBinding} from './policy-binding.js';

const group = 'admissionregistration.orch';
/** Best first: the first that is served. All have what the others have. */
const versions = ['v1', 'v1beta1', 'v1alpha1'];

/** A policy that may match the requests of an endpoint, with its bindings. */
export interface PolicyCandidate<P extends AdmissionPolicy, B extends PolicyBinding> {
  readonly policy: P;
  readonly bindings: readonly B[];
  /** The form in which the policy sees objects; undefined if it depends on the object's name. */
  readonly form: AdmissionForm | undefined;
}

/** A kind of policies and its bindings. */
export interface PolicyKind<P extends AdmissionPolicy, B extends PolicyBinding> {
  readonly policies: string;
  readonly bindings: string;
  policyOf(object: ApiObject, scopes: PolicyScopes): P;
  bindingOf(object: ApiObject): B;
  failed(error: unknown): void;
}

const none: readonly never[] = [];

/** All policies of a kind and their bindings, by name. */
export class FollowedPolicies<P extends AdmissionPolicy, B extends PolicyBinding> {
  /** What expressions refer to, without variables of the policy and with them; loaded for the first policy. */
  #scopes: Promise<PolicyScopes> | undefined;
  #composed: Promise<PolicyScopes> | undefined;
  readonly #policies: FollowedObjects<P>;
  readonly #bindings: FollowedObjects<B>;
  #areAny = false;
  readonly #decisions = new EndpointDecisions((request) => this.#find(request));

  readonly #kind: PolicyKind<P, B>;
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;

  constructor(kind: PolicyKind<P, B>, resources: ResourceClient, naming: NamingProfile, expressions: Expressions) {
    this.#kind = kind;
    this.#resources = resources;
    this.#naming = naming;
    const changed = () => {
      this.#areAny = this.#policies.all.length > 0 && this.#bindings.all.length > 0;
      this.#decisions.clear();
    };
    const refOf = (resource: string): ResourceRef => ({group, version: this.#version ?? versions[0]!, resource});
    this.#policies = new FollowedObjects(resources, {
      get ref() {
        return refOf(kind.policies);
      },
      compile: async (object) => {
        const {spec} = object as {spec?: {variables?: readonly Variable[] | null} | null};
        const isComposed = (spec?.variables ?? []).length > 0;
        const scopes = isComposed
          ? (this.#composed ??= PolicyScopes.load(expressions, true))
          : (this.#scopes ??= PolicyScopes.load(expressions));
        return kind.policyOf(object, await scopes);
      },
      changed,
      failed: (error) => kind.failed(error),
    });
    this.#bindings = new FollowedObjects(resources, {
      get ref() {
        return refOf(kind.bindings);
      },
      compile: (object) => kind.bindingOf(object),
      changed,
      failed: (error) => kind.failed(error),
    });
  }

  /** Whether the types are served: in older releases `--runtime-config` turns them on. */
  get isServed(): boolean {
    return this.#version !== undefined;
  }

  get #version(): string | undefined {
    const served = this.#naming.group(group);
    const types = this.#resources.resources().filter((type) => type.group === served && type.resource === this.#kind.policies);
    return versions.find((version) => types.some((type) => type.version === version));
  }

  /** Resolves when the existing objects have been loaded; no request is served before that. */
  async start(): Promise<void> {
    await Promise.all([this.#policies.start(), this.#bindings.start()]);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#policies.stop(), this.#bindings.stop()]);
  }

  /** The policies with bindings whose rules match a request, sorted by name. */
  for(request: AdmissionRequest): readonly PolicyCandidate<P, B>[] {
    return this.#areAny ? this.#decisions.of(request) : none;
  }

  #find(request: MatchedRequest): readonly PolicyCandidate<P, B>[] {
    const bindings = Map.groupBy(this.#bindings.all, ({policyName}) => policyName);
    return this.#policies.all.flatMap((policy): PolicyCandidate<P, B>[] => {
      const ofPolicy = bindings.get(policy.name);
      if (!ofPolicy) return [];
      // Rules with names are compared request by request.
      const {looksAtNames} = policy.matcher;
      const form = looksAtNames ? undefined : policy.matcher.findForm(request);
      return form || looksAtNames ? [{policy, bindings: ofPolicy, form}] : [];
    });
  }
}
