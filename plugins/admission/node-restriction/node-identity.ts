import type {UserInfo} from '../../../sdk/index.js';

const prefix = 'system:node:';

/**
 * The node whose kubelet a user is: `system:node:NAME` in the group `system:nodes`. Undefined for all other users, empty for a kubelet
 * without a node name.
 */
export function nodeOf({username, groups}: UserInfo): string | undefined {
  return username.startsWith(prefix) && groups.includes('system:nodes') ? username.slice(prefix.length) : undefined;
}
