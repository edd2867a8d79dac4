import {dnsSubdomainFaults, invalid, notSupported, required, type FieldError, type FieldPath} from '../../../sdk/index.js';
import {validateLabelSelector} from '../../../sdk/labels/index.js';
import {validateOptionalOneOf} from '../../../sdk/validation/index.js';
import {webhookServiceFaults, webhookUrlFaults} from '../../../sdk/webhooks/index.js';
import type {MutatingWebhook} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import {reviewVersionFaults} from './review-version-faults.js';
import {ruleFaults} from './rule-faults.js';
import type {Ratcheting} from './ratcheting.js';

const failurePolicies = ['Ignore', 'Fail'];
const matchPolicies = ['Exact', 'Equivalent'];
const reinvocationPolicies = ['Never', 'IfNeeded'];
const sideEffectClasses = ['None', 'NoneOnDryRun'];
/** Values that older API versions also accepted. */
const anySideEffects = [...sideEffectClasses, 'Some', 'Unknown'];
const maximumTimeout = 30;

/** All errors in one webhook, except a name that another webhook has too. */
export function webhookFaults(hook: MutatingWebhook, ratcheting: Ratcheting, path: FieldPath): FieldError[] {
  const {timeoutSeconds: timeout} = hook;
  const selectorOptions = {allowInvalidValues: ratcheting.invalidSelectorValues};
  const faults = [
    ...nameFaults(hook.name ?? '', path.child('name')),
    ...(hook.rules ?? []).flatMap((rule, index) => ruleFaults(rule, path.child('rules').index(index))),
    ...validateOptionalOneOf(hook.failurePolicy, failurePolicies, path.child('failurePolicy')),
    ...validateOptionalOneOf(hook.matchPolicy, matchPolicies, path.child('matchPolicy')),
    ...sideEffectFaults(hook.sideEffects, ratcheting.anySideEffects ? anySideEffects : sideEffectClasses, path.child('sideEffects')),
  ];
  if (typeof timeout === 'number' && (timeout < 1 || timeout > maximumTimeout)) {
    faults.push(invalid(path.child('timeoutSeconds'), timeout, `the timeout value must be between 1 and ${maximumTimeout} seconds`));
  }
  return [
    ...faults,
    ...validateOptionalOneOf(hook.reinvocationPolicy, reinvocationPolicies, path.child('reinvocationPolicy')),
    ...validateLabelSelector(hook.namespaceSelector, path.child('namespaceSelector'), selectorOptions),
    ...validateLabelSelector(hook.objectSelector, path.child('objectSelector'), selectorOptions),
    ...clientFaults(hook.clientConfig ?? {}, path.child('clientConfig')),
    ...reviewVersionFaults(hook.admissionReviewVersions ?? [], ratcheting.unknownReviewVersions, path.child('admissionReviewVersions')),
  ];
}

function nameFaults(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [required(path)];
  const details = dnsSubdomainFaults(name);
  if (details.length > 0) return [invalid(path, name, details.join(','))];
  return name.split('.').length < 3 ? [invalid(path, name, 'should be a domain with at least three segments separated by dots')] : [];
}

function sideEffectFaults(value: string | null | undefined, allowed: readonly string[], path: FieldPath): FieldError[] {
  if (value === undefined || value === null) return [required(path, `must specify one of ${[...allowed].sort().join(', ')}`)];
  return allowed.includes(value) ? [] : [notSupported(path, value, allowed)];
}

function clientFaults({url, service}: NonNullable<MutatingWebhook['clientConfig']>, path: FieldPath): FieldError[] {
  const hasUrl = url !== undefined && url !== null;
  if (hasUrl === Boolean(service)) return [required(path, 'exactly one of url or service is required')];
  if (hasUrl) return webhookUrlFaults(url, path.child('url'));
  const {namespace = '', name = '', ...rest} = service!;
  return webhookServiceFaults({namespace, name, ...rest}, path.child('service'));
}
