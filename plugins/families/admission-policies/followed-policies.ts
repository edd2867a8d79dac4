import type {AdmissionForm, AdmissionRequest, Expressions, NamingProfile, ResourceClient, ResourceRef} from '../../../sdk/index.js';
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '../../../sdk/types/unchecked/admissionregistration/v1alpha1.js';
import {EndpointDecisions} from '../../families/admission-matching/endpoint-decisions.js';
import {FollowedObjects} from '../../families/admission-matching/followed-objects.js';
import type {MatchedRequest} from '../../families/admission-matching/request-matcher.js';
import {PolicyScopes} from '../../families/admission-policies/policy-scopes.js';
import {bindingOf, type Binding} from './binding.js';
import {Policy} from './policy.js';

const group = 'admissionregistration.orch';
/** Best first: the first that is served. All have what the others have. */
const versions = ['v1', 'v1beta1', 'v1alpha1'];
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

/** All policies and bindings, by name. */
export class FollowedPolicies {
  /** What expressions refer to, without variables of the policy and with them; loaded for the first policy. */
  #scopes: Promise<PolicyScopes> | undefined;
  #composed: Promise<PolicyScopes> | undefined;
  readonly #policies: FollowedObjects<Policy>;
  readonly #bindings: FollowedObjects<Binding>;
  #areAny = false;
  readonly #decisions = new EndpointDecisions((request) => this.#find(request));

  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;

  constructor(resources: ResourceClient, naming: NamingProfile, expressions: Expressions, failed: (error: unknown) => void) {
    this.#resources = resources;
    this.#naming = naming;
    const changed = () => {
      this.#areAny = this.#policies.all.length > 0 && this.#bindings.all.length > 0;
      this.#decisions.clear();
    };
    const refOf = (resource: string): ResourceRef => ({group, version: this.#version ?? versions[0]!, resource});
    this.#policies = new FollowedObjects(resources, {
      get ref() {
        return refOf(policiesPlural);
      },
      compile: async (object) => {
        const policy = object as unknown as ValidatingAdmissionPolicy;
        const isComposed = (policy.spec?.variables ?? []).length > 0;
        const scopes = isComposed
          ? (this.#composed ??= PolicyScopes.load(expressions, true))
          : (this.#scopes ??= PolicyScopes.load(expressions));
        return new Policy(policy, await scopes, naming);
      },
      changed,
      failed,
    });
    this.#bindings = new FollowedObjects(resources, {
      get ref() {
        return refOf(bindingsPlural);
      },
      compile: (object) => bindingOf(object as unknown as ValidatingAdmissionPolicyBinding, naming),
      changed,
      failed,
    });
  }

  /** Whether the types are served: in older releases `--runtime-config` turns them on. */
  get isServed(): boolean {
    return this.#version !== undefined;
  }

  get #version(): string | undefined {
    const served = this.#naming.group(group);
    const types = this.#resources.resources().filter((type) => type.group === served && type.resource === policiesPlural);
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
  for(request: AdmissionRequest): readonly Candidate[] {
    return this.#areAny ? this.#decisions.of(request) : none;
  }

  #find(request: MatchedRequest): readonly Candidate[] {
    const bindings = Map.groupBy(this.#bindings.all, ({policyName}) => policyName);
    return this.#policies.all.flatMap((policy): Candidate[] => {
      const ofPolicy = bindings.get(policy.name);
      if (!ofPolicy) return [];
      // Rules with names are compared request by request.
      const {looksAtNames} = policy.matcher;
      const form = looksAtNames ? undefined : policy.matcher.findForm(request);
      return form || looksAtNames ? [{policy, bindings: ofPolicy, form}] : [];
    });
  }
}
