import {
  inject,
  injectable,
  Tokens,
  type AccessReviewer,
  type AdmissionConfigurations,
  type AdmissionRequest,
  type ApiObject,
  type Expressions,
  type FeatureGates,
  type Logger,
  type Metrics,
  type NamingProfile,
  type ResourceClient,
  type ResourceRef,
} from '../../../sdk/index.js';
import {EndpointDecisions} from '../admission-matching/endpoint-decisions.js';
import {FollowedObjects, NamedList} from '../admission-matching/followed-objects.js';
import {NamespaceLabels} from '../admission-matching/namespace-labels.js';
import type {MatchedRequest} from '../admission-matching/request-matcher.js';
import type {StaticManifests} from '../admission-manifests/static-manifests.js';
import {policyFolder} from './policy-configuration.js';
import {PolicyScopes} from './policy-scopes.js';
import type {AdmissionPolicy, PolicyParts} from './admission-policy.js';
import {conditionCounters, type ConditionOwner} from './condition-metrics.js';
import {ParamReader} from './param-reader.js';
import type {PolicyBinding} from './policy-binding.js';
import {servedPolicyVersion} from './policy-version.js';
import {RequestValues} from './request-values.js';
import {policyInvocations, type PolicyCandidate, type PolicyInvocation, type ReportProblem} from './policy-invocations.js';

const group = 'admissionregistration.orch';

/** A kind of policies and its bindings. */
export interface PolicyKind<P extends AdmissionPolicy, B extends PolicyBinding> {
  /** For messages: `admission policies`. */
  readonly subject: string;
  readonly policies: string;
  readonly bindings: string;
  policyOf(object: ApiObject, parts: PolicyParts): P;
  /** Name of the admission controller. */
  readonly controller: string;
  /** The kind of the policies. */
  readonly kind: string;
  bindingOf(object: ApiObject, isStatic: boolean): B;
}

/** What a plugin of policies gets injected. */
@injectable()
export class PolicyServices {
  constructor(
    @inject(Tokens.Resources) readonly resources: ResourceClient,
    @inject(Tokens.Naming) readonly naming: NamingProfile,
    @inject(Tokens.Expressions) readonly expressions: Expressions,
    @inject(Tokens.Access) readonly access: AccessReviewer,
    @inject(Tokens.AdmissionConfigurations) readonly configurations: AdmissionConfigurations,
    @inject(Tokens.FeatureGates) readonly gates: FeatureGates,
    @inject(Tokens.Metrics) readonly metrics: Metrics,
    @inject(Tokens.Logger) readonly logger: Logger,
  ) {}
}

/** Policies, and bindings by the names of their policies. */
interface StaticPolicies<P, B> {
  readonly policies: readonly P[];
  readonly bindings: ReadonlyMap<string, readonly B[]>;
}

const none: readonly never[] = [];

/** All policies of a kind and their bindings, by name. */
export class FollowedPolicies<P extends AdmissionPolicy, B extends PolicyBinding> {
  /** What expressions refer to; loaded for the first policy. */
  #scopes: Promise<PolicyScopes> | undefined;
  readonly #policies: FollowedObjects<P>;
  readonly #bindings: FollowedObjects<B>;
  /** Those of the API, by the name of their policy. */
  readonly #bindingsOf = new Map<string, NamedList<B>>();
  #areAny = false;
  readonly #decisions = new EndpointDecisions<PolicyCandidate<P, B>, readonly PolicyCandidate<P, B>[]>({
    names: () => this.#policies.all.names,
    decide: (name, request) => candidateOf(this.#policies.all.get(name), this.#bindingsOf.get(name)?.values, request),
    join: (found, request) => [...this.#staticCandidates(request), ...found],
  });

  readonly #kind: PolicyKind<P, B>;
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;
  readonly #logger: Logger;
  readonly #namespaces: NamespaceLabels;
  readonly #params: ParamReader;
  readonly #access: AccessReviewer;
  readonly #services: PolicyServices;
  readonly #counters: ReturnType<typeof conditionCounters>;
  /** From files: these come first. */
  #static: StaticPolicies<P, B> = {policies: [], bindings: new Map()};
  #manifests: StaticManifests | undefined;

