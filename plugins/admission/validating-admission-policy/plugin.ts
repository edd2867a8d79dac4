import {
  admission,
  inject,
  taskOf,
  Tokens,
  type AdmissionController,
  type AdmissionRequest,
  type Expressions,
  type Logger,
  type NamingProfile,
  type ResourceClient,
} from '../../../sdk/index.js';
import type {ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {FollowedPolicies} from '../../families/admission-policies/followed-policies.js';
import type {PolicyCandidate} from '../../families/admission-policies/policy-invocations.js';
import {requestBudget} from '../../families/admission-policies/request-budget.js';
import {RequestValues} from '../../families/admission-policies/request-values.js';
import {validatingBindingOf, type Binding} from './binding.js';
import {Findings} from './findings.js';
import {Policy} from './policy.js';

/**
 * Judges writes by ValidatingAdmissionPolicies, where `admissionregistration.orch` serves them. All policies of a write are asked in the order of their names; the first refusal is answered.
 */
@admission({operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'], order: 910, sideEffects: 'none'})
export class ValidatingAdmissionPolicyAdmission implements AdmissionController {
  readonly #policies: FollowedPolicies<Policy, Binding>;
  readonly #resources: ResourceClient;
  readonly #naming: NamingProfile;

  constructor(
    @inject(Tokens.Resources) resources: ResourceClient,
    @inject(Tokens.Naming) naming: NamingProfile,
    @inject(Tokens.Expressions) expressions: Expressions,
    @inject(Tokens.Logger) logger: Logger,
  ) {
    this.#policies = new FollowedPolicies(
      {
        subject: 'admission policies',
        policies: 'validatingadmissionpolicies',
        bindings: 'validatingadmissionpolicybindings',
        policyOf: (object, scopes) => new Policy(object as unknown as ValidatingAdmissionPolicy, scopes, naming),
        bindingOf: (object) => validatingBindingOf(object as unknown as ValidatingAdmissionPolicyBinding, naming),
      },
      {resources, naming, expressions, logger},
    );
    this.#resources = resources;
    this.#naming = naming;
  }

  start(): Promise<void> {
    return this.#policies.start();
  }

  stop(): Promise<void> {
    return this.#policies.stop();
  }

  validate(request: AdmissionRequest): void | Promise<void> {
    const candidates = this.#policies.for(request);
    if (candidates.length > 0) return this.#judge(request, candidates);
  }

  async #judge(request: AdmissionRequest, candidates: readonly PolicyCandidate<Policy, Binding>[]): Promise<void> {
    const values = new RequestValues(request);
    const budget = requestBudget(request);
    const task = taskOf(this.#resources, 'request', 'admission policies');
    const findings = new Findings(request, this.#naming);
    const report = (policy: Policy, binding: Binding | undefined, message: string) => {
      if (!policy.failsOpen) findings.add(policy.name, binding, {message});
    };
    try {
      for await (const {policy, binding, form, param} of this.#policies.invocations(request, candidates, report)) {
        const shown = await values.of(form, policy, param);
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
    } finally {
      findings.record();
    }
  }
}
