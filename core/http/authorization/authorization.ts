import {
  forbidden,
  groupResourceText,
  StatusError,
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  type NonResourceRule,
  type ResourceRule,
  type UserInfo,
  type UserRules,
} from '../../../sdk/index.js';
import type {AuthenticatedExchange} from '../request/stages.js';

/** An authorizer with its name, as provided by the kernel. */
export interface NamedAuthorizer {
  readonly name: string;
  readonly instance: Authorizer;
}

/** Asks the authorizers in order; the first that allows or denies decides. If none does, the request is denied. */
export class Authorization {
  readonly #authorizers: readonly NamedAuthorizer[];

  /** @param authorizers in order, as provided by the kernel */
  constructor(authorizers: readonly NamedAuthorizer[]) {
    this.#authorizers = authorizers;
  }

  /** An exception of an authorizer fails the request: authorization fails closed. */
  decide(attributes: AuthorizationAttributes): AuthorizationDecision | Promise<AuthorizationDecision> {
    let reason = '';
    for (const [position, {instance}] of this.#authorizers.entries()) {
      const decision = instance.authorize(attributes);
      if (decision instanceof Promise) return this.#continue(attributes, decision, position, reason);
      if (decision.decision !== 'no-opinion') return decision;
      reason = joined(reason, decision.reason);
    }
    return {decision: 'no-opinion', reason};
  }

  async #continue(
    attributes: AuthorizationAttributes,
    pending: Promise<AuthorizationDecision>,
    position: number,
    before: string,
  ): Promise<AuthorizationDecision> {
    let reason = before;
    for (let index = position; index < this.#authorizers.length; index += 1) {
      const decision = await (index === position ? pending : this.#authorizers[index]!.instance.authorize(attributes));
      if (decision.decision !== 'no-opinion') return decision;
      reason = joined(reason, decision.reason);
    }
    return {decision: 'no-opinion', reason};
  }

  /** @throws 403 unless the caller may do this */
  async require(attributes: AuthorizationAttributes): Promise<void> {
    const {decision, reason} = await this.decide(attributes);
    if (decision !== 'allow') throw refusal(attributes, reason);
  }

  /** The combined rules of all authorizers. Incomplete if one of them cannot list rules. */
  async rulesFor(user: UserInfo, namespace: string): Promise<UserRules> {
    const resourceRules: ResourceRule[] = [];
    const nonResourceRules: NonResourceRule[] = [];
    const errors: string[] = [];
    let incomplete = false;
    for (const {name, instance} of this.#authorizers) {
      const rules = await instance.rulesFor?.(user, namespace);
      if (rules && allowsEverything(rules)) return rules;
      if (rules?.error) errors.push(rules.error);
      if (!rules) errors.push(`authorizer ${JSON.stringify(name)} does not support user rule resolution`);
      incomplete ||= rules?.incomplete ?? true;
      for (const rule of rules?.resourceRules ?? []) resourceRules.push(rule);
      for (const rule of rules?.nonResourceRules ?? []) nonResourceRules.push(rule);
    }
    return {resourceRules, nonResourceRules, incomplete, ...(errors.length > 0 ? {error: errors.join(', ')} : {})};
  }
}

function joined(reasons: string, reason: string | undefined): string {
  if (!reason) return reasons;
  return reasons === '' ? reason : `${reasons}, ${reason}`;
}

export function authorizationAttributes({info, user}: AuthenticatedExchange): AuthorizationAttributes {
  const {isResourceRequest, verb, path, group, version, resource, subresource, namespace, name} = info;
  return {user, verb, isResourceRequest, path, group, version, resource, subresource, namespace, name};
}

/** Nothing can be added to such rules. */
function allowsEverything({resourceRules, nonResourceRules}: UserRules): boolean {
  const isAll = (values: readonly string[]) => values.length === 1 && values[0] === '*';
  const [rule, paths] = [resourceRules[0], nonResourceRules[0]];
  if (resourceRules.length !== 1 || nonResourceRules.length !== 1 || !rule || !paths) return false;
  return [rule.verbs, rule.apiGroups, rule.resources, paths.verbs, paths.nonResourceURLs].every(isAll) && !rule.resourceNames?.length;
}

/** The message of a 403 response. @param reason given by the authorizers */
export function refusal(attributes: AuthorizationAttributes, reason: string | undefined): StatusError {
  const {user, verb, path, group, resource, subresource, namespace, name} = attributes;
  const because = reason ? `: ${reason}` : '';
  if (!attributes.isResourceRequest) {
    return new StatusError(
      403,
      'Forbidden',
      `forbidden: User ${JSON.stringify(user.username)} cannot ${verb} path ${JSON.stringify(path)}${because}`,
      {details: {}},
    );
  }
  const full = subresource ? `${resource}/${subresource}` : resource;
  const where = namespace ? `in the namespace ${JSON.stringify(namespace)}` : 'at the cluster scope';
  const detail = `User ${JSON.stringify(user.username)} cannot ${verb} resource ${JSON.stringify(full)} in API group ${JSON.stringify(group)} ${where}${because}`;
  const target = {group, resource, ...(name ? {name} : {})};
  if (name) return forbidden(target, detail);
  return new StatusError(403, 'Forbidden', `${groupResourceText({group, resource})} is forbidden: ${detail}`, {
    details: {...(group ? {group} : {}), kind: resource},
  });
}
