import type {AuthorizationAttributes, AuthorizationDecision, NamingProfile} from '../../../sdk/index.js';
import {isPublicPath} from '../authentication/anonymous.js';
import {refusal, type Authorization} from '../authorization/authorization.js';
import type {AccessFigures} from '../metrics/access-figures.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import type {Filter, Next} from './filter.js';

/**
 * @param naming names the audit annotations
 * @param figures counts the decisions
 */
export function authorize(authorization: Authorization, naming: NamingProfile, figures: AccessFigures): Filter<AuthenticatedExchange> {
  const keys = {decision: naming.key('authorization.orch/decision'), reason: naming.key('authorization.orch/reason')};
  const note = (exchange: AuthenticatedExchange, decision: 'allow' | 'forbid', reason = '') => {
    exchange.annotate(keys.decision, decision);
    exchange.annotate(keys.reason, reason);
  };
  const decided = (
    exchange: AuthenticatedExchange,
    attributes: AuthorizationAttributes,
    {decision, reason, error}: AuthorizationDecision,
  ) => {
    figures.authorized(decision);
    if (exchange.audit) note(exchange, decision === 'allow' ? 'allow' : 'forbid', reason);
    if (exchange.notes) exchange.notes.authorization = {allowed: decision === 'allow', reason: [reason, error].filter(Boolean).join(', ')};
    exchange.trace?.step('authorization');
    if (decision !== 'allow') throw refusal(attributes, [reason, error].filter(Boolean).join(', '));
  };
  const failed = (error: unknown): never => {
    figures.authorized('error');
    throw error;
  };
  const wait = async (
    exchange: AuthenticatedExchange,
    attributes: AuthorizationAttributes,
    pending: Promise<AuthorizationDecision>,
    next: Next<AuthenticatedExchange>,
  ) => {
    decided(exchange, attributes, await pending.catch(failed));
    return next(exchange);
  };
  return (exchange, next) => {
    if (!exchange.info.isResourceRequest && (exchange.isPublic || isPublicPath(exchange.path))) {
      if (exchange.audit) note(exchange, 'allow');
      return next(exchange);
    }
    const attributes = authorization.attributesOf(exchange);
    let answer: ReturnType<Authorization['decide']>;
    try {
      answer = authorization.decide(attributes);
    } catch (error) {
      return failed(error);
    }
    if (answer instanceof Promise) return wait(exchange, attributes, answer, next);
    decided(exchange, attributes, answer);
    return next(exchange);
  };
}
