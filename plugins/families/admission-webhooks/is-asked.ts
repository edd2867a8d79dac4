import type {AdmissionRequest} from '../../../sdk/index.js';
import type {NamespaceLabels} from '../admission-matching/namespace-labels.js';
import type {Candidate} from './followed-hooks.js';

/** Whether a webhook whose rules match a request is to be called, considering its selectors and match conditions. @throws StatusError */
export async function isAsked(request: AdmissionRequest, {hook, form}: Candidate, namespaces: NamespaceLabels): Promise<boolean> {
  const selected = hook.matcher.selects(request, namespaces);
  if (!(selected instanceof Promise ? await selected : selected)) return false;
  return hook.conditions.isEmpty || hook.conditions.hold(request, form);
}
