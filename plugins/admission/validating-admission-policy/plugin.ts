import {
  admission,
  inject,
  StatusError,
  taskOf,
  Tokens,
  type AdmissionController,
  type AdmissionForm,
  type AdmissionRequest,
  type ApiObject,
  type Expressions,
  type ExpressionValues,
  type JsonObject,
  type Logger,
  type NamingProfile,
  type ResourceClient,
  type ServedResource,
} from '../../../sdk/index.js';
import {NamespaceLabels} from '../../families/admission-matching/namespace-labels.js';
import type {RequestMatcher} from '../../families/admission-matching/request-matcher.js';
import type {Binding} from './binding.js';
import {FollowedPolicies, type Candidate} from './followed-policies.js';
import {ParamError, ParamReader} from './param-reader.js';
import {requestBudget} from '../../families/admission-policies/request-budget.js';
import {requestValue} from '../../families/admission-policies/request-variable.js';
import {Findings} from './findings.js';
import type {Policy} from './policy.js';

/**
 * Judges writes by ValidatingAdmissionPolicies, where `admissionregistration.orch` serves them. All policies of a write are asked in the order of their names; the first refusal is answered.
 */
@admission({operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'], order: 910, sideEffects: 'none'})
export class ValidatingAdmissionPolicyAdmission implements AdmissionController {
  readonly #policies: FollowedPolicies;
  readonly #namespaces: NamespaceLabels;
  readonly #params: ParamReader;
  readonly #resources: ResourceClient;
  readonly #logger: Logger;
  readonly #naming: NamingProfile;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Expressions) expressions: Expressions,
    @inject(Tokens.Logger) logger: Logger,
  ) {
    this.#policies = new FollowedPolicies(resources, naming, expressions, (error) =>
      logger.warn({err: error}, 'admission policies cannot be watched; retrying'),
    );
    this.#namespaces = new NamespaceLabels(resources);
    this.#params = new ParamReader(resources, naming);
    this.#resources = resources;
    this.#logger = logger;
    this.#naming = naming;
  }

  async start(): Promise<void> {
    if (this.#policies.isServed) return this.#policies.start();
    this.#logger.warn({}, 'admission policies can have no effect: their types are not served; --runtime-config turns them on');
  }

  stop(): Promise<void> {
    return this.#policies.stop();
  }

  validate(request: AdmissionRequest): void | Promise<void> {
    const candidates = this.#policies.for(request);
    if (candidates.length > 0) return this.#judge(request, candidates);
  }

  async #judge(request: AdmissionRequest, candidates: readonly Candidate[]): Promise<void> {
    const values = new RequestValues(request);
    const budget = requestBudget(request);
    const task = taskOf(this.#resources, 'request', 'admission policies');
    const findings = new Findings(request, this.#naming);
    try {
      for (const {policy, bindings, form: known} of candidates) {
        const fail = (binding: Binding | undefined, problem: unknown) => {
          if (policy.failsOpen) return;
          const what = binding === undefined ? 'policy' : 'binding';
          findings.add(policy.name, binding, {message: `failed to configure ${what}: ${problemText(problem)}`});
        };
        const form = known ?? policy.matcher.findForm(request, request.name);
        let type: ServedResource | undefined;
        try {
          if (!form || !(await this.#selects(policy.matcher, request))) continue;
          type = policy.paramKind && this.#params.typeOf(policy.paramKind);
        } catch (error) {
          fail(undefined, error);
          continue;
        }
        for (const binding of bindings) {
          let params: readonly (ApiObject | undefined)[];
          try {
            if (!(await this.#fits(binding, request))) continue;
            params = type && binding.param ? await this.#params.read(type, binding.param, request.namespace) : [undefined];
          } catch (error) {
            fail(binding, error);
            continue;
          }
          const bound = await values.of(form, policy);
          for (const param of params) {
            const shown = policy.paramKind ? bound.with({params: param as JsonObject | undefined}) : bound;
            const applies = await policy.applies(shown, budget, task);
            if (applies === false) continue;
            if (applies !== true) {
              findings.add(policy.name, binding, applies);
              continue;
            }
            const composed = await policy.compose(shown, budget, task);
            const unannotated = await policy.annotate(composed, budget, task, (key, value) => findings.annotate(key, value));
            if (unannotated) findings.add(policy.name, binding, unannotated);
            const all = !binding.actions.includes('Deny');
            for (const denial of await policy.judge(composed, budget, task, all)) findings.add(policy.name, binding, denial);
          }
        }
      }
    } finally {
      findings.record();
    }
  }

  async #fits({matcher}: Binding, request: AdmissionRequest): Promise<boolean> {
    if (!matcher) return true;
    return matcher.findForm(request, request.name) !== undefined && (await this.#selects(matcher, request));
  }

  #selects(matcher: RequestMatcher, request: AdmissionRequest): boolean | Promise<boolean> {
    return matcher.selects(request, this.#namespaces);
  }
}

/** Reports errors of preparing a policy to the client, if they are meant for users. */
function problemText(problem: unknown): string {
  if (problem instanceof ParamError || StatusError.is(problem)) return problem.message;
  throw problem;
}

/** What expressions see of a request, made once for each form. */
class RequestValues {
  readonly #request: AdmissionRequest;
  readonly #made = new Map<AdmissionForm, Map<string, ExpressionValues>>();

  constructor(request: AdmissionRequest) {
    this.#request = request;
  }

  async of(form: AdmissionForm, policy: Policy): Promise<ExpressionValues> {
    const which = `${policy.isComposed} ${policy.paramKind !== undefined}`;
    let made = this.#made.get(form);
    if (!made) this.#made.set(form, (made = new Map()));
    let values = made.get(which);
    if (!values) made.set(which, (values = await this.#make(form, policy)));
    return values;
  }

  async #make(form: AdmissionForm, {scopes, paramKind}: Policy): Promise<ExpressionValues> {
    const request = this.#request;
    const shown = async (object: ApiObject | undefined) => object && ((await request.shownAs(object, form)) as unknown as JsonObject);
    return scopes.bind(
      {object: await shown(request.object), oldObject: await shown(request.oldObject), request: requestValue(request, form)},
      paramKind !== undefined,
    );
  }
}
