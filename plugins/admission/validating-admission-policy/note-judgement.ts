import type {AdmissionRequest, AdmissionVerdict} from '../../../sdk/index.js';
import type {Binding} from './binding.js';
import type {Judgement, Policy} from './policy.js';

/** Notes what a policy said to a write, for who wants to know why. */
export function noteJudgement(request: AdmissionRequest, policy: Policy, binding: Binding, judgement: Judgement, seconds: number): void {
  if (!request.noteVerdict) return;
  const {verdict, message} = verdictOf(policy, binding, judgement);
  request.noteVerdict({by: 'policy', name: policy.name, from: binding.name, half: 'validate', verdict, message, seconds});
}

/** What weighs most: a refusal before a failure, before what is only noted. */
function verdictOf(
  {failsOpen}: Policy,
  {actions}: Binding,
  {refusals, annotations}: Judgement,
): Pick<AdmissionVerdict, 'verdict' | 'message'> {
  const broken = refusals.find(({isError}) => isError)?.message ?? annotations.find(({problem}) => problem !== undefined)?.problem;
  const against = refusals.find(({isError}) => !isError)?.message;
  const denies = actions.some((action) => action === 'Deny');
  if (against !== undefined && denies) return {verdict: 'denied', message: against};
  if (broken !== undefined) return {verdict: failsOpen ? 'ignored' : 'failed', message: broken};
  if (against === undefined) return {verdict: 'allowed', message: undefined};
  return {verdict: actions.some((action) => action === 'Warn') ? 'warned' : 'audited', message: against};
}