  constructor(kind: PolicyKind<P, B>, services: PolicyServices) {
    const {resources, naming, access, metrics, logger} = services;
    this.#services = services;
    this.#counters = conditionCounters(metrics);
    this.#kind = kind;
    this.#resources = resources;
    this.#naming = naming;
    this.#logger = logger;
    this.#namespaces = new NamespaceLabels(resources);
    this.#params = new ParamReader(resources, naming);
    this.#access = access;
    const failed = (error: unknown) => logger.warn({err: error}, `${kind.subject} cannot be watched; retrying`);
    const refOf = (resource: string): ResourceRef => ({group, version: this.#version ?? 'v1', resource});
    this.#policies = new FollowedObjects(resources, {
      get ref() {
        return refOf(kind.policies);
      },
      compile: (object) => this.#compiled(object, false),
      changed: (name) => this.#changed(name),
      failed,
    });
    this.#bindings = new FollowedObjects(resources, {
      get ref() {
        return refOf(kind.bindings);
      },
      compile: (object) => kind.bindingOf(object, false),
      changed: (name, before, now) => this.#bindingChanged(name, before, now),
      failed,
    });
  }

  /** @param policy name of one of the API that has changed, or one of whose bindings has */
  #changed(policy: string): void {
    this.#decisions.changed(policy);
    this.#lookWhetherAny();
  }

  #bindingChanged(name: string, before: B | undefined, now: B | undefined): void {
    if (before && before.policyName !== now?.policyName) this.#bind(before.policyName, name, undefined);
    if (now) this.#bind(now.policyName, name, now);
  }

  #bind(policy: string, name: string, binding: B | undefined): void {
    const bindings = (this.#bindingsOf.get(policy) ?? NamedList.empty).with(name, binding);
    if (bindings.size > 0) this.#bindingsOf.set(policy, bindings);
    else this.#bindingsOf.delete(policy);
    this.#changed(policy);
  }

  #lookWhetherAny(): void {
    this.#areAny = (this.#policies.all.size > 0 && this.#bindings.all.size > 0) || this.#static.bindings.size > 0;
  }

  async #compiled(object: ApiObject, isStatic: boolean): Promise<P> {
    const scopes = await (this.#scopes ??= PolicyScopes.load(this.#services.expressions));
    return this.#kind.policyOf(object, {
      scopes,
      naming: this.#naming,
      conditionCounter: (name) => this.#counters({name, kind: 'policy', type: 'validate'} satisfies ConditionOwner),
      isStatic,
    });
  }

  /** @throws Error with what is wrong with the configuration of the controller, or with the files that it names */
  async #startManifests(): Promise<void> {
    const {controller, kind, policies} = this.#kind;
    const {configurations, gates} = this.#services;
    const configuration = configurations.get(controller);
    if (!configuration) return;
    const folder = await policyFolder(configuration, `${controller}Configuration`, this.#naming, gates);
    if (folder === undefined) return;
    const [{StaticManifests}, {policyManifests}] = await Promise.all([
      import('../admission-manifests/static-manifests.js'),
      import('../admission-manifests/policy-manifests.js'),
    ]);
    const use = {
      plugin: controller,
      kinds: policyManifests(kind, policies),
      use: async (objects: ReadonlyMap<string, readonly ApiObject[]>) => {
        const compiled = await Promise.all((objects.get(kind) ?? []).map((object) => this.#compiled(object, true)));
        const bindings = (objects.get(`${kind}Binding`) ?? []).map((object) => this.#kind.bindingOf(object, true));
        this.#static = {policies: compiled, bindings: Map.groupBy(bindings, ({policyName}) => policyName)};
        this.#decisions.clear();
        this.#lookWhetherAny();
      },
    };
    this.#manifests = new StaticManifests(folder, use, this.#services);
    await this.#manifests.start('policy');
  }

  get #version(): string | undefined {
    return servedPolicyVersion(this.#resources, this.#naming, this.#kind.policies);
  }

  /**
   * Resolves when the existing objects have been loaded; no request is served before that. Where their types are not served, as in older releases without
   * `--runtime-config`, it only says so.
   */
  async start(): Promise<void> {
    await this.#startManifests();
    if (this.#version === undefined) {
      this.#logger.warn({}, `${this.#kind.subject} can have no effect: their types are not served; --runtime-config turns them on`);
      return;
    }
    await Promise.all([this.#policies.start(), this.#bindings.start()]);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#policies.stop(), this.#bindings.stop(), this.#manifests?.stop()]);
  }

  /** The policies with bindings whose rules match a request, sorted by name. */
  for(request: AdmissionRequest): readonly PolicyCandidate<P, B>[] {
    return this.#areAny ? this.#decisions.of(request) : none;
  }

  /** What expressions see of a request; only for one that has candidates. */
  async valuesOf(request: AdmissionRequest): Promise<RequestValues> {
    const areChecksDear = this.#services.gates.enabled('StrictCostEnforcementForVAP');
    return new RequestValues(request, {scopes: await this.#scopes!, access: this.#access, resources: this.#resources, areChecksDear});
  }

  /** Which of the candidates a request is to be put to, one after the other. Match conditions are not looked at. */
  invocations(
    request: AdmissionRequest,
    candidates: readonly PolicyCandidate<P, B>[],
    report: ReportProblem<P, B>,
  ): AsyncGenerator<PolicyInvocation<P, B>> {
    return policyInvocations(request, candidates, {namespaces: this.#namespaces, params: this.#params}, report);
  }

  #staticCandidates(request: MatchedRequest): PolicyCandidate<P, B>[] {
    const {policies, bindings} = this.#static;
    return policies.map((policy) => candidateOf(policy, bindings.get(policy.name), request)).filter((candidate) => candidate !== undefined);
  }
}

/** @param bindings of the policy */
function candidateOf<P extends AdmissionPolicy, B extends PolicyBinding>(
  policy: P | undefined,
  bindings: readonly B[] | undefined,
  request: MatchedRequest,
): PolicyCandidate<P, B> | undefined {
  if (!policy || !bindings) return undefined;
  // Rules with names are compared request by request.
  const {looksAtNames} = policy.matcher;
  const form = looksAtNames ? undefined : policy.matcher.findForm(request);
  return form || looksAtNames ? {policy, bindings, form} : undefined;
}
