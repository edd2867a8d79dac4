import type {AuthorizationAttributes, AuthorizationDecision, JsonObject, LabelSelectorTerm} from '../../../sdk/index.js';

const bothError = 'webhook subject access review returned both allow and deny response';
/** Characters of a reason that are passed on. */
const longestReason = 1000;

/** The question about a request, as the service gets it. @param groups name of the member with the groups: the older version uses the singular */
export function reviewSpec(
  {user, isResourceRequest, path, ...attributes}: AuthorizationAttributes,
  groups: 'groups' | 'group',
): JsonObject {
  const {verb, namespace, group, version, resource, subresource, name, fieldSelector, labelSelector} = attributes;
  return {
    ...(isResourceRequest
      ? {
          resourceAttributes: {
            ...filled({namespace, verb, group, version, resource, subresource, name}),
            ...(fieldSelector ? {fieldSelector: {requirements: fieldSelector}} : {}),
            ...(labelSelector ? {labelSelector: {requirements: labelSelector.map(labelRequirement)}} : {}),
          },
        }
      : {nonResourceAttributes: filled({path, verb})}),
    user: user.username,
    ...(user.groups.length > 0 ? {[groups]: user.groups} : {}),
    ...(user.extra && Object.keys(user.extra).length > 0 ? {extra: user.extra} : {}),
    ...(user.uid ? {uid: user.uid} : {}),
  } as unknown as JsonObject;
}

/** The question as match conditions see it: with all texts, also those that are empty. */
export function conditionRequest({user, isResourceRequest, path, ...attributes}: AuthorizationAttributes): JsonObject {
  const {verb, namespace, group, version, resource, subresource, name, fieldSelector, labelSelector} = attributes;
  return {
    user: user.username,
    groups: user.groups,
    uid: user.uid ?? '',
    extra: user.extra ?? {},
    ...(isResourceRequest
      ? {
          resourceAttributes: {
            namespace,
            verb,
            group,
            version,
            resource,
            subresource,
            name,
            ...(fieldSelector ? {fieldSelector: {requirements: fieldSelector}} : {}),
            ...(labelSelector ? {labelSelector: {requirements: labelSelector.map(labelRequirement)}} : {}),
          },
        }
      : {nonResourceAttributes: {path, verb}}),
  } as unknown as JsonObject;
}

/** @throws Error if it does not answer this question */
export function readAnswer(body: JsonObject, apiVersion: string): AuthorizationDecision {
  const {apiVersion: given, status} = body as {
    apiVersion?: unknown;
    status?: {allowed?: unknown; denied?: unknown; reason?: unknown} | null;
  };
  if (given !== apiVersion) throw new Error(`the answer is not in the version ${apiVersion}`);
  const {allowed, denied, reason} = status ?? {};
  const because = typeof reason === 'string' && reason !== '' ? {reason: reason.slice(0, longestReason)} : {};
  if (allowed === true && denied === true) return {decision: 'deny', ...because, error: bothError};
  return {decision: allowed === true ? 'allow' : denied === true ? 'deny' : 'no-opinion', ...because};
}

/** Without values where it has none. */
function labelRequirement({key, operator, values}: LabelSelectorTerm): object {
  return {key, operator, ...(values.length > 0 ? {values} : {})};
}

function filled(attributes: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== ''));
}
