import {
  authorizer,
  inject,
  Tokens,
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  type NamingProfile,
  type UserInfo,
  type UserRules,
} from '../../../sdk/index.js';
import {allow} from '../../families/authorization/answers.js';
import {coveringPath} from '../../families/rbac/path-rules.js';
import {readPolicies, type AbacPolicy} from './policy-file.js';

const noMatch: AuthorizationDecision = Object.freeze({decision: 'no-opinion', reason: 'No policy matched.'});
const readVerbs = ['get', 'list', 'watch'];

/** Authorization by a policy file (docs/semantics/access.md#permissions), which is read once, at start. */
@authorizer()
export class AbacAuthorizer implements Authorizer {
  readonly #byUser = new Map<string, AbacPolicy[]>();
  readonly #byGroup = new Map<string, AbacPolicy[]>();

  /** @throws Error with a one-sentence message, for faults in the file with its name and the line */
  constructor(@inject(Tokens.Config) {policyFile}: {readonly policyFile?: string}, @inject(Tokens.Naming) naming: NamingProfile) {
    if (policyFile === undefined) throw new Error('the authorization mode ABAC needs --authorization-policy-file');
    for (const policy of readPolicies(policyFile, naming)) {
      // A policy without a subject matches nobody.
      if (policy.user !== '') add(this.#byUser, policy.user, policy);
      else if (policy.group !== '') add(this.#byGroup, policy.group, policy);
    }
  }

  authorize(attributes: AuthorizationAttributes): AuthorizationDecision {
    for (const policy of this.#policiesOf(attributes.user)) if (allows(policy, attributes)) return allow;
    return noMatch;
  }

  rulesFor(user: UserInfo, namespace: string): UserRules {
    const policies = [...this.#policiesOf(user)].filter((policy) => policy.namespace === '*' || policy.namespace === namespace);
    const verbs = ({readonly}: AbacPolicy) => (readonly ? readVerbs : ['*']);
    return {
      resourceRules: policies
        .filter(({resource}) => resource !== '')
        .map((policy) => ({verbs: verbs(policy), apiGroups: [policy.apiGroup], resources: [policy.resource]})),
      nonResourceRules: policies
        .filter(({nonResourcePath}) => nonResourcePath !== '')
        .map((policy) => ({verbs: verbs(policy), nonResourceURLs: [policy.nonResourcePath]})),
      incomplete: false,
    };
  }

  *#policiesOf({username, groups}: UserInfo): Iterable<AbacPolicy> {
    for (const policy of this.#byUser.get(username) ?? []) if (policy.group === '' || groups.includes(policy.group)) yield policy;
    for (const group of groups) yield* this.#byGroup.get(group) ?? [];
  }
}

function allows(policy: AbacPolicy, {verb, isResourceRequest, path, namespace, resource, group}: AuthorizationAttributes): boolean {
  if (policy.readonly && !readVerbs.includes(verb)) return false;
  if (!isResourceRequest) return coveringPath([policy.nonResourcePath])(path);
  return (
    (policy.namespace === '*' || policy.namespace === namespace) &&
    (policy.resource === '*' || policy.resource === resource) &&
    (policy.apiGroup === '*' || policy.apiGroup === group)
  );
}

function add(map: Map<string, AbacPolicy[]>, key: string, policy: AbacPolicy): void {
  const list = map.get(key);
  if (list) list.push(policy);
  else map.set(key, [policy]);
}
