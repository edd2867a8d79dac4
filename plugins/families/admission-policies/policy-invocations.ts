import {StatusError, type AdmissionForm, type AdmissionRequest, type ApiObject, type ServedResource} from '../../../sdk/index.js';
import type {NamespaceLabels} from '../admission-matching/namespace-labels.js';
import type {AdmissionPolicy} from './admission-policy.js';
import {ParamError, type ParamReader} from './param-reader.js';
import type {PolicyBinding} from './policy-binding.js';

/** A policy that may match the requests of an endpoint, with its bindings. */
export interface PolicyCandidate<P extends AdmissionPolicy, B extends PolicyBinding> {
  readonly policy: P;
  readonly bindings: readonly B[];
  /** The form in which the policy sees objects; undefined if it depends on the object's name. */
  readonly form: AdmissionForm | undefined;
}

/** A policy that is to be evaluated, for one of its bindings and of the params of that. */
export interface PolicyInvocation<P extends AdmissionPolicy, B extends PolicyBinding> {
  readonly policy: P;
  readonly binding: B;
  /** In which the policy sees objects. */
  readonly form: AdmissionForm;
  readonly param: ApiObject | undefined;
}

/** Reports that a policy or a binding cannot be used. @param binding undefined when it is the policy itself */
export type ReportProblem<P, B> = (policy: P, binding: B | undefined, message: string) => void;

interface InvocationParts {
  readonly namespaces: NamespaceLabels;
  readonly params: ParamReader;
}

/** Finds out which of the policies of an endpoint a request is to be put to, one after the other. Match conditions are not looked at. */
export async function* policyInvocations<P extends AdmissionPolicy, B extends PolicyBinding>(
  request: AdmissionRequest,
  candidates: readonly PolicyCandidate<P, B>[],
  {namespaces, params}: InvocationParts,
  report: ReportProblem<P, B>,
): AsyncGenerator<PolicyInvocation<P, B>> {
  const fits = async ({matcher}: B) =>
    !matcher || (matcher.findForm(request, request.name) !== undefined && (await matcher.selects(request, namespaces)));
  for (const {policy, bindings, form: known} of candidates) {
    const form = known ?? policy.matcher.findForm(request, request.name);
    let type: ServedResource | undefined;
    try {
      if (!form || !(await policy.matcher.selects(request, namespaces))) continue;
      type = policy.paramKind && params.typeOf(policy.paramKind);
    } catch (error) {
      report(policy, undefined, `failed to configure policy: ${problemText(error)}`);
      continue;
    }
    for (const binding of bindings) {
      let found: readonly (ApiObject | undefined)[];
      try {
        if (!(await fits(binding))) continue;
        found = type && binding.param ? await params.read(type, binding.param, request.namespace) : [undefined];
      } catch (error) {
        report(policy, binding, `failed to configure binding: ${problemText(error)}`);
        continue;
      }
      for (const param of found) yield {policy, binding, form, param};
    }
  }
}

/** Reports errors of preparing a policy to the client, if they are meant for users. */
function problemText(problem: unknown): string {
  if (problem instanceof ParamError || StatusError.is(problem)) return problem.message;
  throw problem;
}
