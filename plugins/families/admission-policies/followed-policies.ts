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
import {FollowedObjects} from '../admission-matching/followed-objects.js';
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

/** Policies with their bindings. */
interface StaticPolicies<P, B> {
  readonly policies: readonly P[];
  readonly bindings: readonly B[];
}

const none: readonly never[] = [];

/** All policies of a kind and their bindings, by name. */
export class FollowedPolicies<P extends AdmissionPolicy, B extends PolicyBinding> {
  /** What expressions refer to; loaded for the first policy. */
  #scopes: Promise<PolicyScopes> | undefined;
  readonly #policies: FollowedObjects<P>;
  readonly #bindings: FollowedObjects<B>;
  #areAny = false;
  readonly #decisions = new EndpointDecisions((request) => this.#find(request));

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
  #static: StaticPolicies<P, B> = {policies: [], bindings: []};
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
    const changed = () => {
      this.#changed();
    };
    const refOf = (resource: string): ResourceRef => ({group, version: this.#version ?? 'v1', resource});
    this.#policies = new FollowedObjects(resources, {
      get ref() {
        return refOf(kind.policies);
      },
      compile: (object) => this.#compiled(object, false),
      changed,
      failed,
    });
    this.#bindings = new FollowedObjects(resources, {
      get ref() {
        return refOf(kind.bindings);
      },
      compile: (object) => kind.bindingOf(object, false),
      changed,
      failed,
    });
  }

  #changed(): void {
    this.#areAny = (this.#policies.all.length > 0 && this.#bindings.all.length > 0) || this.#static.bindings.length > 0;
    this.#decisions.clear();
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
        this.#static = {policies: compiled, bindings};
        this.#changed();
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

  #find(request: MatchedRequest): readonly PolicyCandidate<P, B>[] {
    const ofApi = {policies: this.#policies.all, bindings: this.#bindings.all};
    return [this.#static, ofApi].flatMap((source) => candidatesOf(source, request));
  }
}

function candidatesOf<P extends AdmissionPolicy, B extends PolicyBinding>(
  {policies, bindings: all}: StaticPolicies<P, B>,
  request: MatchedRequest,
): PolicyCandidate<P, B>[] {
  const bindings = Map.groupBy(all, ({policyName}) => policyName);
  return policies.flatMap((policy): PolicyCandidate<P, B>[] => {
    const ofPolicy = bindings.get(policy.name);
    if (!ofPolicy) return [];
    // Rules with names are compared request by request.
    const {looksAtNames} = policy.matcher;
    const form = looksAtNames ? undefined : policy.matcher.findForm(request);
    return form || looksAtNames ? [{policy, bindings: ofPolicy, form}] : [];
  });
}
