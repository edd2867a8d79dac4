import type {AuthorizationAttributes, UserInfo} from '../../../sdk/index.js';
import type {SelfSubjectAccessReviewSpec, SubjectAccessReviewSpec} from '../../../sdk/types/unchecked/authorization/v1.js';

/** A review's question in the form of authorizer attributes. */
export function accessAttributes(
  user: UserInfo,
  {resourceAttributes, nonResourceAttributes}: SelfSubjectAccessReviewSpec,
): AuthorizationAttributes {
  const {verb = '', group = '', version = '', resource = '', subresource = '', namespace = '', name = ''} = resourceAttributes ?? {};
  if (resourceAttributes) return {user, verb, isResourceRequest: true, path: '', group, version, resource, subresource, namespace, name};
  const {path = '', verb: method = ''} = nonResourceAttributes ?? {};
  return {user, verb: method, isResourceRequest: false, path, group, version, resource, subresource, namespace, name};
}

/** The user that a review is about. Keys of extra values are case-insensitive. */
export function reviewedUser({user = '', groups, uid, extra}: SubjectAccessReviewSpec): UserInfo {
  return {
    username: user,
    groups: groups ?? [],
    ...(uid ? {uid} : {}),
    ...(extra ? {extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key.toLowerCase(), values]))} : {}),
  };
}
