import type {UserInfo, UserRules} from '../../../sdk/index.js';

/** Everything is allowed. */
export const everyRule: UserRules = Object.freeze({
  resourceRules: Object.freeze([Object.freeze({verbs: ['*'], apiGroups: ['*'], resources: ['*']})]),
  nonResourceRules: Object.freeze([Object.freeze({verbs: ['*'], nonResourceURLs: ['*']})]),
  incomplete: false,
});

/** Nothing is allowed. */
export const noRule: UserRules = Object.freeze({resourceRules: [], nonResourceRules: [], incomplete: false});

/** Whether a user is in the group `system:masters`, which is allowed everything. */
export function isMaster({groups}: UserInfo): boolean {
  return groups.includes('system:masters');
}
