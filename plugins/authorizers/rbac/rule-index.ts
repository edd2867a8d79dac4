import type {
  AuthorizationAttributes,
  AuthorizationDecision,
  NonResourceRule,
  ResourceRule,
  UserInfo,
  UserRules,
} from '../../../sdk/index.js';
import {noOpinion} from '../../families/authorization/answers.js';
import {CompiledRule, fullResource} from '../../families/rbac/compiled-rule.js';
import type {PolicyRule} from '../../families/rbac/policy-rule.js';
import type {BindingObject, RoleObject, Subject} from './rbac-objects.js';

/** One subject's grant of one role by one binding. */
interface Grant {
  readonly binding: BindingObject;
  /** The key of the role, see `keyOf`. */
  readonly role: string;
  /** Created once, so that decisions allocate nothing. */
  readonly allow: AuthorizationDecision;
  /** The reason if the role is missing. */
  readonly missing: string;
}

interface GrantTable {
  readonly users: Map<string, Grant[]>;
  readonly groups: Map<string, Grant[]>;
}

/**
 * All roles and bindings, indexed for decisions: from the user and its groups to their grants, in the whole cluster and in the requested
 * namespace, and on to the rules. The cost depends only on the number of the user's grants.
 */
export class RuleIndex {
  /** Rules by role; cluster roles have the namespace ''. */
  readonly #roles = new Map<string, readonly CompiledRule[]>();
  /** Grants by namespace; those of cluster role bindings under ''. */
  readonly #tables = new Map<string, GrantTable>();
  readonly #bindings = new Map<string, BindingObject>();
  readonly #group: string;

  /** @param group API group of roles as clients spell it, for messages */
  constructor(group: string) {
    this.#group = group;
  }

  decide(question: AuthorizationAttributes): AuthorizationDecision {
    const search: Search = {question, resource: fullResource(question), missing: undefined};
    const found = this.#search('', search) ?? (question.namespace === '' ? undefined : this.#search(question.namespace, search));
    if (found) return found;
    return search.missing ? {decision: 'no-opinion', reason: `RBAC: ${[...search.missing].join(', ')}`} : noOpinion;
  }

  /** The rules of all roles that a user has in the cluster and in a namespace. */
  rulesFor(user: UserInfo, namespace: string): UserRules {
    const roles = new Set<string>();
    const missing = new Set<string>();
    for (const table of [this.#tables.get(''), namespace === '' ? undefined : this.#tables.get(namespace)]) {
      if (!table) continue;
      for (const grants of [table.users.get(user.username), ...user.groups.map((group) => table.groups.get(group))]) {
        for (const {role, missing: reason} of grants ?? []) {
          if (this.#roles.has(role)) roles.add(role);
          else missing.add(reason);
        }
      }
    }
    const resourceRules: ResourceRule[] = [];
    const nonResourceRules: NonResourceRule[] = [];
    for (const role of roles) {
      for (const {rule} of this.#roles.get(role)!) {
        if (rule.resources?.length) resourceRules.push(resourceRule(rule));
        if (rule.nonResourceURLs?.length) nonResourceRules.push({verbs: rule.verbs ?? [], nonResourceURLs: rule.nonResourceURLs});
      }
    }
    return {resourceRules, nonResourceRules, incomplete: false, ...(missing.size > 0 ? {error: [...missing].join(', ')} : {})};
  }

  setRole(role: RoleObject): void {
    this.#roles.set(
      keyOf(role),
      (role.rules ?? []).map((rule) => new CompiledRule(rule)),
    );
  }

  deleteRole(role: RoleObject): void {
    this.#roles.delete(keyOf(role));
  }

  setBinding(binding: BindingObject): void {
    this.deleteBinding(binding);
    this.#bindings.set(keyOf(binding), binding);
    this.#addGrants(binding);
  }

  deleteBinding(binding: BindingObject): void {
    const key = keyOf(binding);
    const known = this.#bindings.get(key);
    if (!known) return;
    this.#bindings.delete(key);
    this.#removeGrants(known);
  }

  #search(namespace: string, search: Search): AuthorizationDecision | undefined {
    const table = this.#tables.get(namespace);
    if (!table) return undefined;
    const {username, groups} = search.question.user;
    const own = this.#firstAllowing(table.users.get(username), search);
    if (own) return own;
    for (const group of groups) {
      const found = this.#firstAllowing(table.groups.get(group), search);
      if (found) return found;
    }
    return undefined;
  }

