import type {UserInfo} from '../../../sdk/index.js';

const namePrefix = 'system:node:';

/** The node whose kubelet a user is: `system:node:NAME` in the group `system:nodes`. Undefined for all other users, empty for a kubelet without a node name. */
export function nodeOfUser({username, groups}: Pick<UserInfo, 'groups' | 'username'>): string | undefined {
  return username.startsWith(namePrefix) && groups.includes('system:nodes') ? username.slice(namePrefix.length) : undefined;
}
