import {admission, inject, taskOf, type AdmissionController, type AdmissionRequest} from '../../../sdk/index.js';
import type {ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {FollowedPolicies, PolicyServices} from '../../families/admission-policies/followed-policies.js';
import type {PolicyCandidate} from '../../families/admission-policies/policy-invocations.js';
import {policyMetrics, type CountExpression} from '../../families/admission-policies/policy-metrics.js';
import {validatingBindingOf, type Binding} from './binding.js';
import {Findings} from './findings.js';
import {noteJudgement} from './note-judgement.js';
import {Policy, type Judgement} from './policy.js';

/**
 * Judges writes by ValidatingAdmissionPolicies, where `admissionregistration.orch` serves them. All policies of a write are asked in the order of their names; the first refusal is answered.
 */
@admission({operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'], order: 910, sideEffects: 'none'})
export class ValidatingAdmissionPolicyAdmission implements AdmissionController {
  readonly #policies: FollowedPolicies<Policy, Binding>;
  readonly #services: PolicyServices;
  readonly #count: CountExpression;

  constructor(@inject(PolicyServices) services: PolicyServices) {
    this.#policies = new FollowedPolicies(
      {
        subject: 'admission policies',
        controller: 'ValidatingAdmissionPolicy',
        kind: 'ValidatingAdmissionPolicy',
        policies: 'validatingadmissionpolicies',
        bindings: 'validatingadmissionpolicybindings',
        policyOf: (object, parts) => new Policy(object as unknown as ValidatingAdmissionPolicy, parts),
        bindingOf: (object, isStatic) =>
          validatingBindingOf(object as unknown as ValidatingAdmissionPolicyBinding, services.naming, isStatic),
      },
      services,
    );
    this.#services = services;
    this.#count = policyMetrics(
      services.metrics,
      'apiserver_validating_admission_policy',
      'Validations of ValidatingAdmissionPolicies that refused something or could not be evaluated',
      ['enforcement_action'],
      {beta: '1.31'},
    );
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
    const {resources, naming} = this.#services;
    const values = await this.#policies.valuesOf(request);
    const work = {task: taskOf(resources, 'request', 'admission policies'), signal: request.signal};
    const findings = new Findings(request, naming, this.#count);
    const report = (policy: Policy, binding: Binding | undefined, message: string) => findings.unusable(policy, binding, message);
    for await (const {policy, binding, form, param} of this.#policies.invocations(request, candidates, report)) {
      const began = performance.now();
      const makeValues = () => values.forConditions(form, policy, param);
      const applies = await policy.conditions.evaluate(makeValues, request.operation, work);
      if (applies === false) continue;
      const judgement = applies === true ? await policy.judge(await values.of(form, policy, param), work) : unselected(applies.message);
      noteJudgement(request, policy, binding, judgement, (performance.now() - began) / 1000);
      if (applies === true || !policy.failsOpen) findings.add(policy, binding, judgement);
    }
    findings.conclude();
  }
}

/** Whether the policy is for the write is not known. */
function unselected(message: string): Judgement {
  return {refusals: [{message, index: 0, isError: true, seconds: 0}], annotations: []};
}
