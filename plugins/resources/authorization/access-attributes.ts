import type {AuthorizationAttributes, UserInfo} from '../../../sdk/index.js';
import type {AccessQuestion, SubjectQuestion} from './review-types.js';

/** A question of a review as authorizers are asked it. */
export function accessAttributes(user: UserInfo, {resourceAttributes, nonResourceAttributes}: AccessQuestion): AuthorizationAttributes {
  const {verb = '', group = '', version = '', resource = '', subresource = '', namespace = '', name = ''} = resourceAttributes ?? {};
  if (resourceAttributes) return {user, verb, isResourceRequest: true, path: '', group, version, resource, subresource, namespace, name};
  const {path = '', verb: method = ''} = nonResourceAttributes ?? {};
  return {user, verb: method, isResourceRequest: false, path, group, version, resource, subresource, namespace, name};
}

/** The user that a review is about. Keys of extra values have no case. */
export function reviewedUser({user = '', groups, uid, extra}: SubjectQuestion): UserInfo {
  return {
    username: user,
    groups: groups ?? [],
    ...(uid ? {uid} : {}),
    ...(extra ? {extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key.toLowerCase(), values]))} : {}),
  };
}
