import {
  admission,
  inject,
  StatusError,
  taskOf,
  Tokens,
  admissionForbidden,
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
  type ResourceRef,
} from '../../../sdk/index.js';
import {NamespaceLabels} from '../../families/admission-matching/namespace-labels.js';
import type {RequestMatcher} from '../../families/admission-matching/request-matcher.js';
import type {Binding} from './binding.js';
import {FollowedPolicies, type Candidate} from './followed-policies.js';
import {ParamError, ParamReader} from './param-reader.js';
import {requestBudget} from '../../families/admission-policies/request-budget.js';
import {requestValue} from '../../families/admission-policies/request-variable.js';
import type {Denial} from './policy.js';

const codes: Readonly<Record<string, number>> = {Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413, Invalid: 422};

/** Maximum characters of a refusal in an answer: it may quote an expression, which may be megabytes. */
const longest = 5 * 1024;

/**
 * Judges writes by ValidatingAdmissionPolicies, as Kubernetes 1.26 does, where `admissionregistration.orch/v1alpha1` is served. All policies of a write are asked in the order of their names; the first refusal is answered.
 */
@admission({operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'], order: 910, sideEffects: 'none'})
export class ValidatingAdmissionPolicyAdmission implements AdmissionController {
  readonly #policies: FollowedPolicies;
  readonly #namespaces: NamespaceLabels;
  readonly #params: ParamReader;
  readonly #resources: ResourceClient;
  readonly #logger: Logger;

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
    const values = new RequestValues(request, this.#policies);
    const budget = requestBudget(request);
    const task = taskOf(this.#resources, 'request', 'admission policies');
    for (const {policy, bindings, form: known} of candidates) {
      const fail = (binding: string | undefined, problem: unknown) => {
        if (policy.failsOpen) return;
        const what = binding === undefined ? 'policy' : 'binding';
        throw denied(request, policy.name, binding, {message: `failed to configure ${what}: ${problemText(problem)}`});
      };
      const form = known ?? policy.matcher.findForm(request, request.name);
      let type: ResourceRef | undefined;
      try {
        if (!form || !(await this.#selects(policy.matcher, request))) continue;
        type = policy.paramKind && this.#params.typeOf(policy.paramKind);
      } catch (error) {
        fail(undefined, error);
        continue;
      }
      for (const binding of bindings) {
        let params: ApiObject | undefined;
        try {
          if (!(await this.#fits(binding, request))) continue;
          params = type && binding.param && (await this.#params.read(type, binding.param.namespace, binding.param.name));
        } catch (error) {
          fail(binding.name, error);
          continue;
        }
        const bound = await values.of(form, policy.paramKind !== undefined);
        const shown = policy.paramKind ? bound.with({params: params as JsonObject | undefined}) : bound;
        const denial = await policy.judge(shown, budget, task);
        if (denial) throw denied(request, policy.name, binding.name, denial);
      }
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
  readonly #policies: FollowedPolicies;
  readonly #made = new Map<AdmissionForm, {plain?: ExpressionValues; withParams?: ExpressionValues}>();

  constructor(request: AdmissionRequest, policies: FollowedPolicies) {
    this.#request = request;
    this.#policies = policies;
  }

  async of(form: AdmissionForm, hasParams: boolean): Promise<ExpressionValues> {
    const which = hasParams ? 'withParams' : 'plain';
    let made = this.#made.get(form);
    if (!made) this.#made.set(form, (made = {}));
    return (made[which] ??= await this.#make(form, hasParams));
  }

  async #make(form: AdmissionForm, hasParams: boolean): Promise<ExpressionValues> {
    const request = this.#request;
    const shown = async (object: ApiObject | undefined) => object && ((await request.shownAs(object, form)) as unknown as JsonObject);
    return this.#policies.scopes!.bind(
      {object: await shown(request.object), oldObject: await shown(request.oldObject), request: requestValue(request, form)},
      hasParams,
    );
  }
}

/** The response to a write that a policy rejects, in Kubernetes' words. @param binding undefined when the policy itself cannot be used */
function denied(
  request: AdmissionRequest,
  policy: string,
  binding: string | undefined,
  {message, reason = 'Invalid'}: Denial,
): StatusError {
  const by = binding === undefined ? '' : ` with binding '${binding}'`;
  const text = `ValidatingAdmissionPolicy '${policy}'${by} denied request: ${message.length > longest ? `${message.slice(0, longest)}…` : message}`;
  const refusal = admissionForbidden(request, text);
  const causes = [...(refusal.details?.causes ?? []), {message: text}];
  return new StatusError(codes[reason] ?? 422, reason, refusal.message, {details: {...refusal.details, causes}});
}
