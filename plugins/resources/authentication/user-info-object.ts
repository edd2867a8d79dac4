import type {UserInfo} from '../../../sdk/index.js';

/** A user as represented in objects: empty members are left out. */
export function userInfoObject({username, uid, groups, extra}: UserInfo): Record<string, unknown> {
  return {
    username,
    ...(uid ? {uid} : {}),
    ...(groups.length > 0 ? {groups: [...groups]} : {}),
    ...(extra && Object.keys(extra).length > 0
      ? {extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]]))}
      : {}),
  };
}
