import {admission, inject, taskOf, type AdmissionController, type AdmissionRequest} from '../../../sdk/index.js';
import type {MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {Reinvocation} from '../../families/admission-matching/reinvocation.js';
import type {RequestWork} from '../../families/admission-policies/evaluation.js';
import {FollowedPolicies, PolicyServices} from '../../families/admission-policies/followed-policies.js';
import {bindingOf, type PolicyBinding} from '../../families/admission-policies/policy-binding.js';
import type {PolicyCandidate, PolicyInvocation} from '../../families/admission-policies/policy-invocations.js';
import {policyMetrics, type CountExpression} from '../../families/admission-policies/policy-metrics.js';
import type {RequestValues} from '../../families/admission-policies/request-values.js';
import {Denials} from './denials.js';
import {MutatingPolicy, MutationError} from './mutating-policy.js';

type Candidate = PolicyCandidate<MutatingPolicy, PolicyBinding>;
type Invocation = PolicyInvocation<MutatingPolicy, PolicyBinding>;

/**
 * Changes objects as MutatingAdmissionPolicies say, where `admissionregistration.orch` serves them: one policy after the other, by name; each
 * sees what the previous ones have changed. If one has changed the object, all mutating controllers run once more, and with them the policies
 * that ask for reinvocation.
 */
@admission({operations: ['CREATE', 'UPDATE', 'CONNECT'], order: 890, sideEffects: 'none'})
export class MutatingAdmissionPolicyAdmission implements AdmissionController {
  readonly #policies: FollowedPolicies<MutatingPolicy, PolicyBinding>;
  readonly #services: PolicyServices;
  readonly #count: CountExpression;
  readonly #reinvocations = new WeakMap<AdmissionRequest, Reinvocation<Candidate, string>>();

  constructor(@inject(PolicyServices) services: PolicyServices) {
    this.#policies = new FollowedPolicies(
      {
        subject: 'mutating admission policies',
        controller: 'MutatingAdmissionPolicy',
        kind: 'MutatingAdmissionPolicy',
        policies: 'mutatingadmissionpolicies',
        bindings: 'mutatingadmissionpolicybindings',
        policyOf: (object, parts) => new MutatingPolicy(object as unknown as MutatingAdmissionPolicy, parts),
        bindingOf: (object, isStatic) => bindingOf(object as unknown as MutatingAdmissionPolicyBinding, services.naming, isStatic),
      },
      services,
    );
    this.#services = services;
    this.#count = policyMetrics(services.metrics, 'apiserver_mutating_admission_policy', 'Mutations of MutatingAdmissionPolicies');
  }

  start(): Promise<void> {
    return this.#policies.start();
  }

  stop(): Promise<void> {
    return this.#policies.stop();
  }

  admit(request: AdmissionRequest): false | Promise<void | false> {
    // Policies that were not asked in the first round are not asked in the second either.
    const known = request.round === 1 ? this.#reinvocations.get(request) : undefined;
    const candidates = request.round === 1 ? (known?.candidates ?? []) : this.#policies.for(request);
    if (candidates.length === 0) return false;
    const reinvocation = known ?? new Reinvocation<Candidate, string>(candidates);
    this.#reinvocations.set(request, reinvocation);
    return this.#changeInTurn(request, reinvocation);
  }

  /** Returns `false` if no policy has changed the object. */
  async #changeInTurn(request: AdmissionRequest, reinvocation: Reinvocation<Candidate, string>): Promise<void | false> {
    if (request.round === 1) reinvocation.beginSecondRound(request);
    const values = await this.#policies.valuesOf(request);
    const work = {task: taskOf(this.#services.resources, 'request', 'mutating admission policies'), signal: request.signal};
    const denials = new Denials();
    const report = (policy: MutatingPolicy, binding: PolicyBinding | undefined, message: string) => {
      if (!policy.failsOpen) denials.add(policy.name, binding?.name, message);
    };
    // Whom a request is put to is decided before anything is changed.
    const invocations: Invocation[] = [];
    for await (const invocation of this.#policies.invocations(request, reinvocation.candidates, report)) invocations.push(invocation);
    let hasChanged = false;
    for (const invocation of invocations) {
      const {policy} = invocation;
      const key = keyOf(invocation);
      if (request.round === 1 && !reinvocation.isDue(key)) continue;
      const outcome = await this.#change(request, invocation, values, work, denials);
      if (outcome === 'skipped') continue;
      if (outcome === 'changed') {
        hasChanged = true;
        reinvocation.objectChanged();
      }
      if (policy.isReinvoked) reinvocation.wasCalled(key);
    }
    denials.raise(request);
    if (hasChanged) {
      // The policy that made the last change is asked again too, as in Kubernetes.
      reinvocation.objectChanged();
      request.runAgain();
    }
    reinvocation.endRound(request);
    return hasChanged ? undefined : false;
  }

  /** @returns `skipped` if the match conditions do not hold */
  async #change(
    request: AdmissionRequest,
    {policy, binding, form, param}: Invocation,
    values: RequestValues,
    work: RequestWork,
    denials: Denials,
  ): Promise<'skipped' | 'same' | 'changed'> {
    const began = performance.now();
    const problems: string[] = [];
    const note = () => noteMutation(request, policy, binding, problems, began);
    const makeValues = () => values.forConditions(form, policy, param);
    const applies = await policy.conditions.evaluate(makeValues, request.operation, work);
    if (applies !== true) {
      if (applies === false) return 'skipped';
      problems.push(applies.message);
      if (!policy.failsOpen) denials.add(policy.name, binding.name, applies.message, 'Invalid');
      note();
      return 'skipped';
    }
    let hasChanged = false;
    for (const mutation of policy.mutations) {
      const since = performance.now();
      let problem: string | undefined;
      try {
        // Each sees what the one before it has changed.
        if (await policy.mutate(mutation, request, form, await values.of(form, policy, param), work)) hasChanged = true;
      } catch (error) {
        if (!(error instanceof MutationError)) throw error;
        problem = error.message;
        problems.push(problem);
        if (!policy.failsOpen) denials.add(policy.name, binding.name, problem, 'Invalid');
      }
      this.#count(policy.name, binding.name, problem, (performance.now() - since) / 1000);
    }
    note();
    return hasChanged ? 'changed' : 'same';
  }
}

/** Notes what became of a policy. @param began when it was asked, as `performance.now()` */
function noteMutation(
  request: AdmissionRequest,
  {name, failsOpen}: MutatingPolicy,
  binding: PolicyBinding,
  problems: readonly string[],
  began: number,
): void {
  const verdict = problems.length === 0 ? 'allowed' : failsOpen ? 'ignored' : 'failed';
  const seconds = (performance.now() - began) / 1000;
  request.noteVerdict?.({by: 'policy', name, from: binding.name, half: 'admit', verdict, message: problems[0], seconds});
}

/** Names what a policy is evaluated for: the same in both rounds. */
function keyOf({policy, binding, param}: Invocation): string {
  return JSON.stringify([policy.name, binding.name, param?.metadata.namespace, param?.metadata.name]);
}
