import type {AuthorizationDecision, UserInfo, UserRules} from '../../../sdk/index.js';

export const allow: AuthorizationDecision = Object.freeze({decision: 'allow'});
export const noOpinion: AuthorizationDecision = Object.freeze({decision: 'no-opinion'});

/** Everything is allowed. */
export const everyRule: UserRules = Object.freeze({
  resourceRules: Object.freeze([Object.freeze({verbs: ['*'], apiGroups: ['*'], resources: ['*']})]),
  nonResourceRules: Object.freeze([Object.freeze({verbs: ['*'], nonResourceURLs: ['*']})]),
  incomplete: false,
});

/** Nothing is allowed. */
export const noRule: UserRules = Object.freeze({resourceRules: [], nonResourceRules: [], incomplete: false});

/** The rules of an authorizer that cannot list what it allows. */
export function unknownRules(name: string): UserRules {
  return Object.freeze({...noRule, incomplete: true, error: `${name} authorizer does not support user rule resolution`});
}

/** Whether a user is in the group `system:masters`, which is allowed everything. */
export function isMaster({groups}: UserInfo): boolean {
  return groups.includes('system:masters');
}
