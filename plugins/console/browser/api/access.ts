import {platformGroup} from './facts.js';
import {requestJson} from './request.js';

export interface ResourceRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

export interface RulesStatus {
  readonly resourceRules: readonly ResourceRule[];
  readonly nonResourceRules: readonly {readonly verbs: readonly string[]; readonly nonResourceURLs?: readonly string[]}[];
  readonly incomplete: boolean;
  readonly evaluationError?: string;
}

export interface AccessAttributes {
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
}

export interface AccessDecision {
  readonly allowed: boolean;
  readonly reason?: string;
  readonly evaluationError?: string;
}

const review = <T>(kind: string, spec: object): Promise<{readonly status: T}> => {
  const group = platformGroup('authorization');
  const resource = `${kind.toLowerCase()}s`;
  return requestJson(`/apis/${group}/v1/${resource}`, {method: 'POST', body: {apiVersion: `${group}/v1`, kind, spec}});
};

/** What the user may do in a namespace, as far as it can be listed. @throws Refusal */
export async function ownRules(namespace: string): Promise<RulesStatus> {
  return (await review<RulesStatus>('SelfSubjectRulesReview', {namespace: namespace || 'default'})).status;
}

/** Whether the user may do something. @throws Refusal */
export async function ownAccess(resourceAttributes: AccessAttributes): Promise<AccessDecision> {
  return (await review<AccessDecision>('SelfSubjectAccessReview', {resourceAttributes})).status;
}

/** Whether somebody else may. @throws Refusal */
export async function accessOf(user: string, groups: readonly string[], resourceAttributes: AccessAttributes): Promise<AccessDecision> {
  return (await review<AccessDecision>('SubjectAccessReview', {user, groups, resourceAttributes})).status;
}

/** Whether rules allow a verb on all objects of a type. */
export function rulesAllow({resourceRules}: RulesStatus, verb: string, group: string, resource: string): boolean {
  const has = (list: readonly string[] | undefined, word: string) => list !== undefined && (list.includes('*') || list.includes(word));
  return resourceRules.some(
    (rule) =>
      has(rule.verbs, verb) && has(rule.apiGroups, group) && has(rule.resources, resource) && (rule.resourceNames ?? []).length === 0,
  );
}
