import {FieldPath, invalid, required, type FeatureGates, type FieldError, type NamingProfile} from '../../../sdk/index.js';
import {invalidFor, sameValue} from '../../../sdk/validation/index.js';
import type {ResourceQuota, ResourceQuotaSpec, ScopedResourceSelectorRequirement} from '../../../sdk/types/unchecked/core/v1.js';
import {isStandardQuotaResource, resourceNameFaults} from '../../families/pods/resource-names.js';
import {validateResourceAmount} from '../../families/pods/resource-requirements.js';

const specPath = FieldPath.of('spec');
const statusPath = FieldPath.of('status');
const countedWithPods = new Set(['pods', 'cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory']);
const onlyExists = ['Terminating', 'NotTerminating', 'BestEffort', 'NotBestEffort', 'CrossNamespacePodAffinity'];
const countedWithClaims = new Set(['persistentvolumeclaims', 'requests.storage']);
const ofClaims = 'VolumeAttributesClass';
const scopesOfPods = [...onlyExists, 'PriorityClass'];
const existsDetail =
  "must be 'Exist' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, " +
  'ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity';

/** Errors that apply to new and changed quotas. */
export function resourceQuotaFaults({spec = {}}: ResourceQuota, naming: NamingProfile, gates: FeatureGates): FieldError[] {
  const scopes = gates.enabled('VolumeAttributesClass') ? [...scopesOfPods, ofClaims] : scopesOfPods;
  return [
    ...amountFaults(spec.hard, specPath.child('hard'), naming),
    ...scopeFaults(spec, specPath.child('scopes'), scopes),
    ...selectorFaults(spec, specPath.child('scopeSelector', 'matchExpressions'), scopes),
  ];
}

/** Errors in a change: what a quota counts is immutable. */
export function resourceQuotaUpdateFaults(
  object: ResourceQuota,
  old: ResourceQuota,
  naming: NamingProfile,
  gates: FeatureGates,
): FieldError[] {
  const now = object.spec?.scopes ?? [];
  const isSame = sameValue([...new Set(now)].sort(), [...new Set(old.spec?.scopes ?? [])].sort());
  return [...resourceQuotaFaults(object, naming, gates), ...(isSame ? [] : [invalid(specPath.child('scopes'), now, 'field is immutable')])];
}

/** Errors in the reported usage. */
export function resourceQuotaStatusFaults({status = {}}: ResourceQuota, naming: NamingProfile): FieldError[] {
  return [...amountFaults(status.hard, statusPath.child('hard'), naming), ...amountFaults(status.used, statusPath.child('used'), naming)];
}

function amountFaults(amounts: Readonly<Record<string, string>> | undefined, path: FieldPath, naming: NamingProfile): FieldError[] {
  return Object.entries(amounts ?? {}).flatMap(([name, amount]) => {
    const at = path.key(name);
    const faults = invalidFor(at, name, resourceNameFaults(name));
    if (!name.includes('/') && !isStandardQuotaResource(name)) faults.push(invalid(at, name, 'must be a standard resource for quota'));
    return [...faults, ...validateResourceAmount(name, amount, at, naming)];
  });
}

function scopeFaults({hard = {}, scopes: given = []}: ResourceQuotaSpec, path: FieldPath, scopes: readonly string[]): FieldError[] {
  const unfit = unfitResources(given, hard, scopes);
  const faults = given.flatMap((scope) => {
    const own = scopes.includes(scope) ? [] : [invalid(path, given, 'unsupported scope')];
    return [...own, ...(unfit.get(scope) ?? []).map(() => invalid(path, given, 'unsupported scope applied to resource'))];
  });
  return areContradictory(given) ? [...faults, invalid(path, given, 'conflicting scopes')] : faults;
}

function selectorFaults({hard = {}, scopeSelector}: ResourceQuotaSpec, path: FieldPath, scopes: readonly string[]): FieldError[] {
  const given = scopeSelector?.matchExpressions ?? [];
  const names = given.map(({scopeName = ''}) => scopeName);
  const unfit = unfitResources(names, hard, scopes);
  const faults = given.flatMap((requirement, index) => {
    const {scopeName = ''} = requirement;
    const at = path.index(index);
    const own = scopes.includes(scopeName) ? [] : [invalid(at.child('scopeName'), scopeName, 'unsupported scope')];
    own.push(...(unfit.get(scopeName) ?? []).map(() => invalid(at, names, 'unsupported scope applied to resource')));
    return [...own, ...operatorFaults(requirement, at)];
  });
  return areContradictory(names) ? [...faults, invalid(path, names, 'conflicting scopes')] : faults;
}

function operatorFaults({scopeName = '', operator = '', values = []}: ScopedResourceSelectorRequirement, path: FieldPath): FieldError[] {
  const at = path.child('operator');
  const faults = onlyExists.includes(scopeName) && operator !== 'Exists' ? [invalid(at, operator, existsDetail)] : [];
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0)
        faults.push(required(path.child('values'), "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"));
      return faults;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0)
        faults.push(
          invalid(path.child('values'), values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"),
        );
      return faults;
    default:
      return [...faults, invalid(at, operator, 'not a valid selector operator')];
  }
}

/** By scope, the resources of a quota that cannot be counted within it: scopes are about pods, or about claims. Computed once per scope. */
function unfitResources(
  given: readonly string[],
  hard: Readonly<Record<string, string>>,
  scopes: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const known = [...new Set(given)].filter((scope) => scopes.includes(scope));
  const standard = known.length > 0 ? Object.keys(hard).filter(isStandardQuotaResource) : [];
  return new Map(known.map((scope) => [scope, standard.filter((name) => !isCountedIn(scope, name))]));
}

function isCountedIn(scope: string, name: string): boolean {
  if (scope === ofClaims) return countedWithClaims.has(name);
  return scope === 'BestEffort' ? name === 'pods' : countedWithPods.has(name);
}

function areContradictory(given: readonly string[]): boolean {
  const has = (scope: string) => given.includes(scope);
  return (has('BestEffort') && has('NotBestEffort')) || (has('Terminating') && has('NotTerminating'));
}
