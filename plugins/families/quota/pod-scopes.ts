import type {Affinity, Pod} from '../../../sdk/types/core/v1.js';
import {qosClass} from '../pods/pod-qos.js';
import type {ScopeRequirement} from './quota-object.js';
import {isSelected} from './scope-selector.js';

/** Whether a pod is in a scope. */
export function isPodInScope({scopeName, operator, values}: ScopeRequirement, {spec}: Pod): boolean {
  switch (scopeName) {
    case 'Terminating':
      return hasDeadline(spec);
    case 'NotTerminating':
      return !hasDeadline(spec);
    case 'BestEffort':
      return qosClass(spec ?? {}) === 'BestEffort';
    case 'NotBestEffort':
      return qosClass(spec ?? {}) !== 'BestEffort';
    case 'PriorityClass':
      return isSelected(spec?.priorityClassName ?? '', operator, values ?? []);
    case 'CrossNamespacePodAffinity':
      return looksElsewhere(spec?.affinity);
    default:
      return false;
  }
}

/** Whether a pod ends by itself, which is what the scopes call terminating. */
export function hasDeadline(spec: Pod['spec']): boolean {
  return (spec?.activeDeadlineSeconds ?? -1) >= 0;
}

/** Whether a pod wants to be near, or away from, pods of other namespaces. */
function looksElsewhere({podAffinity, podAntiAffinity}: Affinity = {}): boolean {
  return [podAffinity, podAntiAffinity].some((affinity) => {
    const required = affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const preferred = (affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({podAffinityTerm}) => podAffinityTerm);
    return [...required, ...preferred].some((term) => (term?.namespaces ?? []).length > 0 || term?.namespaceSelector !== undefined);
  });
}
