import {internalError, StatusError, type UserInfo} from '../../../sdk/index.js';
import type {AuditLog} from '../../registry/audit/audit-log.js';
import type {AuditFacts} from '../../registry/audit/audit-event.js';
import {toStatusError} from '../../registry/store-errors.js';
import {sourceAddresses} from '../authentication/source-addresses.js';
import type {Exchange} from '../request/exchange.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import type {RequestInfo} from '../request/request-info.js';
import {isLongRunning} from '../request/long-running.js';
import {whenHeadIsWritten} from '../node/answer-head.js';
import type {Filter} from './filter.js';

/** Longest user agent that is recorded. */
const longestUserAgent = 1024;

/**
 * Records what fails before it is known who makes a request: its answer, as `ResponseStarted`. Also notices failures that nobody expected. Stands before all that
 * refuses requests.
 */
export function recordFailures(audit: AuditLog): Filter {
  return async (exchange, next) => {
    try {
      await next(exchange);
    } catch (error) {
      if (!exchange.user) {
        exchange.audit = begin(audit, exchange, undefined);
        if (exchange.audit) exchange.audit.early = isUnauthorized(error) ? {message: attempt(exchange)} : {};
      } else if (!StatusError.is(toStatusError(error, {group: '', resource: '', name: ''}))) exchange.audit?.panicked(error);
      throw error;
    }
  };
}

/**
 * Records requests whose callers are known (docs/operations/audit.md). Whether and how much is decided here, once.
 *
 * @throws 500 when a sink that is strict cannot record that the request has come
 */
export function recordRequests(audit: AuditLog): Filter<AuthenticatedExchange> {
  return async (exchange, next) => {
    const record = begin(audit, exchange, exchange.user);
    if (!record) return next(exchange);
    const stored = record.received();
    const isLong = isLongRunning(exchange);
    if (!(stored instanceof Promise ? await stored : stored)) throw internalError('failed to store audit event');
    exchange.audit = record;
    const {response} = exchange;
    if (isLong) whenHeadIsWritten(response, (code) => void record.started(code));
    exchange.whenFinished(() => record.finished(response.headersSent ? response.statusCode : 200, isLong));
    await next(exchange);
  };
}

function begin(audit: AuditLog, exchange: Exchange, user: UserInfo | undefined) {
  // Where not even the path could be read it is taken as it came.
  const info = (exchange.info as RequestInfo | undefined) ?? unreadable(exchange);
  const {verb, isResourceRequest, path, group, version, resource, subresource, namespace, name} = info;
  const attributes = {...(user ? {user} : {}), verb, isResourceRequest, path, group, resource, subresource, namespace, name};
  return audit.begin(attributes, () => factsOf(exchange), version, exchange);
}

function factsOf(exchange: Exchange): Omit<AuditFacts, 'user' | 'verb'> {
  const userAgent = exchange.header('user-agent') ?? '';
  return {
    auditID: exchange.id,
    requestURI: exchange.uri,
    sourceIPs: sourceAddresses(exchange),
    userAgent: userAgent.length > longestUserAgent ? `${userAgent.slice(0, longestUserAgent)}...TRUNCATED` : userAgent,
    receivedAt: exchange.startedAt,
  };
}

function unreadable({path, method}: Exchange) {
  const nothing = {group: '', version: '', resource: '', subresource: '', namespace: '', name: ''};
  return {path, verb: method.toLowerCase(), isResourceRequest: false, ...nothing};
}

function isUnauthorized(error: unknown): boolean {
  return StatusError.is(error) && error.code === 401;
}

/** Which credentials came, in the words of Kubernetes. */
function attempt(exchange: Exchange): string {
  const scheme = /^(basic|bearer) /i.exec(exchange.header('authorization') ?? '')?.[1]?.toLowerCase();
  const certificate = exchange.socket.getPeerCertificate?.()?.raw ? 'x509' : undefined;
  const methods = [scheme, certificate].filter((method) => method !== undefined);
  return methods.length === 0
    ? 'Authentication failed, no credentials provided'
    : `Authentication failed, attempted: ${methods.join(', ')}`;
}
