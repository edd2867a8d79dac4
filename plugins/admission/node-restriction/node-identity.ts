import type {UserInfo} from '../../../sdk/index.js';

const prefix = 'system:node:';

/** The node whose agent a user is: `system:node:NAME` in the group `system:nodes`. Undefined for everybody else, empty for an agent without a node. */
export function nodeOf({username, groups}: UserInfo): string | undefined {
  return username.startsWith(prefix) && groups.includes('system:nodes') ? username.slice(prefix.length) : undefined;
}
