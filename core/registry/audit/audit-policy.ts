import type {AuditLevel, AuditStage, AuthorizationAttributes} from '../../../sdk/index.js';

/** The resources of a rule. */
export interface AuditedResources {
  readonly group: string;
  /** `pods`, `pods/log`, `pods/*` (pods too), `*` + `/status`, `*`; if empty, all resources of the group. */
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

/** A rule of a policy. An empty list matches everything. */
export interface AuditRule {
  readonly level: AuditLevel;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly resources: readonly AuditedResources[];
  readonly namespaces: readonly string[];
  readonly nonResourceURLs: readonly string[];
  /** Including those of the whole policy. */
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
}

/** The decision of an audit policy about one request. */
export type AuditDecision = Pick<AuditRule, 'level' | 'omitStages' | 'omitManagedFields'>;

/** A request as rules see it. The user is undefined before authentication. */
export type AuditAttributes = Omit<AuthorizationAttributes, 'user' | 'version'> & Partial<Pick<AuthorizationAttributes, 'user'>>;

/** The first matching rule decides (docs/operations/audit.md). */
export class AuditPolicy {
  readonly #rules: readonly AuditRule[];

  constructor(rules: readonly AuditRule[]) {
    this.#rules = rules;
  }

  /** Undefined if nothing is recorded. */
  decide(attributes: AuditAttributes): AuditDecision | undefined {
    const rule = this.#rules.find((one) => matches(one, attributes));
    return rule === undefined || rule.level === 'None' ? undefined : rule;
  }
}

function matches(rule: AuditRule, attributes: AuditAttributes): boolean {
  const {user, verb, path} = attributes;
  if (rule.users.length > 0 && !(user && rule.users.includes(user.username))) return false;
  if (rule.userGroups.length > 0 && !user?.groups.some((group) => rule.userGroups.includes(group))) return false;
  if (rule.verbs.length > 0 && !rule.verbs.includes(verb)) return false;
  if (rule.namespaces.length > 0 || rule.resources.length > 0) return matchesResource(rule, attributes);
  if (rule.nonResourceURLs.length > 0) return !attributes.isResourceRequest && rule.nonResourceURLs.some((url) => matchesPath(url, path));
  return true;
}

function matchesResource({namespaces, resources}: AuditRule, attributes: AuditAttributes): boolean {
  const {isResourceRequest, group, resource, subresource, namespace, name} = attributes;
  if (!isResourceRequest) return false;
  if (namespaces.length > 0 && !namespaces.includes(namespace)) return false;
  if (resources.length === 0) return true;
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  const isMeant = (given: string) =>
    given === full || given === '*' || (subresource !== '' && given === `*/${subresource}`) || given === `${resource}/*`;
  return resources.some(
    (one) =>
      one.group === group &&
      (one.resources.length === 0 || ((one.resourceNames.length === 0 || one.resourceNames.includes(name)) && one.resources.some(isMeant))),
  );
}

function matchesPath(given: string, path: string): boolean {
  return given.endsWith('*') ? path.startsWith(given.slice(0, -1)) : given === path;
}