  #firstAllowing(grants: readonly Grant[] | undefined, search: Search): AuthorizationDecision | undefined {
    if (!grants) return undefined;
    for (const grant of grants) {
      const rules = this.#roles.get(grant.role);
      if (!rules) (search.missing ??= new Set()).add(grant.missing);
      else for (const rule of rules) if (rule.allows(search.question, search.resource)) return grant.allow;
    }
    return undefined;
  }

  #addGrants(binding: BindingObject): void {
    const namespace = binding.metadata.namespace ?? '';
    let table = this.#tables.get(namespace);
    if (!table) this.#tables.set(namespace, (table = {users: new Map(), groups: new Map()}));
    for (const [kind, name, subject] of subjectsOf(binding)) {
      const grants = table[kind].get(name);
      // A subject that is listed twice gets the role once.
      if (grants?.at(-1)?.binding === binding) continue;
      const grant = this.#grant(binding, subject);
      if (grants) grants.push(grant);
      else table[kind].set(name, [grant]);
    }
  }

  #removeGrants(binding: BindingObject): void {
    const namespace = binding.metadata.namespace ?? '';
    const table = this.#tables.get(namespace);
    if (!table) return;
    for (const [kind, name] of subjectsOf(binding)) {
      const rest = (table[kind].get(name) ?? []).filter((grant) => grant.binding !== binding);
      if (rest.length > 0) table[kind].set(name, rest);
      else table[kind].delete(name);
    }
    if (table.users.size + table.groups.size === 0) this.#tables.delete(namespace);
  }

  #grant(binding: BindingObject, subject: Subject): Grant {
    const {metadata, roleRef} = binding;
    const isClusterRole = roleRef.kind === 'ClusterRole';
    const kind = metadata.namespace ? 'RoleBinding' : 'ClusterRoleBinding';
    const bindingName = metadata.namespace ? `${metadata.name}/${metadata.namespace}` : metadata.name;
    const subjectName = subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace || metadata.namespace}` : subject.name;
    const text = (value: unknown) => JSON.stringify(String(value));
    return {
      binding,
      role: roleKey(isClusterRole ? '' : (metadata.namespace ?? ''), roleRef.name),
      allow: Object.freeze({
        decision: 'allow',
        reason: `RBAC: allowed by ${kind} ${text(bindingName)} of ${roleRef.kind} ${text(roleRef.name)} to ${subject.kind} ${text(subjectName)}`,
      }),
      missing: `${isClusterRole ? 'clusterrole' : 'role'}.${this.#group} ${text(roleRef.name)} not found`,
    };
  }
}

function resourceRule({verbs, apiGroups, resources, resourceNames}: PolicyRule): ResourceRule {
  return {verbs: verbs ?? [], apiGroups: apiGroups ?? [], resources: resources ?? [], ...(resourceNames?.length ? {resourceNames} : {})};
}

interface Search {
  readonly question: AuthorizationAttributes;
  readonly resource: string;
  missing: Set<string> | undefined;
}

/** The users and groups of a binding's subjects: a service account is a user with a special name. Subjects of unknown kinds are skipped. */
function* subjectsOf({subjects, metadata}: BindingObject): Generator<[table: 'users' | 'groups', name: string, subject: Subject]> {
  for (const subject of subjects ?? []) {
    if (subject.kind === 'User') yield ['users', subject.name, subject];
    else if (subject.kind === 'Group') yield ['groups', subject.name, subject];
    else if (subject.kind === 'ServiceAccount') {
      const namespace = subject.namespace || metadata.namespace;
      if (namespace) yield ['users', `system:serviceaccount:${namespace}:${subject.name}`, subject];
    }
  }
}

function roleKey(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function keyOf({metadata}: RoleObject | BindingObject): string {
  return roleKey(metadata.namespace ?? '', metadata.name ?? '');
}
