import {
  forbidden,
  groupResourceText,
  StatusError,
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
} from '../../../sdk/index.js';
import {isPublicPath} from '../authentication/anonymous.js';
import type {Exchange} from '../exchange.js';
import type {Filter} from './filter.js';

/** An authorizer with its place in the order, as the kernel delivers it. */
export interface OrderedAuthorizer {
  readonly name: string;
  readonly order: number;
  readonly instance: Authorizer;
}

/** Asks the authorizers in their order; the first that allows or denies decides. When none does, the answer is no. */
export class Authorization {
  readonly #authorizers: readonly Authorizer[];

  constructor(authorizers: readonly OrderedAuthorizer[]) {
    this.#authorizers = [...authorizers].sort((a, b) => a.order - b.order || (a.name < b.name ? -1 : 1)).map(({instance}) => instance);
  }

  /** An exception of an authorizer is one of the request: authorization fails closed. */
  async decide(attributes: AuthorizationAttributes): Promise<AuthorizationDecision> {
    const reasons: string[] = [];
    for (const authorizer of this.#authorizers) {
      const answer = authorizer.authorize(attributes);
      const decision = answer instanceof Promise ? await answer : answer;
      if (decision.decision !== 'no-opinion') return decision;
      if (decision.reason) reasons.push(decision.reason);
    }
    return {decision: 'no-opinion', reason: reasons.join(', ')};
  }

  /** @throws 403 unless the caller may do this */
  async require(attributes: AuthorizationAttributes): Promise<void> {
    const {decision, reason} = await this.decide(attributes);
    if (decision !== 'allow') throw refusal(attributes, reason);
  }
}

export function authorize(authorization: Authorization): Filter {
  return async (exchange, next) => {
    if (!isPublicPath(exchange.path)) await authorization.require(authorizationAttributes(exchange));
    await next();
  };
}

export function authorizationAttributes({info, user}: Exchange): AuthorizationAttributes {
  const {isResourceRequest, verb, path, group, version, resource, subresource, namespace, name} = info;
  return {user, verb, isResourceRequest, path, group, version, resource, subresource, namespace, name};
}

function refusal(attributes: AuthorizationAttributes, reason: string | undefined): StatusError {
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
