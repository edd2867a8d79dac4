import {badRequest, type AuthorizationAttributes, type NamingProfile, type UserInfo} from '../../../sdk/index.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import type {Authorization} from '../authorization/authorization.js';
import type {Filter, Next} from './filter.js';

const userHeader = 'impersonate-user';
const groupHeader = 'impersonate-group';
const uidHeader = 'impersonate-uid';
const prefixPattern = /^impersonate-/i;
const extraPrefix = 'impersonate-extra-';
const serviceAccountPrefix = 'system:serviceaccount:';

interface Wanted {
  user: string;
  uid: string;
  groups: string[];
  extra: Record<string, string[]>;
}

/**
 * Lets a caller act as another user, if it has the verb `impersonate` on everything that it names (docs/semantics/access.md#impersonation).
 * Later steps see only the impersonated identity.
 *
 * @throws 400 if other impersonation headers come without a user, or a single-valued one comes twice; 403 if a permission is missing
 */
export function impersonate(authorization: Authorization, naming: NamingProfile): Filter<AuthenticatedExchange> {
  return (exchange, next) => {
    if (!hasOurs(exchange.request.rawHeaders)) return next(exchange);
    const wanted = readHeaders(exchange);
    return wanted ? become(exchange, wanted, next) : next(exchange);
  };

  async function become(exchange: AuthenticatedExchange, wanted: Wanted, next: Next<AuthenticatedExchange>): Promise<void> {
    for (const attributes of permissions(exchange, wanted, naming)) await authorization.require(attributes);
    exchange.impersonator = exchange.user;
    exchange.user = identityOf(wanted);
    if (exchange.audit) exchange.audit.impersonatedUser = exchange.user;
    await next(exchange);
  }
}

/** @param raw names and values in turn */
function hasOurs(raw: readonly string[]): boolean {
  for (let index = 0; index < raw.length; index += 2) if (prefixPattern.test(raw[index]!)) return true;
  return false;
}

/** Repeated headers are read separately, because Node would join them. */
function readHeaders({request}: AuthenticatedExchange): Wanted | undefined {
  const wanted: Wanted = {user: '', uid: '', groups: [], extra: Object.create(null) as Record<string, string[]>};
  const seen = new Set<string>();
  const raw = request.rawHeaders;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index]!.toLowerCase();
    if (!name.startsWith('impersonate-')) continue;
    if (seen.has(name) && (name === userHeader || name === uidHeader)) throw badRequest(`header ${raw[index]!} must not be repeated`);
    seen.add(name);
    const value = Buffer.from(raw[index + 1]!, 'latin1').toString('utf8');
    if (name === userHeader) wanted.user = value;
    else if (name === groupHeader) wanted.groups.push(value);
    else if (name === uidHeader) wanted.uid = value;
    else if (name.startsWith(extraPrefix)) (wanted.extra[extraKey(name.slice(extraPrefix.length))] ??= []).push(value);
    else
      throw badRequest(
        `unknown header ${JSON.stringify(raw[index])}: impersonation is asked for with Impersonate-User, -Group, -Uid and -Extra-NAME`,
      );
  }
  if (seen.size === 0) return undefined;
  if (wanted.user === '')
    throw badRequest('Impersonate-Group, Impersonate-Uid and Impersonate-Extra headers need an Impersonate-User header');
  return wanted;
}

function extraKey(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function permissions({user, path}: AuthenticatedExchange, wanted: Wanted, naming: NamingProfile): AuthorizationAttributes[] {
  const authentication = naming.group('authentication.orch');
  const attributes = (
    group: string,
    resource: string,
    name: string,
    more: Partial<AuthorizationAttributes> = {},
  ): AuthorizationAttributes => ({
    user,
    verb: 'impersonate',
    isResourceRequest: true,
    path,
    group,
    version: 'v1',
    resource,
    subresource: '',
    namespace: '',
    name,
    ...more,
  });
  const serviceAccount = serviceAccountOf(wanted.user);
  return [
    serviceAccount
      ? attributes('', 'serviceaccounts', serviceAccount.name, {namespace: serviceAccount.namespace})
      : attributes('', 'users', wanted.user),
    ...wanted.groups.map((group) => attributes('', 'groups', group)),
    ...(wanted.uid ? [attributes(authentication, 'uids', wanted.uid)] : []),
    ...Object.entries(wanted.extra).flatMap(([key, values]) =>
      values.map((value) => attributes(authentication, 'userextras', value, {subresource: key})),
    ),
  ];
}

function serviceAccountOf(user: string): {namespace: string; name: string} | undefined {
  if (!user.startsWith(serviceAccountPrefix)) return undefined;
  const [namespace, name, ...rest] = user.slice(serviceAccountPrefix.length).split(':');
  return namespace && name && rest.length === 0 ? {namespace, name} : undefined;
}

/** Adds groups that follow from the name: those of a service account, and that of authenticated users. */
function identityOf({user, uid, groups, extra}: Wanted): UserInfo {
  const all = new Set(groups);
  const serviceAccount = serviceAccountOf(user);
  if (serviceAccount && groups.length === 0) {
    all.add('system:serviceaccounts');
    all.add(`system:serviceaccounts:${serviceAccount.namespace}`);
  }
  if (user === 'system:anonymous') {
    if (groups.length === 0) all.add('system:unauthenticated');
  } else if (!all.has('system:unauthenticated')) {
    all.add('system:authenticated');
  }
  return {username: user, groups: [...all], ...(uid ? {uid} : {}), ...(Object.keys(extra).length > 0 ? {extra: {...extra}} : {})};
}
