import type {AuthorizationAttributes, UserInfo} from '../../../sdk/index.js';
import type {PolicyRule} from './policy-rule.js';

/**
 * The single permissions that a rule is made of, as questions to an authorizer: who holds all of them holds the rule.
 * A `*` is asked for as it stands, so only a `*` answers it.
 */
export function ruleParts(rule: PolicyRule, user: UserInfo, namespace: string): AuthorizationAttributes[] {
  const parts: AuthorizationAttributes[] = [];
  for (const verb of rule.verbs ?? []) {
    for (const path of rule.nonResourceURLs ?? []) parts.push({...nothing, user, verb, path});
    for (const group of rule.apiGroups ?? []) {
      for (const full of rule.resources ?? []) {
        const [resource, subresource] = splitResource(full);
        const part = {...nothing, user, verb, isResourceRequest: true, group, version: '*', resource, subresource, namespace};
        const names = rule.resourceNames ?? [];
        if (names.length === 0) parts.push(part);
        for (const name of names) parts.push({...part, name});
      }
    }
  }
  return parts;
}

const nothing = {isResourceRequest: false, path: '', group: '', version: '', resource: '', subresource: '', namespace: '', name: ''};

function splitResource(full: string): [resource: string, subresource: string] {
  const slash = full.indexOf('/');
  return slash < 0 ? [full, ''] : [full.slice(0, slash), full.slice(slash + 1)];
}

/** One permission as a rule again, in the form in which Kubernetes' messages show rules. */
export function partText({isResourceRequest, verb, path, group, resource, subresource, name}: AuthorizationAttributes): string {
  const list = (label: string, value: string) => `${label}:[${JSON.stringify(value)}]`;
  if (!isResourceRequest) return `{${list('NonResourceURLs', path)}, ${list('Verbs', verb)}}`;
  const full = subresource ? `${resource}/${subresource}` : resource;
  return `{${[list('APIGroups', group), list('Resources', full), ...(name ? [list('ResourceNames', name)] : []), list('Verbs', verb)].join(', ')}}`;
}
